import ShaderCompiler

extension EffectInstance {
  /// A file that was read for an effect, or several that one name stands for.
  package struct ReadFile: Sendable {
    package let path: String
    /// The path is text as `-i` accepts it: a URL or a pattern of numbered images too.
    package var isSource = false
    /// What the file is for the effect, in words.
    package let role: String
  }

  /// The effect's own file and all files that it uses.
  package var readFiles: [ReadFile] {
    shader.file.files.map { ReadFile(path: $0.path, role: "the text of effect '\(name)'") }
      + shader.included.map {
        ReadFile(path: $0.path, role: "a text that effect '\(name)' includes")
      }
      + shader.images.map(\.image).filter { !$0.name.isEmpty }
      .map { ReadFile(path: $0.name, isSource: true, role: "a picture of effect '\(name)'") }
  }
}
