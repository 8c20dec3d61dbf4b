package import ShaderCompiler

extension CompiledEffect {
  /// The path of its file, as it was found.
  package var path: String { shader.file.path }

  /// The folders of its file, links followed too, of what it includes and of its pictures, and `include`
  /// beside it.
  package var folders: Set<String> {
    let own = SourceFile.folder(of: path)
    let files =
      shader.included.map(\.path) + [SourceFile.canonical(path)].compactMap(\.self)
      + shader.images.map(\.image).filter { $0.stamp != nil }.map(\.name)
    return Set([own, EffectSearchPath.join(own, "include")] + files.map(SourceFile.folder(of:)))
  }

  /// Its file, or one that it includes, holds another text than when it was compiled, or a picture of
  /// its is another.
  ///
  /// A file that cannot be read is about to be replaced, and counts as it was.
  package var isOutdated: Bool {
    if shader.images.contains(where: \.image.isOutdated) { return true }
    let file = shader.file
    var files = [IncludedFile(path: path, text: file.source)] + shader.included
    if let isf = file.isf, let vertex = isf.vertexPath {
      files += isf.sources.values.map { IncludedFile(path: vertex, text: $0) }
    }
    return files.contains { known in
      guard let text = try? SourceFile.read(known.path) else { return false }
      return (file.kind == .isf ? ISFFile.withPlainLineEnds(text) : text) != known.text
    }
  }
}

extension EffectLibrary {
  /// Compiles the file of an effect anew, with what was asked of it before.
  ///
  /// - Returns: The effect, and the names of parameters that were given a value and are no longer
  ///   there.
  package func recompile(
    _ use: EffectUse, path: String, with compiler: ShaderCompiler
  ) throws(EffectError) -> (effect: CompiledEffect, lost: [String]) {
    let file = try EffectFile(path: path)
    let names = Set(file.header.inputs.map(\.name))
    var kept = use
    kept.parameters.removeAll { !names.contains($0.name) }
    let lost = use.parameters.map(\.name).filter { !names.contains($0) }
    return (try compile(kept, file, with: compiler), lost)
  }
}
