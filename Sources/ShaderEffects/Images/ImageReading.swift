/// The functions with which a shader reads an image besides its input: `vec4 NAME(vec2 uv)`,
/// `vec4 NAMEPixel(ivec2 p)` and `ivec2 NAMESize()`.
enum ImageReading {
  /// Returns the names of the three functions of an image.
  static func names(_ name: String) -> [String] { [name, name + "Pixel", name + "Size"] }

  /// Returns the three functions for an image of a size in pixels.
  ///
  /// `pixel` is GLSL for the colour at `p`, which may lie outside the image, whose size is `size`.
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
