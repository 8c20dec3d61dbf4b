public import ShaderCompiler

extension EffectInstance {
  /// The path of the effect's file, as it was found.
  public var path: String { shader.file.path }

  /// The texts that the effect was made from, as they were read.
  private var texts: [IncludedFile] { shader.file.files + shader.included }

  /// The current texts of the effect's files, in a fixed order; nil for a file that cannot be read.
  public var currentTexts: [String?] { texts.map { try? SourceFile.read($0.path) } }

  /// The folders of its texts, with links followed too, and of its images, and `include` beside the
  /// effect.
  public var folders: Set<String> {
    let own = SourceFile.folder(of: path)
    let files =
      texts.flatMap { [$0.path, SourceFile.canonical($0.path)].compactMap(\.self) }
      + shader.images.map(\.image).filter { $0.stamp != nil }.map(\.name)
    return Set([own, EffectSearchPath.join(own, "include")] + files.map(SourceFile.folder(of:)))
  }

  /// True if a file's text or an image has changed since the effect was compiled, or a companion file
  /// has appeared.
  ///
  /// A file that cannot be read is about to be replaced, and counts as unchanged.
  public var isOutdated: Bool {
    if shader.images.contains(where: \.image.isOutdated) { return true }
    if shader.file.awaited.contains(where: { SourceFile.canonical($0) != nil }) { return true }
    return zip(texts, currentTexts).contains { known, now in now.map { $0 != known.text } ?? false }
  }
}

extension EffectLibrary {
  /// Compiles an effect's file again, with the same parameters; also returns the names of those that had a value and are
  /// missing in the new file.
  ///
  /// - Throws: What is wrong with the new text.
  public func recompile(
    _ use: EffectSpec, path: String, with compiler: ShaderCompiler, isSteered: Bool = false
  ) throws(EffectError) -> (effect: EffectInstance, lost: [String]) {
    let file = try EffectFile(path: path, readable: readableFolders(for: path))
    let names = Set(file.header.inputs.flatMap { [$0.name] + $0.aliases })
    var kept = use
    kept.parameters.removeAll { !names.contains($0.name) }
    let lost = use.parameters.map(\.name).filter { !names.contains($0) }
    return (try compile(kept, file, with: compiler, isSteered: isSteered), lost)
  }
}
