import CShaderc
import Glibc

/// Owns a shaderc compiler.
///
/// Sendable because shaderc.h promises that many threads may use one compiler at the same time
/// ("shaderc_compile_into_spv ... safe to call from multiple threads"); only the release must not run
/// at the same time, and deinit runs once.
struct CompilerHandle: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer

  init() throws(ShaderCompileError) {
    pointer = try check(shaderc_compiler_initialize(), "shaderc_compiler_initialize")
  }

  deinit { shaderc_compiler_release(pointer) }
}

/// Owns the options of one compilation.
struct OptionsHandle: ~Copyable {
  let pointer: OpaquePointer

  init() throws(ShaderCompileError) {
    pointer = try check(shaderc_compile_options_initialize(), "shaderc_compile_options_initialize")
  }

  deinit { shaderc_compile_options_release(pointer) }
}

/// Owns the result of one compilation: SPIR-V or messages.
struct ResultHandle: ~Copyable {
  let pointer: OpaquePointer

  /// Takes ownership of the result of `shaderc_compile_into_spv`.
  init(owning pointer: OpaquePointer?) throws(ShaderCompileError) {
    self.pointer = try check(pointer, "shaderc_compile_into_spv")
  }

  deinit { shaderc_result_release(pointer) }

  var status: shaderc_compilation_status { shaderc_result_get_compilation_status(pointer) }

  /// shaderc's messages, one per line: errors if the compilation failed, else warnings.
  ///
  /// At most a megabyte of them: nobody reads more.
  var messages: String {
    guard let text = shaderc_result_get_error_message(pointer) else { return "" }
    let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, 1 << 20))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text that was read, or a module's bytes.
  var bytes: [UInt8] { Array(raw) }

  /// The module's words; empty if the compilation failed.
  var words: [UInt32] { [UInt32](bytes: raw) }

  private var raw: UnsafeRawBufferPointer {
    let start = shaderc_result_get_bytes(pointer)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : shaderc_result_get_length(pointer))
  }
}

/// Checks the result of a shaderc call that returns nil if there is no memory.
private func check(_ pointer: OpaquePointer?, _ call: String) throws(ShaderCompileError)
  -> OpaquePointer
{
  guard let pointer else {
    throw ShaderCompileError(
      name: "shaderc", message: "\(call) ran out of memory; close other programs")
  }
  return pointer
}
