import ShaderCompiler

/// Explains why a foreign shader that needs an unsupported feature does not compile: the compiler only
/// reports an undefined word.
enum ForeignHints {
  private static let reasons: [(words: [String], reason: String)] = [
    (["samplerCube", "textureCube"], "there are no cube maps here"),
    (["sampler3D", "texture3D"], "there are no images with three dimensions here"),
    (
      ["texture", "textureLod", "textureGrad"],
      "images are read at a vec2: there are no cube maps and no volumes here"
    ),
    (["iDir", "iPos"], "only ShadertoyVR sets it, for a headset"),
  ]

  /// Words that do not occur inside other words of a line.
  private static let distinctive = ["textureCube", "texture3D"]

  /// Adds the reason to the first diagnostic about each word.
  static func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var reported = Set<String>()
    return diagnostics.map { diagnostic in
      for (words, reason) in reasons {
        guard let word = words.first(where: { isAbout($0, diagnostic) }),
          reported.insert(word).inserted
        else { continue }
        var diagnostic = diagnostic
        diagnostic.message += "; \(reason)"
        return diagnostic
      }
      return diagnostic
    }
  }

  /// Returns whether a diagnostic is about the word; a message about a missing overload names only one
  /// function, so its source line is searched too.
  private static func isAbout(_ word: String, _ diagnostic: Diagnostic) -> Bool {
    diagnostic.message.hasPrefix("'\(word)'")
      || (diagnostic.message.contains("no matching overloaded function")
        && distinctive.contains(word) && diagnostic.excerpt?.contains(word) == true)
  }
}
