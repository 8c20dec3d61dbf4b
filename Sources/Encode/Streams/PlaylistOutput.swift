import CPosix
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
    let names = PlaylistNames(word.path.target)
    guard names.canBeListed else {
      throw EncodeError(
        "\(word.text): the playlist names its files beside it by this name, which must not begin with # and have none of "
          + "%, :, ?, \\, \" and control characters; choose another name", isUsageError: true)
    }
    return PlaylistOutput(names: names)
  }
}

/// HLS: a playlist for players, one with the segments, and the segments, in one folder.
///
/// A player can follow it while it grows.
struct PlaylistOutput: OutputTarget {
  let names: PlaylistNames
  private var settings = EncodeSettings()
  private(set) var encoder: EncoderChoice?

  init(names: PlaylistNames) { self.names = names }

  var place: OutputPlace { .playlist(names) }
  var preference: PixelPreference { .format(encoder?.pixelFormat ?? .yuv420p) }
  var takesAudio: Bool { true }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool {
    settings.audio.encodes(streams) { AudioFit.holds($0, .mp4) }
  }
  var holdsAlpha: Bool { false }
  var isOneFile: Bool { false }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    encoder = try EncoderChoice(settings: settings, container: .mp4)
    try settings.audio.check(for: .mp4)
    guard Container.hls.outputFormat != nil else {
      throw EncodeError("this FFmpeg cannot write HLS: install one that can")
    }
  }

  mutating func settleForHDR() throws(EncodeError) {
    guard let encoder, let deeper = encoder.settingsForHDR(settings) else { return }
    try settle(deeper)
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    encoder?.frameFormat(picture) ?? picture.video(.yuv420p)
  }

  /// Shortest length of a segment in seconds; it ends before the first key frame after that.
  ///
  /// A player of a live source is late by about three segments.
  private static func segmentLength(isLive: Bool) -> Int { isLive ? 2 : 4 }

  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    Container.none.leftOut(of: contents, audio: audio, subtitles: subtitles, isFile: false)
  }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    guard let encoder else { throw EncodeError("\(name) has no encoder") }
    for stream in request.codedAudio { try AudioFit.check(stream, fits: .mp4, output: name) }
    let files = PlaylistFiles(names, name: name, replacesExisting: request.replacesExisting)
    let timeBase = TimeBaseRule.movie(source: request.timeBase, duration: request.duration)
    var decision = try encoder.decide(
      settings: settings, request: request, timeBase: timeBase, container: .hls, output: name)
    let length = Self.segmentLength(isLive: request.isLive)
    if settings.gop == nil, !request.isLive {
      decision.plan.gop = max(Int((request.frameRate * Rational(Int64(length / 2))).floor), 1)
    }
    let movieScale = TimeBaseRule.movieTimescale(
      video: timeBase.denominator,
      audio: request.codedAudio.map { AudioTrack.timeBase(of: $0).denominator })
    let options = [
      ("hls_time", "\(length)"), ("hls_list_size", "0"), ("hls_playlist_type", "event"),
      ("hls_segment_type", "fmp4"), ("hls_flags", "independent_segments"),
      ("start_number", "1"), ("hls_segment_filename", files.segmentPattern),
      ("hls_fmp4_init_filename", names.headName), ("master_pl_name", names.playlistName),
      (
        "hls_segment_options",
        "video_track_timescale=\(timeBase.denominator):movie_timescale=\(movieScale)"
      ),
    ]
    return try StreamSink(
      name: name,
      format: StreamFormat(
        container: .hls, url: files.listAddress,
        options: options.map { EncoderOption($0.0, $0.1) }),
      transport: files, decision: decision, request: request, audioSettings: settings.audio)
  }
}
