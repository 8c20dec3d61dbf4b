import FFmpegHandles
import Frames
import Glibc

extension OutputKind {
  static let standardOutput = OutputKind(
    words: "-",
    summary: """
      standard output: y4m (no audio), or with --container \
      \(Container.all.filter(\.holdsAudio).map(\.name).joined(separator: ", "))
      """
  ) { word throws(EncodeError) in
    guard word.text == "-" else { return nil }
    if isatty(STDOUT_FILENO) == 1 {
      throw EncodeError(
        "standard output is a terminal: send it to a program or a file, as in kfrec -o - | mpv -",
        isUsageError: true)
    }
    return MovieOutput(container: word.container ?? .y4m, destination: .standardOutput)
  }

  static let movie = OutputKind(
    words: Container.all.flatMap(\.extensions).map { "." + $0 }.joined(separator: " "),
    summary: "a movie in that container"
  ) { word throws(EncodeError) in
    guard let container = word.container ?? Container(named: word.path.fileExtension) else {
      return nil
    }
    try word.path.checkPlace()
    return MovieOutput(container: container, destination: .file(word.path.target))
  }
}

/// A video file or stream, encoded or uncompressed, in a container.
struct MovieOutput: OutputTarget {
  let container: Container
  let destination: Destination
  private var settings = EncodeSettings()
  private(set) var encoder: EncoderChoice?

  init(container: Container, destination: Destination) {
    self.container = container
    self.destination = destination
  }

  var place: OutputPlace { .single(destination) }
  var wish: PixelWish { .format(pixelFormat) }
  var hashesFrames: Bool { true }
  var takesAudio: Bool { container.holdsAudio }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool {
    guard takesAudio, !settings.audio.isCopied else { return false }
    return settings.audio.forcesEncoding
      || !streams.allSatisfy { AudioFit.holds($0, container) }
  }

  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    guard takesAudio else { return [] }
    let isFile = if case .file = destination { true } else { false }
    return container.leftOut(
      of: contents, audio: audio, subtitles: subtitles, isFile: isFile)
  }

  var canBeJoined: Bool { !container.isUncompressed }
  var holdsAlpha: Bool { encoder?.alphaPixelFormat != nil }

  /// The requested pixel format, or one that suits the encoder.
  private var pixelFormat: PixelFormat { encoder?.pixelFormat ?? settings.pixelFormat ?? .yuv420p }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    try settings.audio.check(for: container)
    if container.isUncompressed {
      try MovieOutput.checkUncompressed(settings.pixelFormat)
    } else {
      encoder = try EncoderChoice(settings: settings, container: container)
    }
  }

  private static func checkUncompressed(_ format: PixelFormat?) throws(EncodeError) {
    // yuv4mpegenc.c takes these without a flag for its unofficial extensions.
    let taken: [PixelFormat] = [.yuv420p, .yuv422p, .yuv444p, .yuv411p, .gray]
    guard let format, !taken.contains(format) else { return }
    throw EncodeError(
      "y4m does not take \(format.rawValue): use --pixel-format yuv420p, yuv422p or yuv444p",
      isUsageError: true)
  }

  /// ProRes 4444 has alpha too, if yuv444p10le was requested and there may be alpha.
  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    picture.video(picture.hasAlpha ? encoder?.alphaPixelFormat ?? pixelFormat : pixelFormat)
  }

  func open(_ request: SinkRequest, name: String) throws -> any MediaSink {
    let timeBase = TimeBaseRule.timeBase(container: container, request: request)
    let plan =
      if let encoder {
        try encoder.plan(settings: settings, request: request, timeBase: timeBase)
      } else {
        try EncoderPlan.uncompressed(request: request, timeBase: timeBase)
      }
    if let parts = request.parts {
      return try JoinedMovieSink(
        name: name, container: container, destination: destination, plan: plan, request: request,
        audioSettings: settings.audio, parts: parts)
    }
    return try MovieSink(
      name: name, container: container, destination: destination, plan: plan, request: request,
      audioSettings: settings.audio)
  }
}
