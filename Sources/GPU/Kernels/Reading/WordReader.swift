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
  /// The same words, four in each texel.
  let fours: KernelResource.Bound
  /// Makes the colours of the standard dynamic range; nil to keep them.
  var toneMap: ToneMap?
  /// Where a frame's words begin among those of several frames; nil if there is one frame.
  var ring: Ring?

  /// Words of several frames in one resource.
  struct Ring {
    /// Number of frames.
    let layers: Int
    /// Number of frames before the newest one that stay unchanged until its kernels have run.
    let earlierFrames: Int
    /// A uniform block with the layer of a frame.
    let layer: KernelResource.Bound
  }

  var reader: PixelLoad {
    let (width, height) = format.uprightSize
    return PixelLoad(
      width: width, height: height, isExpensive: false, isToneMapped: toneMap != nil,
      name: "words of \(format.pixelFormat.rawValue)", fragment: fragment,
      earlierFrames: ring?.earlierFrames ?? 0, fours: byFours)
  }

  /// Four gathers of a word cost more than one read of four words in a row, which the driver takes apart: a kernel that
  /// reads each pixel once and writes planes took 2.47 core-milliseconds with the former at 1280x720, and 1.62 with
  /// the latter.
  private var byFours: KernelFragment? {
    guard format.isStoredAsShown else { return nil }
    let row = ring == nil ? "p.y" : "(kf_frameLayer * \(format.height) + p.y)"
    return KernelFragment(
      """
      uvec4 kf_four(ivec2 p) {
        return texelFetch(kf_fours, \(row) * \(stride / 4) + (p.x >> 2));
      }
      """,
      resources: [KernelResource(.texelBuffer, "uniform utextureBuffer kf_fours", bound: fours)])
  }

  private var stride: Int { WordPacking.stride(width: format.width) }

  /// GLSL for the functions of the reader that are given `kf_word(int index)`.
  private var functions: String {
    let pixel = "\(format.storedPixelGLSL("p"))"
    guard let ring else {
      return """
        vec4 kf_read(ivec2 p) {
          ivec2 s = \(pixel);
          return kf_word(s.y * \(stride) + s.x);
        }
        """
    }
    return """
      vec4 kf_readFrame(int layer, ivec2 p) {
        ivec2 s = \(pixel);
        return kf_word((layer * \(format.height) + s.y) * \(stride) + s.x);
      }
      vec4 kf_read(ivec2 p) { return kf_readFrame(kf_frameLayer, p); }
      vec4 kf_readEarlier(int back, ivec2 p) {
        int layer = kf_frameLayer - back;
        return kf_readFrame(layer < 0 ? layer + \(ring.layers) : layer, p);
      }
      """
  }

  private var fragment: KernelFragment {
    // The factor is a power of two: moving it from the codes into the matrix changes no rounding.
    var conversion = ColorConversion.toRGB(format.color, model: .yCbCr, depth: 8)
    for row in conversion.rows.indices {
      for part in 1...2 { conversion.rows[row][part] /= Double(WordPacking.chromaScale) }
    }
    return KernelFragment(
      """
      \(conversion.glsl(function: "kf_toRGB", then: toneMap))
      vec4 kf_colorOf(uint w) {
        return vec4(kf_toRGB(vec3(w & 0xFFu, w >> 8 & 0xFFFu, w >> 20)), 1.0);
      }
      vec4 kf_word(int index) { return kf_colorOf(texelFetch(kf_words, index).r); }
      \(functions)
      """, name: "load",
      resources: [KernelResource(.texelBuffer, "uniform utextureBuffer kf_words", bound: words)]
        + [ring].compactMap(\.self).map {
          KernelResource(
            .uniformBuffer, "uniform kf_FrameLayer { int kf_frameLayer; }", qualifier: "std140",
            bound: $0.layer)
        })
  }
}
