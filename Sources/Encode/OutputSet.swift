package import Frames

/// The outputs of one recording: all take the same frames, which are rendered and read back once.
///
/// Those that keep frames (files, pipes) come first, in the order in which they were typed; a virtual
/// camera beside them is a companion.
package struct OutputSet: Sendable {
  package let outputs: [Output]

  /// Judges the words and whether they go together; `container` is for those whose name does not tell.
  ///
  /// A virtual camera takes the pixel format of the files beside it.
  package init(
    _ words: [String], container: String? = nil, settings: EncodeSettings = EncodeSettings()
  ) throws(EncodeError) {
    var typed: [(word: String, target: any OutputTarget)] = []
    for word in words {
      typed.append((word, try OutputSet.target(of: word, container: container, among: words)))
    }
    try OutputSet.checkApart(typed)
    let keeping = typed.filter { !$0.target.isPaced }
    var outputs: [Output] = []
    for (word, target) in keeping {
      outputs.append(try Output(word, target: target, settings: settings))
    }
    var shared = settings
    shared.pixelFormat = outputs.lazy.compactMap(\.wish.pixelFormat).first ?? settings.pixelFormat
    for (word, target) in typed where target.isPaced {
      var camera = try Output(word, target: target, settings: shared)
      camera.isBestEffort = !keeping.isEmpty
      outputs.append(camera)
    }
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
            + ": give each output a name of its own", isUsageError: true)
      }
    }
  }

  /// Throws where the outputs want frames of different kinds or numbers.
  private func checkTogether() throws(EncodeError) {
    // Read once each: Swift 6.3.1's optimizer fails on a second reading of `frameLimit` here.
    let wanting = outputs.map { (word: $0.word, wish: $0.wish, limit: $0.frameLimit) }
      .filter { $0.wish != .anything }
    guard let lead = wanting.first else { return }
    for output in wanting {
      if output.wish != lead.wish {
        throw EncodeError(
          "\(lead.word) takes \(lead.wish.name) and \(output.word) \(output.wish.name), and a frame is "
            + "made once for all outputs: run kfrec once for each", isUsageError: true)
      }
      if output.limit != lead.limit {
        let (single, all) = lead.limit == nil ? (output.word, lead.word) : (lead.word, output.word)
        throw EncodeError(
          "\(single) holds one frame and \(all) all of them: run kfrec once for each",
          isUsageError: true)
      }
    }
  }

  /// As typed, for messages: "out.mov and /dev/video9".
  package var name: String { outputs.map(\.word).joined(separator: " and ") }

  /// One of them is encoded with loss or without, as against plain frames and pictures.
  package var isEncoded: Bool { outputs.contains { $0.encoder != nil } }

  /// Those that have no place for the order of fields.
  package var namesWithoutFields: [String] {
    outputs.filter { !$0.target.holdsFieldOrder }.map(\.word)
  }

  /// All of them have a place for the curve by which values are coded.
  package var holdsTransfer: Bool { outputs.allSatisfy(\.target.holdsTransfer) }

  /// One of them is a film, of a length that a single picture as source does not tell.
  package var isFilm: Bool { isEncoded || isPaced }

  /// One of them takes sound.
  package var takesAudio: Bool { outputs.contains(where: \.takesAudio) }

  /// How many frames the outputs hold, where that is limited: 1 for single pictures.
  package var frameLimit: Int? { lead.frameLimit }

  /// A name that would take all frames, where the outputs take a limited number of them.
  package var nameForAllFrames: String? { lead.target.nameForAllFrames }

  /// One of them shows or keeps what the pixels are.
  package var usesPixels: Bool { lead.wish != .anything }

  /// What to ask for so that all of them keep 10 bits, where they have 8 and can have that.
  package var deeperPixelFormat: PixelFormat? {
    let formats = Set(outputs.map { $0.encoder?.deeperPixelFormat })
    return formats.count == 1 ? formats.first ?? nil : nil
  }

  /// What to say where a frame has transparency, and the outputs no place for it.
  package var flatteningWarning: String {
    let flat = outputs.filter { $0.wish != .anything }
    let formats = Set(flat.map { $0.encoder?.keepingAlpha })
    let keeping = formats.count == 1 ? formats.first ?? nil : nil
    let pictures = ImageFileFormat.all.filter { $0.alphaPixelFormat != nil }.map(\.ending)
      .joined(separator: " or ")
    return flat.map(\.word).joined(separator: " and ") + (flat.count == 1 ? " has" : " have")
      + " no transparency: what is transparent is laid over black; "
      + (keeping.map { "--pixel-format \($0.rawValue) keeps it" }
        ?? "a \(pictures) keeps it, and so does a movie with --codec prores --pixel-format yuva444p10le")
  }

  /// Frames must come at their own pace, because somebody watches them.
  package var isPaced: Bool { outputs.contains(where: \.isPaced) }

  /// Beside the one that watches there is one that keeps frames, none of which may be lost for it.
  package var hasBestEffortOutput: Bool { outputs.contains(where: \.isBestEffort) }

  /// Throws when an input is what would be written over.
  package func checkDiffers(fromInput input: String) throws(EncodeError) {
    for output in outputs { try output.checkDiffers(fromInput: input) }
  }

  /// The layout and the size that frames must have, as `Output.frameFormat` has it.
  package func frameFormat(
    width: Int, height: Int, color: ColorDescription, sampleAspectRatio: Rational = .one,
    hasAlpha: Bool = false
  ) -> FrameFormat {
    lead.frameFormat(
      width: width, height: height, color: color, sampleAspectRatio: sampleAspectRatio,
      hasAlpha: hasAlpha && outputs.allSatisfy(\.holdsAlpha))
  }

  /// The one whose wish all others share, or have none.
  private var lead: Output { outputs.first { $0.wish != .anything } ?? outputs[0] }
}
