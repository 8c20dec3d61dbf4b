import CShaderc

/// Compiles GLSL compute shaders to SPIR-V at run time.
///
/// May be used from many threads at a time. The first compilation of a process takes some 70 ms
/// (glslang builds its tables), later ones a few.
package final class ShaderCompiler: Sendable {
  private let compiler: CompilerHandle

  package init() throws(ShaderCompileError) { compiler = try CompilerHandle() }

  /// Compiles the `main` of a compute shader.
  ///
  /// - Parameters:
  ///   - source: GLSL; without a `#version` it is taken as version 450.
  ///   - name: What messages call the source, and where its relative includes start: a path if
  ///     it has one.
  ///   - original: What the author wrote, where `source` was assembled around it under a `#line`
  ///     directive that names `name`; messages quote its lines. Nil if `source` is the original.
  ///   - includes: Where `#include` may look.
  /// - Returns: The module, with the warnings that shaderc gave and the files included.
  /// - Throws: `ShaderCompileError` with every message that shaderc gave.
  package func compile(
    source: String, name: String, original: String? = nil, includes: IncludeResolver = .none
  ) throws(ShaderCompileError) -> SPIRV {
    guard source.utf8.count <= SourceFile.maximumLength else {
      throw ShaderCompileError(
        name: name, message: "is longer than \(SourceFile.maximumLength / 1024) KiB")
    }
    let options = try makeOptions(for: source)
    let session = IncludeSession(includes)
    session.attach(to: options)
    let result = try withExtendedLifetime(session) { () throws(ShaderCompileError) in
      try ResultHandle(
        owning: shaderc_compile_into_spv(
          compiler.pointer, source, source.utf8.count, shaderc_compute_shader, name, "main",
          options.pointer))
    }

    var sources = [name: SourceText(original ?? source)]
    for file in session.files { sources[file.path] = SourceText(file.text) }
    let diagnostics = DiagnosticParser(sources: sources).parse(result.messages)
    guard result.status == shaderc_compilation_status_success else {
      throw diagnostics.isEmpty
        ? ShaderCompileError(name: name, message: "shaderc failed without a message")
        : ShaderCompileError(diagnostics: diagnostics)
    }
    return SPIRV(words: result.words, warnings: diagnostics, includes: session.files)
  }

  private func makeOptions(for source: String) throws(ShaderCompileError) -> OptionsHandle {
    let options = try OptionsHandle()
    // Not vulkan1.3: it emits LocalSizeId, which needs the feature maintenance4
    // (VUID-RuntimeSpirv-LocalSizeId-06434).
    shaderc_compile_options_set_target_env(
      options.pointer, shaderc_target_env_vulkan,
      UInt32(shaderc_env_version_vulkan_1_2.rawValue))
    shaderc_compile_options_set_optimization_level(
      options.pointer, shaderc_optimization_level_performance)
    // Without a version glslang fails on its own built-ins and prints them all on stdout.
    let code = GLSLText.withoutComments(source)
    if GLSLText.line(ofDirective: "version", in: code) == nil {
      shaderc_compile_options_set_forced_version_profile(options.pointer, 450, shaderc_profile_none)
    }
    return options
  }
}
