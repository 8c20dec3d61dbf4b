/// How an effect's code reads the picture before it and writes its own, as GLSL.
///
/// Apart from the rest, so that a kernel which does several effects in one go can give an effect
/// other means than images.
struct ShaderAccess: Sendable, Equatable {
  /// Defines `vec4 kf_load(ivec2 p)`, the input's colour as it is at a pixel inside, and
  /// `ivec2 frameSize()`.
  let input: String
  /// Defines `void kf_store(ivec2 p, vec4 color)` for a pixel inside, and `ivec2 kf_outputSize()`.
  let output: String

  /// A sampled image at binding 1 and a storage image at binding 2.
  static let images = ShaderAccess(
    input: """
      layout(set = 0, binding = 1) uniform sampler2D kf_input;
      vec4 kf_load(ivec2 p) { return texelFetch(kf_input, p, 0); }
      ivec2 frameSize() { return textureSize(kf_input, 0); }
      """,
    output: """
      layout(set = 0, binding = 2, rgba16f) uniform writeonly image2D kf_output;
      void kf_store(ivec2 p, vec4 color) { imageStore(kf_output, p, color); }
      ivec2 kf_outputSize() { return imageSize(kf_output); }
      """)
}
