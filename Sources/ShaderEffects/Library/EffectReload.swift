package import ShaderCompiler

extension EffectInstance {
  /// The path of its file, as it was found.
  package var path: String { shader.file.path }

  /// The texts that it was made from, as they were read.
  private var texts: [IncludedFile] { shader.file.files + shader.included }

  /// What the files of its texts hold now, in an order that does not change; nil for one that cannot
  /// be read.
  package var currentTexts: [String?] { texts.map { try? SourceFile.read($0.path) } }

  /// The folders of its texts, links followed too, and of its pictures, and `include` beside it.
  package var folders: Set<String> {
    let own = SourceFile.folder(of: path)
    let files =
      texts.flatMap { [$0.path, SourceFile.canonical($0.path)].compactMap(\.self) }
      + shader.images.map(\.image).filter { $0.stamp != nil }.map(\.name)
    return Set([own, EffectSearchPath.join(own, "include")] + files.map(SourceFile.folder(of:)))
  }

  /// One of its files holds another text than when it was compiled, or a picture of its is another.
  ///
  /// A file that cannot be read is about to be replaced, and counts as it was.
  package var isOutdated: Bool {
    if shader.images.contains(where: \.image.isOutdated) { return true }
    if shader.file.awaited.contains(where: { SourceFile.canonical($0) != nil }) { return true }
    return zip(texts, currentTexts).contains { known, now in now.map { $0 != known.text } ?? false }
  }
}

extension EffectLibrary {
  /// Compiles the file of an effect anew, with what was asked of it before.
  ///
  /// - Returns: The effect, and the names of parameters that were given a value and are no longer
  ///   there.
  package func recompile(
    _ use: EffectSpec, path: String, with compiler: ShaderCompiler
  ) throws(EffectError) -> (effect: EffectInstance, lost: [String]) {
    let file = try EffectFile(path: path)
    let names = Set(file.header.inputs.map(\.name))
    var kept = use
    kept.parameters.removeAll { !names.contains($0.name) }
    let lost = use.parameters.map(\.name).filter { !names.contains($0) }
    return (try compile(kept, file, with: compiler), lost)
  }
}
