public import FFmpegHandles
public import Frames

/// The outputs of one recording: all take the same frames, which are rendered and read back once.
///
/// Outputs that keep frames (files, pipes) come first, in the order in which they were typed;
/// virtual cameras follow them.
public struct OutputSet: Sendable {
  public let outputs: [Output]

  /// Checks the words and their combination; `container` is for words that do not show their
  /// container.
  ///
  /// A virtual camera takes the pixel format of the files beside it.
  public init(
    _ words: [String], container: String? = nil, settings: EncodeSettings = EncodeSettings(),
    view: (any FrameView)? = nil, sideView: (any FrameView)? = nil
  ) throws(EncodeError) {
    var typed: [(word: String, target: any OutputTarget)] = []
    for word in words {
      let target = try OutputSet.target(of: word, container: container, among: words)
      typed.append((target.shownName ?? word, target))
    }
    try OutputSet.checkApart(typed)
    if settings.split != nil, let stream = typed.first?.word, typed.allSatisfy(\.target.isPaced) {
      throw EncodeError.notSplit(stream)
    }
    for view in [view, sideView].compactMap(\.self) {
      typed.append((view.name, ViewOutput(view)))
    }
    let keeping = typed.filter { !$0.target.isPaced }
    var outputs: [Output] = []
    for (word, target) in keeping {
      outputs.append(try Output(word, target: target, settings: settings))
    }
    var shared = settings
    shared.pixelFormat =
      outputs.lazy.compactMap(\.target.preference.pixelFormat).first ?? settings.pixelFormat
    for (word, target) in typed where target.isPaced {
      var camera = try Output(word, target: target, settings: shared)
      // A view alone is what the recording is for, as a virtual camera is.
      camera.isBestEffort = !keeping.isEmpty || word == sideView?.name && typed.count > 1
      outputs.append(camera)
    }
    // A movie that is split has other names than its word.
    if settings.split != nil {
      // Views have no place, and there may be two: a window and a page.
      try OutputSet.checkApart(
        outputs.filter { !($0.target is ViewOutput) }.map { ($0.word, $0.target) })
    }
    self.outputs = outputs
    try checkTogether()
  }

  /// The same outputs for frames of HDR: movies whose codec was not asked for become HEVC with 10 bits, or the codec of
  /// their container with 10 bits.
  public func forHDR() throws(EncodeError) -> OutputSet {
    var outputs = outputs
    for index in outputs.indices { try outputs[index].target.settleForHDR() }
    return try OutputSet(outputs: outputs)
  }

  private init(outputs: [Output]) throws(EncodeError) {
    self.outputs = outputs
    try checkTogether()
  }

  private static func target(
    of word: String, container: String?, among words: [String]
  ) throws(EncodeError) -> any OutputTarget {
    let asked = try OutputSpec(word, container: container)
    guard words.count > 1, asked.tellsContainer else { return try asked.target() }
    return try OutputSpec(word, container: nil).target()
  }

  private static func checkApart(
    _ typed: [(word: String, target: any OutputTarget)]
  ) throws(EncodeError) {
    for (place, first) in typed.enumerated() {
      for second in typed[(place + 1)...] where first.target.place.isSame(as: second.target.place) {
        throw EncodeError(
          (first.word == second.word
            ? "-o \(first.word) was given twice"
            : "\(first.word) and \(second.word) name the same place")
            + ": give each output its own name", isUsageError: true)
      }
    }
  }

  /// Throws if the outputs need different pixels or different numbers of frames.
  private func checkTogether() throws(EncodeError) {
    // Each value is read once: Swift 6.3.1's optimizer fails on a second reading of `frameLimit`
    // here.
    let wanting = outputs.map {
      (word: $0.word, preference: $0.target.preference, limit: $0.frameLimit)
    }
    .filter { $0.preference != .anything }
    guard let lead = wanting.first else { return }
    for output in wanting {
      if output.preference != lead.preference {
        throw EncodeError(
          "\(lead.word) takes \(lead.preference.name) and \(output.word) \(output.preference.name), and a frame is "
            + "made only once for all outputs: run kfrec once for each", isUsageError: true)
      }
      if output.limit != lead.limit {
        let (single, all) = lead.limit == nil ? (output.word, lead.word) : (lead.word, output.word)
        throw EncodeError(
          "\(single) holds one frame and \(all) all of them: run kfrec once for each",
          isUsageError: true)
      }
    }
  }

  /// Whether all bytes of an output are in the file with its name, which has no folder; true also if it names no output.
  public static func isOneFile(_ name: String) -> Bool {
    (try? OutputSpec(name, container: nil).target())?.isOneFile ?? true
  }

  /// Whether a name's extension says what is written: a container or a format of images.
  public static func tellsContainer(_ word: String) -> Bool {
    (try? OutputSpec(word, container: nil))?.tellsContainer ?? false
  }

  /// The outputs as typed, for messages: "out.mov and /dev/video9".
  public var name: String { outputs.map(\.word).joined(separator: " and ") }

  /// At least one output is encoded, lossy or lossless, unlike plain frames and images.
  public var isEncoded: Bool { outputs.contains { $0.target.encoder != nil } }

  /// The outputs that cannot store the field order, as typed.
  public var namesWithoutFields: [String] {
    outputs.filter { !$0.target.holdsFieldOrder }.map(\.word)
  }

  /// All outputs can store the transfer function.
  public var holdsTransfer: Bool { outputs.allSatisfy(\.target.holdsTransfer) }

  /// At least one output is a video, whose length a single source image does not determine.
  public var isVideo: Bool { isEncoded || isPaced }

  /// Says why the outputs cannot be joined from parts that are encoded apart, as a sentence; nil if they can.
  public func refusalOfParts(_ settings: EncodeSettings) -> String? {
    guard outputs.allSatisfy(\.target.canBeJoined) else {
      return "\(name) cannot be joined from parts; write .mov, .mp4, .mkv or .webm"
    }
    guard settings.bitrate == nil else {
      return
        "parts cannot share a bit rate, which is spent over the whole movie; give --crf instead "
        + "of --bitrate"
    }
    let encoders = outputs.compactMap(\.target.encoder)
    guard settings.crf == nil, let encoder = encoders.first(where: { !$0.hasConstantQuality })
    else { return nil }
    return "parts need a constant quality, because they cannot share the usual bit rate of "
      + "\(encoder.name); give a codec with constant quality, such as h264, hevc or ffv1"
  }

  /// What the outputs leave out of a source's contents, in words, one for each kind.
  public func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream]
  ) -> [String] {
    outputs.reduce(into: []) { words, output in
      for word in output.target.leftOut(
        of: contents, audio: audio, subtitles: subtitles) where !words.contains(word)
      {
        words.append(word)
      }
    }
  }

  /// The movies that cannot hold all of these streams of subtitles, as typed; nil if no output holds them.
  public func namesWithoutSubtitles(_ streams: [CompressedStream]) -> [String]? {
    let movies = outputs.filter(\.takesAudio)
    let without = movies.filter {
      !$0.target.leftOut(of: nil, audio: [], subtitles: streams).isEmpty
    }
    return without.count == movies.count ? nil : without.map(\.word)
  }

  /// At least one output takes audio.
  public var takesAudio: Bool { outputs.contains(where: \.takesAudio) }

  /// Most frames that the outputs hold, or nil for no limit; 1 for single images.
  public var frameLimit: Int? { lead.frameLimit }

  /// A name that would take all frames, if the outputs take a limited number of them.
  public var nameForAllFrames: String? { lead.target.nameForAllFrames }

  /// At least one output stores pixels as they are given to it, without a loss.
  public var keepsPixels: Bool { outputs.contains { $0.target.keepsPixels } }

  /// At least one output shows or keeps the pixels.
  public var usesPixels: Bool { lead.target.preference != .anything }

  /// The pixel format to request so that least of a source is lost; nil if the outputs do not agree in one.
  public func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat? {
    let formats = Set(
      outputs.filter { $0.target.preference != .anything }.map {
        $0.target.nearest(to: contents, hasAlpha: hasAlpha)
      })
    return formats.count == 1 ? formats.first ?? nil : nil
  }

  /// The only output is encoded by hardware that takes both parts of chroma in one plane, as far as can be seen.
  public var wantsSemiPlanar: Bool {
    outputs.count == 1 && outputs[0].target.wantsSemiPlanar
  }

  /// The message for a frame with transparency, if the outputs cannot store it.
  public var flatteningWarning: String {
    let all = outputs.filter { $0.target.preference != .anything }
    let (flat, able) = (all.filter { !$0.target.holdsAlpha }, all.filter(\.target.holdsAlpha))
    func words(_ outputs: [Output]) -> String {
      outputs.map(\.word).joined(separator: " and ")
    }
    // A frame is made once for all outputs.
    guard flat.isEmpty || able.isEmpty else {
      return words(flat) + (flat.count == 1 ? " has" : " have") + " no transparency, and "
        + words(able) + (able.count == 1 ? " takes" : " take")
        + " the same frames: transparent pixels are blended over black in all of them; a command for "
        + words(able) + " alone keeps the transparency"
    }
    let formats = Set(all.map { $0.target.encoder?.keepingAlpha })
    let keeping = formats.count == 1 ? formats.first ?? nil : nil
    let holding =
      ImageFileFormat.all.filter { $0.alphaPixelFormat != nil }.map(\.ending)
      + AnimationFormat.allCases.map(\.ending)
      + Container.all.filter(\.holdsAlphaByDefault).map(\.ending)
    let others = holding.dropLast().joined(separator: ", ") + " or " + (holding.last ?? "")
    return words(all) + (all.count == 1 ? " has" : " have")
      + " no transparency: transparent pixels are blended over black; "
      + (keeping.map { "--pixel-format \($0.rawValue) keeps the transparency" }
        ?? "a \(others) keeps the transparency, and so does a movie with --codec prores")
  }

  /// Frames must arrive at their own pace, because somebody watches them.
  public var isPaced: Bool {
    outputs.contains { $0.isBestEffort ? $0.target.pacesFiles : $0.isPaced }
  }

  /// A virtual camera is beside an output that keeps frames, and must not make it lose any.
  public var hasBestEffortOutput: Bool { outputs.contains(where: \.isBestEffort) }

  /// Throws if an output would overwrite an input.
  public func checkDiffers(fromInput input: String) throws(EncodeError) {
    for output in outputs { try output.checkDiffers(fromInput: input) }
  }

  /// Returns the layout and size that frames must have, as `Output.frameFormat` describes.
  public func frameFormat(
    width: Int, height: Int, color: ColorDescription, sampleAspectRatio: Rational = .one,
    hasAlpha: Bool = false, mayGainAlpha: Bool = false, contents: PixelContents? = nil
  ) -> FrameFormat {
    let isHeld = outputs.allSatisfy(\.target.holdsAlpha)
    func format(of output: Output, _ contents: PixelContents?) -> FrameFormat {
      output.frameFormat(
        width: width, height: height, color: color, sampleAspectRatio: sampleAspectRatio,
        hasAlpha: hasAlpha && isHeld, mayGainAlpha: mayGainAlpha && isHeld, contents: contents)
    }
    // A frame is made once for all outputs.
    let formats = Set(
      outputs.filter { $0.target.preference != .anything }.map { format(of: $0, contents) })
    var made = formats.count == 1 ? format(of: lead, contents) : format(of: lead, nil)
    // What one of them cannot state, none has.
    if formats.contains(where: { $0.color.range == .limited }), made.color.matrix != .rgb {
      made.color.range = .limited
    }
    if formats.contains(where: { $0.color.chromaSiting == .left }) {
      made.color.chromaSiting = .left
    }
    return made
  }

  /// The output that decides the pixels: all others need the same, or accept any.
  private var lead: Output { outputs.first { $0.target.preference != .anything } ?? outputs[0] }
}
