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

  var place: OutputPlace { splitNames.map(OutputPlace.numbered) ?? .single(destination) }
  var preference: PixelPreference { .format(pixelFormat) }
  var hashesFrames: Bool { true }
  /// y4m and plain frames say nothing of colours.
  var holdsTransfer: Bool { !container.isUncompressed }
  var takesAudio: Bool { container.holdsAudio }
  func encodesAudio(_ streams: [CompressedStream]) -> Bool {
    takesAudio && settings.audio.encodes(streams) { AudioFit.holds($0, container) }
  }

  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    guard takesAudio else { return [] }
    let isFile = if case .file = destination { true } else { false }
    let holder = settings.split == nil ? container : .none
    return holder.leftOut(
      of: contents, audio: audio, subtitles: subtitles, isFile: isFile)
  }

  var canBeJoined: Bool { !container.isUncompressed }
  func unreadable(frames: Int?) -> String? {
    container.describesFrames ? nil : "a raw video does not say what its frames are"
  }
  var canBeSplit: Bool { if case .file = destination { container.holdsAudio } else { false } }
  var holdsAlpha: Bool {
    encoder.map { $0.alphaPixelFormat != nil } ?? (pixelFormat.layout.alpha != nil)
  }

  /// The names of the files of a movie that is split; nil for one file.
  private var splitNames: SequencePattern? {
    settings.split == nil ? nil : SequencePattern(splitting: destination.path)
  }

  /// The requested pixel format, or one that suits the encoder.
  private var pixelFormat: PixelFormat { encoder?.pixelFormat ?? settings.pixelFormat ?? .yuv420p }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    self.settings = settings
    try settings.audio.check(for: container)
    if container.isUncompressed {
      try checkUncompressed(settings.pixelFormat)
    } else {
      encoder = try EncoderChoice(settings: settings, container: container)
    }
  }

  mutating func settleForHDR() throws(EncodeError) {
    guard let encoder else {
      guard settings.pixelFormat == nil else { return }
      var deeper = settings
      deeper.pixelFormat = .yuv420p10le
      return try settle(deeper)
    }
    guard let deeper = encoder.settingsForHDR(settings) else { return }
    try settle(deeper)
  }

  private func checkUncompressed(_ format: PixelFormat?) throws(EncodeError) {
    guard let format else { return }
    // yuv4mpegenc.c takes these, those of more than 8 bits with a flag for unofficial extensions.
    let layout = format.layout
    let sampling = layout.chromaSubsampling
    let isTaken =
      layout.model == .yCbCr && layout.alpha == nil && layout.planes.count == 3
      && [1, 2].contains(sampling.x) && sampling.y <= sampling.x
    guard container.has(.wrappedFrames), !isTaken else { return }
    throw EncodeError(
      "y4m does not take \(format.rawValue): use --pixel-format yuv420p, yuv422p or yuv444p, or one of these "
        + "with more bits, such as yuv420p10le", isUsageError: true)
  }

  /// Uncompressed frames keep the bits of any source, if that is requested.
  func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat? {
    guard container.isUncompressed else {
      return encoder?.nearest(to: contents, hasAlpha: hasAlpha)
    }
    let formats = PixelFormat.allCases.filter { (try? checkUncompressed($0)) != nil }
    return contents.nearest(of: formats, hasAlpha: hasAlpha && !container.has(.wrappedFrames))
  }

  var keepsPixels: Bool { encoder.map(\.keepsEverything) ?? container.isUncompressed }
  var wantsSemiPlanar: Bool { encoder?.wantsSemiPlanar(settings) ?? false }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat {
    encoder?.frameFormat(picture) ?? picture.video(pixelFormat)
  }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    let timeBase = TimeBaseRule.timeBase(container: container, request: request)
    func uncompressed() throws(EncodeError) -> EncoderPlan {
      try .uncompressed(container: container, request: request, timeBase: timeBase)
    }
    if let parts = request.parts {
      let plan =
        try encoder?.plan(settings: settings, request: request, timeBase: timeBase)
        ?? uncompressed()
      return try JoinedMovieSink(
        name: name, container: container, destination: destination, plan: plan, request: request,
        audioSettings: settings.audio, parts: parts)
    }
    var decision =
      try encoder?.decide(
        settings: settings, request: request, timeBase: timeBase, container: container, output: name
      ) ?? EncoderDecision(plan: uncompressed())
    if settings.isInOneFile { decision.fallback = nil }
    if let limit = settings.split, let names = splitNames {
      return try SplitMovieSink(
        SplitNames(names), limit: limit, container: container, decision: decision, request: request,
        audioSettings: settings.audio)
    }
    if decision.fallback != nil, case .file(let path) = destination {
      return try SplitMovieSink(
        SplitNames(path), limit: nil, container: container, decision: decision, request: request,
        audioSettings: settings.audio)
    }
    decision.fallback = nil
    return try MovieSink(
      name: name, container: container, destination: destination, decision: decision,
      request: request, audioSettings: settings.audio)
  }
}

extension SequencePattern {
  /// The names of a split movie's files: `out.mov` gives `out-001.mov` and so on, and a name with a number,
  /// such as `out-%02d.mov`, stays as it is.
  init?(splitting path: String) {
    if let given = SequencePattern(path) {
      self = given
      return
    }
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[nameStart...].lastIndex(of: ".") ?? path.endIndex
    self.init(
      path[..<dot].replacing("%", with: "%%") + "-%03d" + path[dot...].replacing("%", with: "%%"))
  }
}
