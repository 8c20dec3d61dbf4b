/// The functions by which a shader reads a picture beside its input: `vec4 NAME(vec2 uv)`,
/// `vec4 NAMEPixel(ivec2 p)` and `ivec2 NAMESize()`.
enum ImageReading {
  /// The names that a picture takes.
  static func names(_ name: String) -> [String] { [name, name + "Pixel", name + "Size"] }

  /// The three functions of a picture of a size.
  ///
  /// `pixel` is GLSL for the colour at `p`, which may lie outside, of a picture of `size`.
  static func glsl(_ name: String, width: Int, height: Int, pixel: String) -> String {
    """
    ivec2 \(name)Size() { return ivec2(\(width), \(height)); }
    vec4 \(name)Pixel(ivec2 p) {
      ivec2 size = ivec2(\(width), \(height));
      return \(pixel);
    }
    \(ShaderPrelude.blending(name, size: "\(name)Size()"))
    """
  }
}
