import CShaderc
import Glibc
package import DiskCache
import SPIRVOptimizer
import Synchronization

/// Compiles GLSL compute shaders to SPIR-V at run time.
///
/// May be used from many threads at a time. The first compilation of a process takes some 70 ms
/// (glslang builds its tables), later ones a few; what a cache holds takes a tenth of one.
package final class ShaderCompiler: Sendable {
  private let compiler: CompilerHandle
  private let cache: SPIRVCache?
  private let dump: ShaderDump?
  private let count = Atomic<Int>(0)

  /// - Parameters:
  ///   - cache: Where compiled shaders are kept from one run to the next; nil for nowhere.
  ///   - dump: Writes the texts to a folder; nil for none.
  /// - Throws: `ShaderCompileError` if shaderc does not start.
  package init(
    cache: DiskCache? = nil, dump: ShaderDump? = nil
  ) throws(ShaderCompileError) {
    compiler = try CompilerHandle()
    self.cache = cache.flatMap { SPIRVCache(disk: $0) }
    self.dump = dump
  }

  /// How many shaders shaderc compiled, well or not; the others came from the cache.
  package var compilations: Int { count.load(ordering: .relaxed) }

  /// Compiles the `main` of a compute shader.
  ///
  /// - Parameters:
  ///   - source: GLSL; without a `#version` it is taken as version 450.
  ///   - name: What messages call the source, and where its relative includes start: a path if
  ///     it has one.
  ///   - label: What the shader does, for the names of dumped texts; nil for `name`.
  ///   - original: What the author wrote, where `source` was assembled around it under a `#line`
  ///     directive that names `name`; messages quote its lines. Nil if `source` is the original.
  ///   - otherOriginals: The same for other names after `#line`.
  ///   - spokenNames: What the author calls things that have other names in `source`.
  ///   - entryPoints: How the functions are written that `source` wants the author to define, by name.
  ///   - includes: Where `#include` may look.
  ///   - resources: Which ones the shader may be bound to; nil for any.
  /// - Returns: The module, with the warnings that shaderc gave and the files included.
  /// - Throws: `ShaderCompileError` with every message that shaderc gave.
  package func compile(
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

  /// What is done to what shaderc makes, for the cache: to be changed with it.
  static let rules = "divisions defined, optimized for speed, without names"

  private static func optimized(
    _ words: [UInt32], name: String
  ) throws(ShaderCompileError) -> [UInt32] {
    var count = words.count
    guard let made = kf_optimize_spirv(words, &count) else {
      throw ShaderCompileError(
        name: name, message: "SPIRV-Tools failed on it for lack of memory; make it smaller")
    }
    defer { free(made) }
    return Array(UnsafeBufferPointer(start: made, count: count)).withoutDebugging
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
