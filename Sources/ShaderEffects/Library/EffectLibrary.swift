import GPU
public import ShaderCompiler

/// Finds effects by name, describes them and compiles them.
public struct EffectLibrary: Sendable {
  private let given: [String]
  private let readable: [String]
  private let searchPath: EffectSearchPath
  private let images: ImageLoader?

  /// - Parameters:
  ///   - folders: Folders to search before those of the environment and the installation.
  ///   - readable: Folders from which the files of effects may come, besides those of the effects themselves.
  ///   - images: Loads the images of image inputs and imports; without it they are empty.
  public init(folders: [String], readable: [String] = [], images: ImageLoader? = nil) {
    self.init(
      folders: folders, searchPath: EffectSearchPath(given: folders), readable: readable,
      images: images)
  }

  init(
    folders: [String], searchPath: EffectSearchPath, readable: [String] = [],
    images: ImageLoader? = nil
  ) {
    given = folders
    self.readable = readable
    self.searchPath = searchPath
    self.images = images
  }

  /// Compiles an effect with the given parameters; those of one that is steered may change while it runs.
  ///
  /// - Throws: A usage error for an unknown effect or parameter or a bad value; otherwise what is wrong
  ///   with the file, with lines and carets.
  public func compile(
    _ use: EffectSpec, with compiler: ShaderCompiler, isSteered: Bool = false
  ) throws(EffectError) -> EffectInstance {
    try compile(use, find(use.name), with: compiler, isSteered: isSteered)
  }

  func compile(
    _ use: EffectSpec, _ file: EffectFile, with compiler: ShaderCompiler, isSteered: Bool = false
  ) throws(EffectError) -> EffectInstance {
    let use = try use.renamed(for: file)
    let values = try ParameterValues.resolve(use, for: file)
    let header = file.header
    let layout = UniformLayout(
      EffectNames.builtIns
        + header.inputs.compactMap { input in
          input.kind.glsl.map { (file.glslName(of: input), $0) }
        }
        + header.constants.map { ($0.name, $0.type) })
    var shader = try EffectShader(
      file: file, layout: layout, includes: includes(for: file),
      isMixed: isSteered || !use.mix.isAlways([1]))
    let found = try ImageValues.resolve(use, for: file, loader: images)
    shader.images = found.images
    let kernels = try compiler.trial(of: shader, values: values)
    guard kernels.allSatisfy({ $0.localSize?.z == 1 }) else {
      throw EffectError(
        file: file.path, "its work group must have a local_size_z of 1; leave out local_size_z")
    }
    let included = kernels[0].includes
    shader.note(included)
    // All passes give the same warnings, so those of the first are enough.
    let warnings =
      unusedNames(of: file, includes: included) + found.warnings + kernels[0].warnings
    return EffectInstance(
      use, shader: shader, values: values, diagnostics: warnings, missingImages: found.missing,
      textInputs: found.texts, isSteered: isSteered)
  }

  /// Returns all effects, sorted by name; if several have the same name, only the one that would be
  /// used.
  ///
  /// An effect with a wrong header is included, with its `problem`.
  public func descriptions() throws(EffectError) -> [EffectDescription] {
    try checkFolders()
    var found: [EffectDescription] = []
    var names: Set<String> = []
    for path in searchPath.folders.flatMap(EffectSearchPath.effects) {
      let description = EffectDescription(path: path, readable: readableFolders(for: path))
      if names.insert(description.name).inserted { found.append(description) }
    }
    return found.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
  }

  /// Returns the name of an effect, given the path of its file.
  public static func name(ofPath path: String) -> String { EffectFile.name(ofPath: path) }

  /// Returns the paths of the effects directly in a folder, sorted by name.
  public static func paths(inFolder folder: String) -> [String] {
    EffectSearchPath.effects(in: folder)
  }

  /// Returns what one effect does and takes.
  public func describe(_ name: String) throws(EffectError) -> EffectDescription {
    EffectDescription(try find(name))
  }

  /// Returns whether an effect has an audio input; false if the effect cannot be read.
  public func hears(_ name: String) -> Bool {
    (try? find(name))?.header.inputs.contains { $0.imageRole == .audio } ?? false
  }

  /// Checks an effect's parameters, without its images and without compiling it.
  ///
  /// - Throws: A usage error for an unknown effect or parameter or a bad value.
  public func check(_ use: EffectSpec) throws(EffectError) {
    let file = try find(use.name)
    let use = try use.renamed(for: file)
    _ = try ParameterValues.resolve(use, for: file)
    _ = try TextInput.all(use, for: file)
  }

  private func find(_ name: String) throws(EffectError) -> EffectFile {
    let path = try path(of: name)
    return try EffectFile(path: path, readable: readableFolders(for: path))
  }

  /// Returns the path of an effect's file, given the effect's name or path.
  ///
  /// - Throws: A usage error if there is no such effect.
  public func path(of name: String) throws(EffectError) -> String {
    try checkFolders()
    let language = EffectLanguage.ofFile(name)
    if name.contains("/") || language != nil {
      if SourceFile.canonical(name) != nil { return name }
      guard !name.contains("/") else {
        try checkForeignParameters(name)
        throw .usage("there is no effect file \(name); give its path, or the name of an effect")
      }
    }
    let bare = name.dropLast(language?.suffix.count ?? 0)
    for folder in searchPath.folders {
      for suffix in language.map({ [$0.suffix] }) ?? EffectLanguage.all.map(\.suffix) {
        let path = EffectSearchPath.join(folder, bare + suffix)
        if SourceFile.canonical(path) != nil { return path }
      }
    }
    try checkForeignParameters(name)
    if let sentence = ForeignEffectName.sentence(name, isEffect: { (try? path(of: $0)) != nil }) {
      throw .usage(sentence)
    }
    let known = knownNames
    let near = NearNames.suggestion(String(bare), in: known, orContainingIt: true)
    let existing = searchPath.folders.filter(SourceFile.isFolder)
    throw .usage(
      "there is no effect '\(name)' in \(Self.list(existing))"
        + (near.isEmpty ? "; 'kfrec effects' lists all effects" : near))
  }

  private var knownNames: [String] {
    Set(searchPath.folders.flatMap(EffectSearchPath.effects).map(EffectFile.name(ofPath:))).sorted()
  }

  /// Throws if an unknown name has parameters after an equals sign, as in FFmpeg's filters.
  private func checkForeignParameters(_ text: String) throws(EffectError) {
    let name = text.prefix { $0 != "=" }
    guard name.count < text.count, !name.isEmpty else { return }
    var hint = NearNames.suggestion(String(name), in: knownNames)
    if let effect = try? describe(String(name)) {
      let parameter = effect.inputs.first.map { "\($0.name)=VALUE" } ?? "mix=0.5"
      hint = "; write \(name):\(parameter)"
    }
    throw .usage(
      "'\(text)' is not an effect: parameters are written NAME:param=value,param=value"
        + (hint.isEmpty ? "; 'kfrec effects' lists all effects" : hint))
  }

  private static func list(_ folders: [String]) -> String {
    folders.isEmpty ? "any effects folder (none exists)" : folders.joined(separator: ", ")
  }

  /// Throws if a folder from the command line does not exist; the other folders need not exist.
  private func checkFolders() throws(EffectError) {
    for folder in given where !SourceFile.isFolder(folder) {
      throw .usage("the effects folder \(folder) does not exist; check --effects-dir")
    }
    for folder in readable where !SourceFile.isFolder(folder) {
      throw .usage("the folder \(folder) does not exist; check --allow-read")
    }
  }

  /// Searches the effect's own folder, and the `include` folder beside it and in each effects folder.
  private func includes(for file: EffectFile) -> IncludeResolver {
    IncludeResolver(roots: ownFolders(of: file.path), others: readable)
  }

  /// Returns the folders from which an effect's includes, images and other files may come.
  func readableFolders(for path: String) -> ReadableFolders {
    ReadableFolders(ownFolders(of: path) + readable)
  }

  private func ownFolders(of path: String) -> [String] {
    let own = SourceFile.folder(of: path)
    return [own] + ([own] + searchPath.folders).map { EffectSearchPath.join($0, "include") }
  }

  private func unusedNames(of file: EffectFile, includes: [IncludedFile]) -> [Diagnostic] {
    let texts = file.program.texts + includes.map(\.text)
    var used = Set(texts.flatMap { GLSLText.tokens(GLSLText.withoutComments($0)) }.map(String.init))
    let header = file.header
    let formulas =
      header.constants.map(\.expression) + [header.history].compactMap(\.self)
      + header.passes.flatMap { [$0.width, $0.height].compactMap(\.self) }
      + header.texts.values.flatMap(\.formulas)
    for name in formulas.flatMap(\.names) { used.insert(String(name.prefix { $0 != "." })) }
    // The text may also read the frame under its input names.
    var names: [(String, [String], Int?)] = header.inputs
      .filter { $0.imageRole != .frame && $0.kind != .font }
      .map { ("input '\($0.name)' is declared", $0.names, $0.nameOffset) }
    names += header.imports.map { ("the import '\($0.name)' is declared", $0.names, $0.nameOffset) }
    names += header.constants.map {
      ("constant '\($0.name)' is declared", [$0.name], $0.nameOffset)
    }
    // The last pass's target is also the result.
    for (number, pass) in header.passes.dropLast().enumerated() {
      let what =
        pass.name?.hasPrefix(ISFPassRules.unnamed) == false
        ? "the TARGET '\(pass.name ?? "")' is written"
        : "the image of pass \(number), which has no TARGET, is written"
      names.append((what, pass.names, pass.nameOffset > 0 ? pass.nameOffset : nil))
    }
    if header.history != nil {
      names.append(("HISTORY is kept", ["earlier", "earlierPixel"], header.historyOffset))
    }
    let unused = names.filter { used.isDisjoint(with: $0.1) }.map { what, _, offset in
      ("\(what) and never used; use it or take it out", offset)
    }
    return (file.program.warnings.map { ($0, Int?.none) } + unused).map {
      file.diagnostic($0, at: $1, severity: .warning)
    }
  }
}

extension ShaderCompiler {
  /// Compiles an effect for a small frame, as one kernel or one kernel per pass.
  func trial(
    of shader: EffectShader, values: [ParameterTrack], _ ends: KernelTrial? = nil
  ) throws(EffectError) -> [SPIRV] {
    let (width, height) = EffectLibrary.trialSize
    let ends = ends ?? .texture(width: width, height: height)
    let picture = TextureDescriptor(width: width, height: height, storage: ends.storage)
    let effect = BoundEffect(shader)
    // Derivatives need a texture to write.
    let writer = shader.quads == nil ? ends.writer : picture.writer
    guard shader.traits.isAlone else {
      let kernel = FusedKernelSource(
        effects: [effect], reader: ends.reader,
        writer: shader.traits.hasOwnMain ? picture.writer : writer,
        storage: ends.storage)
      return [try compile(kernel.source.assembled(), of: shader, isTrial: true)]
    }
    let plan = try PassPlan(
      shader, values: values, width: width, height: height, storage: ends.storage)
    let reader = ends.reader.earlierFrames > 0 ? ends.reader : plan.ring?.reader ?? ends.reader
    var kernels: [SPIRV] = []
    for pass in 0..<plan.passCount {
      let kernel = EffectPassSource(
        effect: effect, plan: plan, pass: pass, reader: reader,
        writer: plan.target(of: pass)?.shape.writer ?? picture.writer)
      kernels.append(try compile(kernel.source.assembled(), of: shader, isTrial: true))
    }
    return kernels
  }
}

extension EffectLibrary {
  /// The size of the frames of kernels that never run.
  static let trialSize = (width: 16, height: 16)

  /// Compiles an effect, which compiles between others, as the first one behind a source, in each way in which a source's
  /// frames are read.
  public func tryReading(
    _ effect: EffectInstance, with compiler: ShaderCompiler
  ) throws(EffectError) {
    let (width, height) = Self.trialSize
    for ends in KernelTrial.sources(width: width, height: height) {
      _ = try compiler.trial(of: effect.shader, values: effect.values, ends)
    }
  }
}
