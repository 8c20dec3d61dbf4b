import CFFmpeg
import FFmpegHandles
import Frames

extension OutputKind {
  static let network = OutputKind(
    words: "rtmp://HOST/APP/KEY srt://HOST:PORT udp://HOST:PORT",
    summary: "a live stream, in real time: H.264 and AAC for RTMP, MPEG-TS for SRT and UDP"
  ) { word throws(EncodeError) in
    guard let link = NetworkLink(word.text) else {
      try NetworkLink.checkKnown(word.path)
      return nil
    }
    try link.check()
    return NetworkOutput(link: link)
  }
}

struct NetworkLink: Sendable {
  let url: String
  /// The protocol, as libavformat calls it.
  let scheme: String
  /// The address without what may be secret: the path and the options.
  let shown: String

  /// The protocols, and whether they carry FLV; the others carry MPEG-TS.
  private static let schemes = [
    "rtmp": true, "rtmps": true, "rtmpt": true, "srt": false, "udp": false,
  ]

  init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard NetworkLink.schemes[scheme] != nil else { return nil }
    (url, self.scheme) = (text, scheme)
    shown = NetworkLink.shown(scheme: scheme, rest: text[mark.upperBound...])
  }

  /// Returns an address without what may be secret.
  private static func shown(scheme: String, rest: Substring) -> String {
    // A name and a password come before the last @ of the host.
    let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
    return "\(scheme)://\(host)"
  }

  /// Throws if a path is an address of another protocol, and not a place on the disk.
  static func checkKnown(_ place: OutputPath) throws(EncodeError) {
    guard let mark = place.path.firstRange(of: "://"), !OutputPath(place.folder).exists else {
      return
    }
    let scheme = place.path[..<mark.lowerBound]
    guard !scheme.isEmpty,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return }
    let address = shown(scheme: scheme.lowercased(), rest: place.path[mark.upperBound...])
    throw EncodeError(
      "\(address): kfrec does not send with \(scheme.lowercased()); write rtmp://, srt:// or udp://, or the "
        + "name of a file", isUsageError: true)
  }

  var isFLV: Bool { NetworkLink.schemes[scheme] ?? false }

  /// Seconds for which the receiver holds data: SRT's latency, and some more for the way.
  var delay: Rational {
    guard scheme == "srt" else { return .zero }
    let asked = url.split(separator: "?").dropFirst().joined().split(separator: "&")
      .filter { $0.hasPrefix("latency=") || $0.hasPrefix("peerlatency=") }
      .compactMap { $0.split(separator: "=").last.flatMap { Int64($0) } }.max()
    // In microseconds; without the option it is 120 ms.
    return Rational(min(max(asked ?? 120_000, 0), 10_000_000) + 500_000, 1_000_000)
  }

  func check() throws(EncodeError) {
    guard shown.utf8.count > scheme.utf8.count + 3 else {
      throw EncodeError(
        // No example with a path: messages show none.
        "\(shown) names no server: write its name behind the two slashes, then \(isFLV ? "the application and the key" : "a colon and the port")",
        isUsageError: true)
    }
    var state: UnsafeMutableRawPointer?
    while let name = avio_enum_protocols(&state, 1) {
      if String(cString: name) == scheme { return }
    }
    throw EncodeError(
      "this FFmpeg has no \(scheme): install one that has, or choose another output")
  }
}

/// A live stream to a server.
///
/// Frames of files come at their own rate. Beside outputs that keep frames it may miss some, and may fail.
struct NetworkOutput: OutputTarget {
  let link: NetworkLink
  private var settings = EncodeSettings()
  private(set) var encoder: EncoderChoice?

  init(link: NetworkLink) { self.link = link }

  var place: OutputPlace { .single(.stream(link.url)) }
  var preference: PixelPreference {
    .format(encoder?.pixelFormat ?? settings.pixelFormat ?? .yuv420p)
  }
  var takesAudio: Bool { true }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool {
    settings.audio.encodes(streams) { audioCodecs.contains($0.parameters.pointee.codec_id) }
  }
  var isPaced: Bool { true }
  var queuesFrames: Bool { true }
  var holdsAlpha: Bool { false }
  var shownName: String? { link.shown }

  private var container: Container { link.isFLV ? .flv : .transportStream }
  private var title: String { link.isFLV ? "RTMP" : "MPEG-TS" }
  private var videoCodecs: [AVCodecID] {
    link.isFLV
      ? [AV_CODEC_ID_H264]
      : [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4]
  }
  private var audioCodecs: [AVCodecID] {
    link.isFLV
      ? [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3]
      : [
        AV_CODEC_ID_AAC, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3,
        AV_CODEC_ID_OPUS,
      ]
  }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    // Matroska takes every codec; what the stream takes is checked here.
    let choice = try EncoderChoice(settings: settings, container: .mkv)
    guard let codec = avcodec_find_encoder_by_name(choice.name),
      videoCodecs.contains(codec.pointee.id)
    else {
      throw EncodeError(
        "\(link.shown): \(title) does not carry \(choice.name); leave out --codec, or write a file",
        isUsageError: true)
    }
    guard container.outputFormat != nil else {
      throw EncodeError("this FFmpeg cannot write \(title): install one that can")
    }
    try settings.audio.check(for: .mp4)
    guard settings.audio.codec.map({ audioCodecs.contains($0.id) }) ?? true else {
      throw EncodeError(
        "\(link.shown): \(title) does not carry this audio; give --audio-codec aac",
        isUsageError: true)
    }
    encoder = choice
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    encoder?.frameFormat(picture) ?? picture.video(.yuv420p)
  }

  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    Container.none.leftOut(of: contents, audio: audio, subtitles: subtitles, isFile: false)
  }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    var request = request
    // Also for a file: a new viewer waits for the next key frame, and must not also wait for the encoder.
    request.isLive = true
    for stream in request.codedAudio
    where !audioCodecs.contains(stream.parameters.pointee.codec_id) {
      throw EncodeError(
        "\(name): \(title) does not carry \(stream.codecName) audio; leave out the audio with --no-audio"
      )
    }
    guard let encoder else { throw EncodeError("\(name) has no encoder") }
    let timeBase = link.isFLV ? Rational(1, 1000) : Rational(1, 90_000)
    let decision = try encoder.decide(
      settings: settings, request: request, timeBase: timeBase, container: container, output: name)
    let transport = try NetworkTransport(
      link.url, name: name,
      options: link.scheme == "udp" ? [EncoderOption("pkt_size", "1316")] : [], delay: link.delay,
      isStopped: request.isStopped)
    let options =
      link.isFLV ? [EncoderOption("flvflags", "no_duration_filesize")] : []
    do {
      return try StreamSink(
        name: name, format: StreamFormat(container: container, url: nil, options: options),
        transport: transport, decision: decision, request: request, audioSettings: settings.audio)
    } catch {
      transport.close(isComplete: false)
      throw error
    }
  }
}
