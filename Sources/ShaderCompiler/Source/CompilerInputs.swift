import CShaderc

/// The inputs of one compilation, except for the files that it includes.
struct CompilerInputs {
  let source: String
  let name: String
  /// The required prefix of the names of its resources; nil if any name is allowed.
  var resourcePrefix: String?
  /// Whether faults are marked in what it writes.
  var marksFaults = false

  // Not vulkan1.3: it emits LocalSizeId, which requires the feature maintenance4
  // (VUID-RuntimeSpirv-LocalSizeId-06434).
  private static let environment = UInt32(shaderc_env_version_vulkan_1_2.rawValue)
  /// For the cache key, everything that the source does not show: the settings of `makeOptions`, the
  /// steps after shaderc, and the resource prefix.
  var settings: String {
    "compute main, vulkan \(Self.environment), \(ModuleMaker.rules)"
      + ", resources \(resourcePrefix ?? "any")"
      + (marksFaults ? ", faults marked, behind all limits too" : "")
  }

  /// The options: everything declared keeps its name, used or not, and nothing is optimized.
  func makeOptions() throws(ShaderCompileError) -> OptionsHandle {
    let options = try OptionsHandle()
    shaderc_compile_options_set_target_env(
      options.pointer, shaderc_target_env_vulkan, Self.environment)
    shaderc_compile_options_set_optimization_level(
      options.pointer, shaderc_optimization_level_zero)
    // Without a version glslang fails on its own built-ins and prints them all on stdout.
    let code = GLSLText.withoutComments(source)
    if GLSLText.line(ofDirective: "version", in: code) == nil {
      shaderc_compile_options_set_forced_version_profile(options.pointer, 450, shaderc_profile_none)
    }
    return options
  }
}
