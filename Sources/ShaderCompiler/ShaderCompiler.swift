public import DiskCache
import Synchronization

/// Compiles GLSL compute shaders to SPIR-V at run time.
///
/// Many threads may use it at the same time. The first compilation of a process takes about 70 ms
/// (glslang builds its tables), later ones a few; one from the cache takes a tenth of that.
public final class ShaderCompiler: Sendable {
  private let compiler: CompilerHandle
  private let cache: SPIRVCache?
  private let dump: ShaderDump?
  private let marksFaults: Bool
  private let count = Atomic<Int>(0)
  private let stopped = Atomic<Bool>(false)
  private let limit: Double
  private let isStopped: @Sendable () -> Bool

  /// - Parameters:
  ///   - cache: Stores compiled shaders between runs; nil for no cache.
  ///   - dump: Writes the texts to a folder; nil for none.
  ///   - marksFaults: Whether quotients by 0 are infinite or not numbers in what shaders write to images, and pixels with very many iterations
  ///     of loops are not numbers: for a check of shaders, because software drivers hide both.
  ///   - limit: Seconds that a shader may take, at least 10, if compiled in a process of its own (`useProcesses`).
  ///   - isStopped: Returns whether to end such a process; called from any thread.
  /// - Throws: `ShaderCompileError` if shaderc does not start.
  public init(
    cache: DiskCache? = nil, dump: ShaderDump? = nil, marksFaults: Bool = false, limit: Double = 30,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(ShaderCompileError) {
    (self.limit, self.isStopped) = (max(limit, 10), isStopped)
    compiler = try CompilerHandle()
    self.cache = cache.flatMap { SPIRVCache(disk: $0) }
    self.dump = dump
    self.marksFaults = marksFaults
  }

  /// Number of compilations by shaderc, successful or not; other shaders came from the cache.
  public var compilations: Int { count.load(ordering: .relaxed) }

  /// Compiles the `main` of a compute shader.
  ///
  /// - Parameters:
  ///   - source: GLSL; without a `#version` it is treated as version 450.
  ///   - name: The name of the source in messages, and the base of its relative includes: a path if
  ///     it has one.
  ///   - label: What the shader does, for the names of dumped texts; nil for `name`.
  ///   - original: The author's text, if `source` was assembled around it under a `#line` directive
  ///     that names `name`; messages quote its lines. Nil if `source` is the original.
  ///   - otherOriginals: The same for other names in `#line` directives.
  ///   - spokenNames: The author's names for things that have other names in `source`.
  ///   - entryPoints: The declarations of the functions that the author must define, by name.
  ///   - includes: Where `#include` searches.
  ///   - resources: The resources that the shader may use; nil for any.
  /// - Returns: The module, with shaderc's warnings and the included files.
  /// - Throws: `ShaderCompileError` with all messages of shaderc.
  public func compile(
    source: String, name: String, label: String? = nil, original: String? = nil,
    otherOriginals: [String: String] = [:], spokenNames: [String: String] = [:],
    entryPoints: [String: String] = [:], includes: IncludeResolver = .none,
    resources: ResourceRule? = nil
  ) throws(ShaderCompileError) -> SPIRV {
    guard source.utf8.count <= SourceFile.maximumLength else {
      throw ShaderCompileError(
        name: name, message: "is longer than \(SourceFile.maximumLength / 1024) KiB")
    }
    dump?.write(source, label: label ?? name, includes: includes)
    let inputs = CompilerInputs(
      source: source, name: name, resourcePrefix: resources?.prefix, marksFaults: marksFaults)
    func diagnostics(of compilation: Compilation) -> [Diagnostic] {
      guard !compilation.messages.isEmpty else { return [] }
      var sources = otherOriginals.mapValues(SourceText.init)
      sources[name] = SourceText(original ?? source)
      for file in compilation.files { sources[file.path] = SourceText(file.text) }
      return DiagnosticParser(
        sources: sources, spokenNames: spokenNames, author: original == nil ? nil : name,
        entryPoints: entryPoints
      ).parse(compilation.messages)
    }
    if let kept = cache?.find(inputs, includes: includes) {
      return SPIRV(
        words: kept.words, warnings: diagnostics(of: kept), includes: kept.files)
    }
    let made = try make(inputs, includes: includes)
    let compilation = Compilation(
      words: made.words, messages: made.messages, includes: made.includes)
    let diagnostics = diagnostics(of: compilation)
    guard !made.named.isEmpty else {
      var reported = diagnostics
      // Of very long messages the beginning is read, which may have warnings alone.
      if !reported.contains(where: { $0.severity == .error }) {
        let message =
          reported.isEmpty
          ? "shaderc failed without a message"
          : "does not compile; its mistakes stand behind more warnings than are read"
        reported.append(Diagnostic(file: name, severity: .error, message: message))
      }
      throw ShaderCompileError(diagnostics: reported)
    }
    let texts =
      [(file: name, text: original ?? source)]
      + otherOriginals.sorted { $0.key < $1.key }.map { (file: $0.key, text: $0.value) }
      + compilation.files.map { (file: $0.path, text: $0.text) }
    if let resources, texts.contains(where: { ResourceRule.mayDeclare($0.text) }) {
      let refusals = resources.refusals(
        of: made.named, name: name, sources: texts, spokenNames: spokenNames)
      guard refusals.isEmpty else { throw ShaderCompileError(diagnostics: refusals) }
    }
    if let problem = made.problem { throw ShaderCompileError(name: name, message: problem) }
    if let refusal = VariableMemory(compilation.words).refusal(
      named: VariableMemory(made.named), name: name, sources: texts, spokenNames: spokenNames)
    {
      throw ShaderCompileError(diagnostics: [refusal])
    }
    cache?.keep(compilation, of: inputs)
    return SPIRV(words: compilation.words, warnings: diagnostics, includes: compilation.files)
  }

  /// Ends what is being compiled, and lets nothing be compiled any more; may be called from any thread.
  public func stop() { stopped.store(true, ordering: .relaxed) }

  /// Compiles in a process of its own if the program has them, else here.
  private func make(
    _ inputs: CompilerInputs, includes: IncludeResolver
  ) throws(ShaderCompileError) -> MadeModule {
    count.add(1, ordering: .relaxed)
    if let made = try CompilerProcesses.shared.make(
      inputs, includes: includes, seconds: limit,
      isStopped: { stopped.load(ordering: .relaxed) || isStopped() })
    {
      return made
    }
    let result = DeepStack.run { room in
      Result { () throws(ShaderCompileError) in
        try ModuleMaker.make(inputs, includes: includes, compiler: compiler, room: room)
      }
    }
    return try result.get()
  }
}
