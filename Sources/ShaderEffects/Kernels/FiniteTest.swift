public import ShaderCompiler

extension EffectLibrary {
  /// Returns an effect that makes a pixel white if a channel is infinite or NaN, and black otherwise.
  ///
  /// After another effect, it tests that effect's result before it is rounded.
  public static func finiteTest(
    with compiler: ShaderCompiler
  ) throws(EffectError) -> EffectInstance {
    let library = EffectLibrary(
      folders: [],
      searchPath: EffectSearchPath(given: [], environment: { _ in nil }, executable: nil))
    return try library.compile(
      EffectSpec(name: "finiteTest"), EffectFile(path: "finiteTest.comp", source: finiteTestSource),
      with: compiler)
  }

  /// Tests the bits, because a compiler may replace isnan with false.
  private static let finiteTestSource = """
    /*{"DESCRIPTION": "Marks values that are infinite or not a number.", "UNCLAMPED": true}*/
    vec4 effect(vec2 uv) {
      uvec4 exponent = floatBitsToUint(framePixel()) & 0x7f800000u;
      bool isFinite = all(notEqual(exponent, uvec4(0x7f800000u)));
      return vec4(vec3(isFinite ? 0.0 : 1.0), 1.0);
    }
    """
}
