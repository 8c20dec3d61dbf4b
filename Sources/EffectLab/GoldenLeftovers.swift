import Frames
package import ShaderEffects

/// Golden images and golden files that no case compares: of an effect that was deleted, or of a case with another name.
package enum GoldenLeftovers {
  /// Finds them in a folder of effects, for one effect alone if it is named, and sorts their paths.
  ///
  /// None are found if a golden file cannot be understood, whose images are then not known.
  package static func paths(
    inFolder folder: String, ofEffect effect: String? = nil, in library: EffectLibrary
  ) -> [String] {
    let effects = EffectLibrary.paths(inFolder: folder)
    let cases = effects.flatMap(GoldenRunner.cases(ofEffect:))
    guard cases.allSatisfy({ $0.mistake == nil }) else { return [] }
    var known = Set(cases.flatMap(\.images))
    for golden in cases {
      known.formUnion([golden.framePath].compactMap(\.self))
      guard let use = try? golden.use(in: library),
        let pictures = try? golden.pictures(of: use, in: library)
      else { continue }
      known.formUnion(pictures.map { EffectLibrary.path(ofPicture: $0.value) })
    }
    let images = names(in: "\(folder)/goldens").filter { name in
      name.hasSuffix(".png") && (effect.map { name.hasPrefix("\($0)-") } ?? true)
    }.map { "\(folder)/goldens/\($0)" }
    let owned = Set(effects.map(GoldenCase.filePath(ofEffect:)))
    let files =
      effect != nil
      ? []
      : names(in: folder).filter { $0.hasSuffix(".golden.json") }
        .map { "\(folder)/\($0)" }
    return (images.filter { !known.contains($0) } + files.filter { !owned.contains($0) }).sorted()
  }

  /// Says that a file is one of them.
  package static func message(_ path: String) -> String {
    path.hasSuffix(".png")
      ? "no case renders \(path); delete it, or give a case this name"
      : "there is no effect for \(path); delete it, or bring the effect back"
  }
}
