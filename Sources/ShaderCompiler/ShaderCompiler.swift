import CShaderc
import Glibc
public import DiskCache
import SPIRVOptimizer
import Synchronization

/// Compiles GLSL compute shaders to SPIR-V at run time.
///
/// Many threads may use it at the same time. The first compilation of a process takes about 70 ms
/// (glslang builds its tables), later ones a few; one from the cache takes a tenth of that.
public final class ShaderCompiler: Sendable {
  private let compiler: CompilerHandle
  private let cache: SPIRVCache?
  private let dump: ShaderDump?
  private let count = Atomic<Int>(0)

  /// - Parameters:
  ///   - cache: Stores compiled shaders between runs; nil for no cache.
  ///   - dump: Writes the texts to a folder; nil for none.
  /// - Throws: `ShaderCompileError` if shaderc does not start.
  public init(
    cache: DiskCache? = nil, dump: ShaderDump? = nil
  ) throws(ShaderCompileError) {
    compiler = try CompilerHandle()
    self.cache = cache.flatMap { SPIRVCache(disk: $0) }
    self.dump = dump
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
      source: source, name: name, resourcePrefix: resources?.prefix)
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
    var (compilation, succeeded) = try run(inputs, includes: includes)
    let diagnostics = diagnostics(of: compilation)
    guard succeeded else {
      throw diagnostics.isEmpty
        ? ShaderCompileError(name: name, message: "shaderc failed without a message")
        : ShaderCompileError(diagnostics: diagnostics)
    }
    let texts =
      [(file: name, text: original ?? source)]
      + otherOriginals.sorted { $0.key < $1.key }.map { (file: $0.key, text: $0.value) }
      + compilation.files.map { (file: $0.path, text: $0.text) }
    if let resources, texts.contains(where: { ResourceRule.mayDeclare($0.text) }) {
      let refusals = resources.refusals(
        of: compilation.words, name: name, sources: texts, spokenNames: spokenNames)
      guard refusals.isEmpty else { throw ShaderCompileError(diagnostics: refusals) }
    }
    let named = compilation.words
    compilation.words = try Self.optimized(DefinedDivision.defining(named), name: name)
    if let refusal = VariableMemory(compilation.words).refusal(
      named: VariableMemory(named), name: name, sources: texts, spokenNames: spokenNames)
    {
      throw ShaderCompileError(diagnostics: [refusal])
    }
    cache?.keep(compilation, of: inputs)
    return SPIRV(words: compilation.words, warnings: diagnostics, includes: compilation.files)
  }

  /// The steps after shaderc, for the cache key: the text must change whenever the steps change.
  static let rules =
    "divisions defined, optimized for speed, indices clamped, without names, variables cleared"

  private static func optimized(
    _ words: [UInt32], name: String
  ) throws(ShaderCompileError) -> [UInt32] {
    var count = words.count
    guard let made = kf_optimize_spirv(words, &count) else {
      throw ShaderCompileError(
        name: name, message: "SPIRV-Tools ran out of memory; make the shader smaller")
    }
    defer { free(made) }
    return ClearedVariables.clearing(
      Array(UnsafeBufferPointer(start: made, count: count)).withoutDebugging,
      classes: ClearedVariables.own)
  }

  private func run(
    _ inputs: CompilerInputs, includes: IncludeResolver
  ) throws(ShaderCompileError) -> (Compilation, succeeded: Bool) {
    count.add(1, ordering: .relaxed)
    let options = try inputs.makeOptions()
    let session = IncludeSession(includes)
    session.attach(to: options)
    let result = try withExtendedLifetime(session) { () throws(ShaderCompileError) in
      try ResultHandle(
        owning: shaderc_compile_into_spv(
          compiler.pointer, inputs.source, inputs.source.utf8.count, shaderc_compute_shader,
          inputs.name, "main", options.pointer))
    }
    return (
      Compilation(words: result.words, messages: result.messages, includes: session.answers),
      result.status == shaderc_compilation_status_success
    )
  }
}
