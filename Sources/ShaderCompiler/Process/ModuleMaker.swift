import CShaderc
import Glibc
import SPIRVOptimizer

/// A module as the compiler and the optimizer made it, before it is checked against the author's text.
struct MadeModule {
  /// With names, and not optimized; empty if the compilation failed.
  var named: [UInt32] = []
  /// What the driver gets; empty if `problem` is not nil.
  var words: [UInt32] = []
  /// shaderc's messages.
  var messages = ""
  var includes: [IncludeAnswer] = []
  /// Why there are no words although shaderc made a module: a sentence about the shader.
  var problem: String?
}

/// The steps that may take long, and much memory, for a text that was written to that end.
enum ModuleMaker {
  /// The steps after shaderc, for the cache key: the text must change whenever the steps change.
  static let rules =
    "extensions refused, divisions and variables defined, optimized for speed, indices clamped, without names, variables cleared"

  /// Bytes of stack that are counted on for each level of nesting; `ShaderCompilerTests` comes near the limit.
  private static let bytesOfLevel = 2560

  /// Compiles and optimizes; the caller sees to the stack (`DeepStack`).
  ///
  /// `room` are the bytes of the stack, if a text that needs more must be refused; nil where a crash ends a process that
  /// only compiles.
  ///
  /// - Throws: If the text is nested too deeply, or there is no memory.
  static func make(
    _ inputs: CompilerInputs, includes: IncludeResolver, compiler: borrowing CompilerHandle,
    room: Int? = nil
  ) throws(ShaderCompileError) -> MadeModule {
    if let room, let refused = try refused(inputs, includes, compiler, most: room / bytesOfLevel) {
      return refused
    }
    let options = try inputs.makeOptions()
    let session = IncludeSession(includes)
    session.attach(to: options)
    let result = try withExtendedLifetime(session) { () throws(ShaderCompileError) in
      try ResultHandle(
        owning: shaderc_compile_into_spv(
          compiler.pointer, inputs.source, inputs.source.utf8.count, shaderc_compute_shader,
          inputs.name, "main", options.pointer))
    }
    var made = MadeModule(messages: result.messages, includes: session.answers)
    guard result.status == shaderc_compilation_status_success else { return made }
    made.named = result.words
    made.problem =
      RefusedExtensions.refusal(made.named, messages: result.messages)
      ?? InlinedSize(made.named).refusal
    guard made.problem == nil else { return made }
    // Before the optimizer, which makes something of what is undefined, and behind it for what it has taken out of arrays.
    var defined = ClearedVariables.clearing(
      DefinedDivision.defining(made.named), classes: ClearedVariables.own)
    if inputs.marksFaults { defined = FaultMarks.marking(defined) }
    var count = defined.count
    guard let optimized = kf_optimize_spirv(defined, &count) else {
      made.problem = "SPIRV-Tools cannot optimize it, or ran out of memory; make the shader smaller"
      return made
    }
    defer { free(optimized) }
    made.words = ClearedVariables.clearing(
      Array(UnsafeBufferPointer(start: optimized, count: count)).withoutDebugging,
      classes: ClearedVariables.own)
    return made
  }

  /// Reads the macros and includes of a text, and returns why it is not compiled; nil if it may be.
  private static func refused(
    _ inputs: CompilerInputs, _ includes: IncludeResolver, _ compiler: borrowing CompilerHandle,
    most: Int
  ) throws(ShaderCompileError) -> MadeModule? {
    let options = try inputs.makeOptions()
    let session = IncludeSession(includes)
    session.attach(to: options)
    func tooDeep(_ levels: Int) -> ShaderCompileError {
      ShaderCompileError(
        name: inputs.name,
        message:
          "is nested \(levels) levels deep, and the limit is \(most); divide long expressions into several statements"
      )
    }
    // Directives have expressions, too.
    let typed = NestingDepth(
      GLSLText.withoutComments(inputs.source).utf8.map { $0 == UInt8(ascii: "#") ? 0x20 : $0 }
    ).levels
    guard typed <= most else { throw tooDeep(typed) }
    let read = try withExtendedLifetime(session) { () throws(ShaderCompileError) in
      try ResultHandle(
        owning: shaderc_compile_into_preprocessed_text(
          compiler.pointer, inputs.source, inputs.source.utf8.count, shaderc_compute_shader,
          inputs.name, "main", options.pointer))
    }
    guard read.status == shaderc_compilation_status_success else {
      return MadeModule(messages: read.messages, includes: session.answers)
    }
    let levels = NestingDepth(read.bytes).levels
    guard levels <= most else { throw tooDeep(levels) }
    return nil
  }
}
