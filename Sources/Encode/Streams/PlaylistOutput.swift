import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

extension OutputKind {
  static let playlist = OutputKind(
    words: ".m3u8", summary: "HLS: a playlist, and segments of fragmented MP4 beside it"
  ) { word throws(EncodeError) in
    guard word.path.fileExtension == "m3u8", word.container == nil else { return nil }
    try word.path.checkPlace()
    guard !word.text.contains("%") else {
      throw EncodeError("\(word.text): the name of a playlist has no %", isUsageError: true)
    }
    return PlaylistOutput(path: OutputPath.absolute(word.path.target))
  }
}

/// HLS: a playlist for players, one with the segments, and the segments, in one folder.
///
/// A player can follow it while it grows.
struct PlaylistOutput: OutputTarget {
  /// The absolute path of the playlist for players.
  let path: String
  private var settings = EncodeSettings()
  private(set) var encoder: EncoderChoice?

  init(path: String) { self.path = path }

  var place: OutputPlace { .single(.file(path)) }
  var wish: PixelWish { .format(encoder?.pixelFormat ?? .yuv420p) }
  var takesAudio: Bool { true }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool {
    guard !settings.audio.isCopied else { return false }
    return settings.audio.forcesEncoding || !streams.allSatisfy { AudioFit.holds($0, .mp4) }
  }
  var holdsAlpha: Bool { false }
  var isOneFile: Bool { false }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    encoder = try EncoderChoice(settings: settings, container: .mp4)
    try settings.audio.check(for: .mp4)
    guard Container.playlist.outputFormat != nil else {
      throw EncodeError("this FFmpeg cannot write HLS: install one that can")
    }
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    picture.video(encoder?.pixelFormat ?? .yuv420p)
  }

  /// Shortest length of a segment in seconds; it ends before the first key frame after that.
  ///
  /// A player of a live source is late by about three segments.
  private static func segmentLength(isLive: Bool) -> Int { isLive ? 2 : 4 }

  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    Container.y4m.leftOut(of: contents, audio: audio, subtitles: subtitles, isFile: false)
  }

  func open(_ request: SinkRequest, name: String) throws -> any MediaSink {
    guard let encoder else { throw EncodeError("\(name) has no encoder") }
    for stream in request.codedAudio { try AudioFit.check(stream, fits: .mp4, output: name) }
    let files = PlaylistFiles(path, name: name)
    if !request.replacesExisting { try files.checkFree() }
    let timeBase = TimeBaseRule.movie(source: request.timeBase, duration: request.duration)
    var plan = try encoder.plan(settings: settings, request: request, timeBase: timeBase)
    let length = Self.segmentLength(isLive: request.isLive)
    if settings.gop == nil, !request.isLive {
      plan.gop = max(Int((request.frameRate * Rational(Int64(length / 2))).floor), 1)
    }
    let movieScale = TimeBaseRule.movieTimescale(
      video: timeBase.denominator,
      audio: request.codedAudio.map { AudioTrack.timeBase(of: $0).denominator })
    let options = [
      ("hls_time", "\(length)"), ("hls_list_size", "0"), ("hls_playlist_type", "event"),
      ("hls_segment_type", "fmp4"), ("hls_flags", "independent_segments+temp_file"),
      ("start_number", "1"), ("hls_segment_filename", files.segmentPattern),
      ("hls_fmp4_init_filename", files.headName), ("master_pl_name", files.playlistName),
      (
        "hls_segment_options",
        "video_track_timescale=\(timeBase.denominator):movie_timescale=\(movieScale)"
      ),
    ]
    return try StreamSink(
      name: name,
      format: StreamFormat(
        container: .playlist, url: files.segmentList,
        options: options.map { EncoderOption($0.0, $0.1) }),
      transport: files, plan: plan, request: request, audioSettings: settings.audio)
  }
}

extension Container {
  fileprivate static let playlist = Container(
    name: "hls", extensions: [], muxer: "hls", structure: .movie, holdsAudio: true)
}

/// The files of a playlist, which libavformat's muxer writes: each gets its name when it is complete.
///
/// After a file that could not be written no other one is opened, so that the playlist lists whole segments
/// only.
final class PlaylistFiles: StreamTransport {
  let context: UnsafeMutablePointer<AVIOContext>? = nil
  private let name: String
  private let folder: String
  /// The name of the playlist without its extension.
  private let stem: String
  let playlistName: String
  private var code: Int32 = 0
  private var usualOpen:
    (
      @convention(c) (
        UnsafeMutablePointer<AVFormatContext>?,
        UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
        UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Int32
    )?
  private var usualClose:
    (
      @convention(c) (
        UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVIOContext>?
      ) -> Int32
    )?

  /// - Parameters:
  ///   - path: The absolute path of the playlist for players.
  ///   - name: The name for messages.
  init(_ path: String, name: String) {
    self.name = name
    folder = OutputPath(path).folder
    playlistName = String(path.split(separator: "/").last ?? "")
    stem = String(playlistName.dropLast(".m3u8".utf8.count))
  }

  private func inFolder(_ name: String) -> String { folder + (folder == "/" ? "" : "/") + name }

  var segmentList: String { inFolder(stem + "-media.m3u8") }
  var segmentPattern: String { inFolder(stem + "-%05d.m4s") }
  var headName: String { stem + "-init.mp4" }

  /// Throws if a file has one of the names.
  func checkFree() throws(EncodeError) {
    let own = names(in: folder).filter { file in
      let digits = file.dropFirst(stem.count + 1).dropLast(4)
      let isSegment =
        file.hasPrefix(stem + "-") && file.hasSuffix(".m4s") && !digits.isEmpty
        && digits.allSatisfy { $0.isNumber }
      return isSegment || [playlistName, stem + "-media.m3u8", headName].contains(file)
    }
    guard let first = own.min() else { return }
    throw EncodeError(
      "\(first) exists already; add -y to replace it, or choose another name than \(name)",
      isUsageError: true)
  }

  func attach(to muxer: UnsafeMutablePointer<AVFormatContext>) {
    (usualOpen, usualClose) = (muxer.pointee.io_open, muxer.pointee.io_close2)
    muxer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    muxer.pointee.io_open = { muxer, file, url, flags, options in
      guard let object = muxer?.pointee.opaque else { return kf_averror(EINVAL) }
      return Unmanaged<PlaylistFiles>.fromOpaque(object).takeUnretainedValue()
        .open(muxer, file, url, flags, options)
    }
    muxer.pointee.io_close2 = { muxer, file in
      guard let object = muxer?.pointee.opaque else { return kf_averror(EINVAL) }
      return Unmanaged<PlaylistFiles>.fromOpaque(object).takeUnretainedValue().close(muxer, file)
    }
  }

  private func open(
    _ muxer: UnsafeMutablePointer<AVFormatContext>?,
    _ file: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?,
    _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard code == 0, let usualOpen else { return code == 0 ? kf_averror(EINVAL) : code }
    let result = usualOpen(muxer, file, url, flags, options)
    if result < 0 { code = result }
    return result
  }

  private func close(
    _ muxer: UnsafeMutablePointer<AVFormatContext>?, _ file: UnsafeMutablePointer<AVIOContext>?
  ) -> Int32 {
    if let file {
      avio_flush(file)
      if file.pointee.error < 0, code == 0 { code = file.pointee.error }
    }
    let result = usualClose?(muxer, file) ?? kf_averror(EINVAL)
    if result < 0, code == 0 { code = result }
    return result
  }

  func beginCall() {}

  func failure(_ result: Int32) -> EncodeError? {
    let code = code < 0 ? code : result
    return code < 0 ? EncodeError.cannotWrite(name, -code) : nil
  }

  func close(isComplete: Bool) {
    guard !isComplete, OutputPath(segmentList).exists else { return }
    // Players need not wait for more.
    let file = Glibc.open(segmentList, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { return }
    let line = Array("#EXT-X-ENDLIST\n".utf8)
    _ = ByteWriter.write(line, line.count, to: file)
    Glibc.close(file)
  }
}
