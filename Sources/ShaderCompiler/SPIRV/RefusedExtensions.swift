/// The extensions of GLSL with which a text may reach memory that is not its own, or write instructions that crash
/// optimizers and drivers.
enum RefusedExtensions {
  private static let beginnings = ["GL_EXT_spirv_intrinsics", "GL_EXT_buffer_reference"]

  /// Returns what is wrong with a module that uses one of them, in a sentence about the shader; nil if none does.
  ///
  /// glslang names in the module as shaderc made it the extensions that are enabled or required. shaderc's messages name
  /// the others that are used (`#extension all : warn`).
  static func refusal(_ words: [UInt32], messages: String) -> String? {
    let enabled = SPIRVInstructions(words).lazy.filter { $0.code == .sourceExtension }
      .map { SPIRVInstructions.text($0.operands) }
    let found = beginnings.first { beginning in
      messages.contains("extension \(beginning)") || enabled.contains { $0.hasPrefix(beginning) }
    }
    return found.map {
      "uses \($0), with which a shader may reach memory that is not its own; leave this extension out"
    }
  }
}
