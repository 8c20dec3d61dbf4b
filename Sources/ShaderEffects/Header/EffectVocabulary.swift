public import ShaderCompiler

/// The words and units that all effects share, so that whoever knows one effect can use the next.
enum EffectVocabulary {
  /// The categories of effects.
  static let categories = [
    "Blur", "Color", "Distortion", "Edges", "Film", "Generator", "Geometry", "Glitch", "Keying",
    "Lens", "Light", "Mix", "Motion", "Print", "Repair", "Retro", "Sharpen", "Sound", "Stylize",
    "Text", "Time", "Transition",
  ]

  /// The name of the parameter that says how strong an effect is.
  static let strength = "amount"

  /// Other words for `strength`.
  private static let otherStrengths: Set<String> = [
    "strength", "intensity", "opacity", "power", "level", "force", "effectAmount",
  ]

  /// Returns what in a header differs from the shared words: a sentence, and its place in the file if it has one.
  static func differences(in header: EffectHeader) -> [(message: String, offset: Int?)] {
    var found: [(message: String, offset: Int?)] = []
    for category in header.categories where !categories.contains(category) {
      let near = NearNames.suggestion(category, in: categories)
      let list = near.isEmpty ? "; use one of \(categories.joined(separator: ", "))" : near
      found.append(("there is no category \"\(category)\"\(list)", nil))
    }
    let names = header.inputs.map(\.name)
    for input in header.inputs where input.kind == .float {
      if otherStrengths.contains(input.name), !names.contains(strength) {
        let message =
          "the input '\(input.name)' says how strong the effect is; name it '\(strength)', as in other "
          + "effects, and keep the old name with \"ALIASES\": [\"\(input.name)\"]"
        found.append((message, input.nameOffset))
      }
      if isAngle(input.name), let range = range(of: input), range > 0.5, range < 6.5 {
        let message =
          "the input '\(input.name)' looks like radians; angles are degrees, clockwise from the right"
        found.append((message, input.nameOffset))
      }
    }
    found += sizes(in: header)
    return found
  }

  /// Returns the lengths that follow the frame's height or width, so that upright pictures look different.
  private static func sizes(in header: EffectHeader) -> [(message: String, offset: Int?)] {
    let lengths = Set(header.inputs.filter { $0.kind == .float }.map(\.name))
    return header.constants.compactMap { constant in
      let used = constant.expression.names
      guard used.contains("HEIGHT") != used.contains("WIDTH"),
        let length = used.sorted().first(where: lengths.contains)
      else { return nil }
      let side = used.contains("HEIGHT") ? "HEIGHT" : "WIDTH"
      let message =
        "the constant '\(constant.name)' makes '\(length)' a part of \(side); sizes are parts of the shorter "
        + "side, SIDE, so that upright pictures look alike"
      return (message, constant.nameOffset)
    }
  }

  private static func isAngle(_ name: String) -> Bool {
    ["angle", "rotation"].contains { name.lowercased().hasSuffix($0) }
  }

  private static func range(of input: EffectInput) -> Double? {
    guard let low = input.minimum?.first, let high = input.maximum?.first else { return nil }
    return high - low
  }
}

extension EffectLibrary {
  /// Returns warnings about names, units and categories that differ from those of other effects, with the line and a caret
  /// where they have a place in the file.
  ///
  /// There are none for a file that cannot be read, or is written for another program.
  public func vocabularyWarnings(path: String) -> [Diagnostic] {
    guard let file = try? EffectFile(path: path, readable: readableFolders(for: path)),
      file.program.usesVocabulary
    else { return [] }
    return EffectVocabulary.differences(in: file.header).map {
      file.diagnostic($0, at: $1, severity: .warning)
    }
  }
}
