import Frames

/// The GLSL that reads a colour from one 32-bit word per pixel, which `WordPacking` made.
///
/// A word has 8 bits of luma and 12 bits of each chroma, in sixteenths of a code. This is exactly the
/// linear interpolation between the chroma samples, so the colours equal those of `PlaneReader` bit
/// for bit.
struct WordReader: Sendable {
  let format: FrameFormat
  /// The resource with the words.
  let words: KernelResource.Bound

  var reader: PixelLoad {
    let (width, height) = format.uprightSize
    return PixelLoad(
      width: width, height: height, isExpensive: false,
      name: "words of \(format.pixelFormat.rawValue)", fragment: fragment)
  }

  private var fragment: KernelFragment {
    // The factor is a power of two: moving it from the codes into the matrix changes no rounding.
    var conversion = ColorConversion.toRGB(format.color, model: .yCbCr, depth: 8)
    for row in conversion.rows.indices {
      for part in 1...2 { conversion.rows[row][part] /= Double(WordPacking.chromaScale) }
    }
    return KernelFragment(
      """
      \(conversion.glsl(function: "kf_toRGB"))
      vec4 kf_read(ivec2 p) {
        ivec2 s = \(format.storedPixelGLSL("p"));
        uint w = texelFetch(kf_words, s.y * \(format.width) + s.x).r;
        return vec4(kf_toRGB(vec3(w & 0xFFu, w >> 8 & 0xFFFu, w >> 20)), 1.0);
      }
      """, name: "load",
      resources: [KernelResource(.texelBuffer, "uniform usamplerBuffer kf_words", bound: words)])
  }
}
