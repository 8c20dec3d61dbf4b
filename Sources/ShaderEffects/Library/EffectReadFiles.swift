import ShaderCompiler

extension CompiledEffect {
  /// A file that was read for an effect.
  package struct ReadFile: Sendable {
    package let path: String
    /// What it is to the effect, in words.
    package let role: String
  }

  /// Its own file and all that it brought in.
  ///
  /// A path may lead to no file: parts of one file have names like it.
  package var readFiles: [ReadFile] {
    let file = shader.file
    let texts =
      [path, file.isf?.vertexPath].compactMap(\.self) + (file.foreign?.sources.keys.sorted() ?? [])
    return texts.map { ReadFile(path: $0, role: "the text of effect '\(name)'") }
      + shader.included.map {
        ReadFile(path: $0.path, role: "a text that effect '\(name)' includes")
      }
      + shader.images.map(\.image).filter { $0.stamp != nil }
      .map { ReadFile(path: $0.name, role: "a picture of effect '\(name)'") }
  }
}
