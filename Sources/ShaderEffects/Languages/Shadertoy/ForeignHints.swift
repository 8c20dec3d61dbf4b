import ShaderCompiler

/// Why a foreign shader does not compile where it wants what kfrec does not have: the compiler only
/// finds a word that nothing defines.
enum ForeignHints {
  private static let reasons: [(words: [String], reason: String)] = [
    (["samplerCube", "textureCube"], "there are no cube maps here"),
    (["sampler3D", "texture3D"], "there are no pictures with three dimensions here"),
    (
      ["texture", "textureLod", "textureGrad"],
      "pictures are read at a vec2: there are no cube maps and no volumes here"
    ),
    (["iDir", "iPos"], "only ShadertoyVR sets it, for a headset"),
  ]

  /// Words that stand in no other word of a line.
  private static let distinctive = ["textureCube", "texture3D"]

  /// The same diagnostics, the first about each word with its reason.
  static func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var told = Set<String>()
    return diagnostics.map { diagnostic in
      for (words, reason) in reasons {
        guard let word = words.first(where: { isAbout($0, diagnostic) }), told.insert(word).inserted
        else { continue }
        var diagnostic = diagnostic
        diagnostic.message += "; \(reason)"
        return diagnostic
      }
      return diagnostic
    }
  }

  /// Whether the word is what is wrong; of several ways to read a picture a message knows only one.
  private static func isAbout(_ word: String, _ diagnostic: Diagnostic) -> Bool {
    diagnostic.message.hasPrefix("'\(word)'")
      || (diagnostic.message.contains("no matching overloaded function")
        && distinctive.contains(word) && diagnostic.excerpt?.contains(word) == true)
  }
}
