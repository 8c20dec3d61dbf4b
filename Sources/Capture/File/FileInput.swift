import CFFmpeg
import FFmpegHandles
import Frames

/// How libavformat reads the input that a request names.
struct FileInput {
  /// The name in messages.
  let name: String
  /// The URL for libavformat.
  var url = ""
  /// The pipe that gives the bytes instead, if any.
  var pipe: PipeInput?
  /// Whether a server gives the bytes.
  var isRemote = false
  /// The demuxer's name, if FFmpeg should not guess it.
  var format: String?
  /// The demuxer's options.
  ///
  /// The name of a single file is never a pattern, whatever characters it has.
  var options = [("pattern_type", "none")]
  /// Numbered images and their frame rate; nil for other inputs.
  var numbered: (pictures: NumberedImages?, rate: Rational)?

  /// Reads a file, or a pipe given by its path.
  static func file(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    guard try FileProblems.check(path) == .file else {
      let pipe = try PipeInput(path: path, name: path, interruption: request.interruption)
      return FileInput(name: path, pipe: pipe)
    }
    return FileInput(name: path, url: url(ofPath: path))
  }

  static func standardInput(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let name = SourceKind.standardInput.name ?? request.input
    let pipe = try PipeInput(path: nil, name: name, interruption: request.interruption)
    return FileInput(name: name, pipe: pipe)
  }

  static func url(_ request: SourceRequest) -> FileInput {
    let url = request.input
    return FileInput(
      name: url, url: request.readsAhead ? "async:" + url : url,
      isRemote: !url.lowercased().hasPrefix("file:"))
  }

  /// Whether a server gives the whole file by this URL; the playlists of streams name other files.
  fileprivate static func isOneFile(_ url: String) -> Bool {
    guard let scheme = url.firstRange(of: "://")?.lowerBound,
      ["http", "https", "ftp"].contains(url[..<scheme].lowercased())
    else { return false }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let ending = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() }
    return ["mp4", "mov", "m4v", "mkv", "webm", "ts", "avi", "flv", "ogv"].contains(ending ?? "")
  }

  /// Reads numbered images, from the lowest existing number.
  static func sequence(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    let rate = request.frameRate ?? Rational(25)
    let pictures = try NumberedImages(path: path)
    return FileInput(
      name: path, url: url(ofPath: path), format: "image2",
      options: [
        ("framerate", "\(rate)"), ("pattern_type", "sequence"),
        ("start_number", "\(pictures?.first ?? 0)"),
      ],
      numbered: (pictures, rate))
  }

  /// Without a protocol name FFmpeg takes the text before a colon as the protocol.
  private static func url(ofPath path: String) -> String { "file:" + path }
}

extension SourceRequest {
  /// Whether the bytes are read ahead in the background: for a player, so that short pauses of the network are not
  /// seen.
  package var readsAhead: Bool { admits != nil && FileInput.isOneFile(input) }
}

extension Demuxer {
  /// Opens the input that a request names.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    let watch =
      input.isRemote
      ? ServerWatch(
        name: input.name, interruption: request.interruption, limit: request.networkTimeout,
        notice: request.notice) : nil
    try self.init(
      url: input.url, name: input.name, pipe: input.pipe, format: input.format,
      options: input.options, includesAudio: request.includesAudio,
      feedsEffects: request.feedsEffects, audioTrack: request.sound.track,
      includesSubtitles: request.includesSubtitles, wanted: request.video,
      program: request.program, watch: watch,
      interruption: request.interruption)
  }
}

extension SourceDescription {
  /// Adds a notice about the first frame's format, if users should know about it.
  mutating func warn(ofFirst format: FrameFormat, _ rule: HDRRule) {
    guard format.color.isHighDynamicRange else { return }
    let isPQ = format.color.transfer == 16
    let curve = isPQ ? "PQ" : "HLG"
    let message =
      switch rule {
      case .keep:
        """
        \(name) is HDR (\(curve)); its values are kept, and effects act on them as they are coded
        """
      case .toneMap where isPQ:
        """
        \(name) is HDR (PQ): it is mapped to SDR, from a brightest light of \(peakWords(format.color)); \
        --hdr keep writes HDR instead
        """
      case .toneMap:
        "\(name) is HDR (HLG): it is mapped to SDR; --hdr keep writes HDR instead"
      }
    notices.append(Notice(.sourceHDR, name, message))
  }

  private func peakWords(_ color: ColorDescription) -> String {
    guard let peak = color.hdr?.peak else {
      return "1000 cd/m², because the file does not say how bright it is"
    }
    return "\(Int(peak.rounded())) cd/m²"
  }
}

/// Dolby Vision, of which only the base layer is read.
enum DolbyVision {
  /// Throws if the base layer has colours that only a decoder of Dolby Vision can show: profile 5 in HEVC, 10.0 in AV1.
  ///
  /// Of the base layers of all other profiles the tags say what they are.
  static func checkBase(
    of stream: UnsafePointer<AVStream>, name: String
  ) throws(CaptureError) {
    var size = 0
    guard let bytes = av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return }
    let record = UnsafeRawPointer(bytes).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    guard [5, 10].contains(record.dv_profile), record.dv_bl_signal_compatibility_id == 0 else {
      return
    }
    throw CaptureError(
      """
      \(name) is Dolby Vision of profile \(record.dv_profile), whose colours no other decoder can show; convert it to HDR10 \
      first, with a program that reads Dolby Vision
      """)
  }
}
