/// The functions with which a shader reads an image besides its input: `vec4 NAME(vec2 uv)`,
/// `vec4 NAMEPixel(ivec2 p)` and `ivec2 NAMESize()`.
enum ImageReading {
  /// Returns the names of the three functions of an image.
  static func names(_ name: String) -> [String] { [name, name + "Pixel", name + "Size"] }

  /// Returns the three functions for an image of a size in pixels.
  static func glsl(_ name: String, width: Int, height: Int, pixel: String) -> String {
    glsl(name, size: "ivec2(\(width), \(height))", pixel: pixel)
  }

  /// Returns the three functions for an image.
  ///
  /// `size` is GLSL for its size in pixels, and `pixel` for the colour at `p`, which may lie outside the image, whose
  /// size is then `size`.
  static func glsl(_ name: String, size: String, pixel: String) -> String {
    """
    ivec2 \(name)Size() { return \(size); }
    vec4 \(name)Pixel(ivec2 p) {
      ivec2 size = \(size);
      return \(pixel);
    }
    \(ShaderPrelude.blending(name, size: "\(name)Size()"))
    """
  }
}
