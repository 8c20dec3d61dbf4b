import Frames

/// The GLSL that reads an upright colour directly from a source's planes.
///
/// The planes hold integers, so a fetch returns the codes themselves. Chroma is brought to full size
/// by linear interpolation between the samples' true positions (the siting), computed here with whole
/// texels and fixed weights: texture units filter with few bits, and differ from each other. The sums
/// are exact in 32-bit floats.
struct PlaneReader: Sendable {
  let format: FrameFormat
  let storage: TextureStorage
  /// The layout of the planes in a buffer, for storage in buffers.
  let buffer: BufferLayout
  /// The resource of each plane.
  let planes: [KernelResource.Bound]
  /// Makes the colours of the standard dynamic range; nil to keep them.
  var toneMap: ToneMap?

  private var layout: PixelLayout { format.pixelFormat.layout }

  var reader: PixelLoad {
    let (width, height) = format.uprightSize
    return PixelLoad(
      width: width, height: height, isExpensive: layout.chromaSubsampling != (1, 1),
      isToneMapped: toneMap != nil, name: "planes of \(format.pixelFormat.rawValue)",
      fragment: fragment)
  }

  private var fragment: KernelFragment {
    let indices = layout.planes.indices
    let alpha =
      layout.alpha.map { "\(code($0, at: "s")) / \(Double(layout.maximumCode))" } ?? "1.0"
    return KernelFragment(
      """
      \(indices.map(fetching).joined(separator: "\n"))
      \(ColorConversion.toRGB(format.color, model: layout.model, depth: layout.depth)
        .glsl(function: "kf_toRGB", then: toneMap))
      \(chromaFunction)
      vec4 kf_read(ivec2 p) {
        ivec2 s = \(format.storedPixelGLSL("p"));
        return vec4(kf_toRGB(\(codes)), \(alpha));
      }
      """, name: "load", resources: indices.map(texels))
  }

  /// The resource with the texels of a plane.
  private func texels(ofPlane index: Int) -> KernelResource {
    switch storage {
    case .images:
      KernelResource(
        .sampledImage, "uniform usampler2D kf_texels\(index)", bound: planes[index])
    case .buffers:
      KernelResource(
        .texelBuffer, "uniform utextureBuffer kf_texels\(index)", bound: planes[index])
    }
  }

  /// GLSL for `uvec4 kf_planeN(ivec2 t)`, which fetches a texel of the plane.
  private func fetching(plane index: Int) -> String {
    let texel = layout.planes[index].bytesPerTexel
    return switch storage {
    case .images:
      "uvec4 kf_plane\(index)(ivec2 t) { return texelFetch(kf_texels\(index), t, 0); }"
    case .buffers:
      """
      uvec4 kf_plane\(index)(ivec2 t) {
        return texelFetch(kf_texels\(index), t.y * \(buffer.planes[index].stride / texel) + t.x);
      }
      """
    }
  }

  /// GLSL for the codes of the stored pixel `s`.
  private var codes: String {
    let parts = layout.components
    switch layout.model {
    case .gray: return "vec3(\(code(parts[0], at: "s")))"
    case .rgb: return "vec3(\(parts.map { code($0, at: "s") }.joined(separator: ", ")))"
    case .yCbCr:
      guard let second = layout.secondLuma else {
        return "vec3(\(code(parts[0], at: "s")), kf_chroma(s))"
      }
      let pair = "ivec2(s.x >> 1, s.y)"
      return
        "vec3((s.x & 1) == 0 ? \(code(parts[0], at: pair)) : \(code(second, at: pair)), kf_chroma(s))"
    }
  }

  /// GLSL for a component's code at a texel of its plane.
  private func code(_ component: PixelLayout.Component, at texel: String) -> String {
    let channel = ["r", "g", "b", "a"][component.channel]
    let shift = layout.shift == 0 ? "" : " >> \(layout.shift)"
    return "float(kf_plane\(component.plane)(\(texel)).\(channel)\(shift))"
  }

  /// GLSL for chroma; sample i of an axis has luma position i * factor + position * (factor - 1).
  private var chromaFunction: String {
    guard layout.model == .yCbCr else { return "" }
    let (blue, red) = (layout.components[1], layout.components[2])
    let plane = layout.planes[blue.plane]
    let (factorX, factorY) = layout.chromaSubsampling
    let last = "ivec2(\(plane.width(format.width) - 1), \(plane.height(format.height) - 1))"
    let sample = """
      vec2 kf_chromaSample(ivec2 c) {
        c = clamp(c, ivec2(0), \(last));
        return vec2(\(code(blue, at: "c")), \(code(red, at: "c")));
      }
      """
    guard factorX > 1 || factorY > 1 else {
      return sample + "\nvec2 kf_chroma(ivec2 s) { return kf_chromaSample(s); }"
    }
    let siting = format.color.chromaSiting.position
    let (shiftX, shiftY) = (siting.x * Double(factorX - 1), siting.y * Double(factorY - 1))
    let across = "mix(kf_chromaSample(i), kf_chromaSample(i + ivec2(1, 0)), w.x)"
    let below =
      "mix(kf_chromaSample(i + ivec2(0, 1)), kf_chromaSample(i + ivec2(1, 1)), w.x)"
    let sum =
      if factorY == 1 {
        across
      } else if factorX == 1 {
        "mix(kf_chromaSample(i), kf_chromaSample(i + ivec2(0, 1)), w.y)"
      } else {
        "mix(\(across), \(below), w.y)"
      }
    return """
      \(sample)
      vec2 kf_chroma(ivec2 s) {
        vec2 c = (vec2(s) - vec2(\(shiftX), \(shiftY))) * vec2(\(1 / Double(factorX)), \(1 / Double(factorY)));
        ivec2 i = ivec2(floor(c));
        vec2 w = c - vec2(i);
        return \(sum);
      }
      """
  }
}

extension ColorConversion {
  /// The same function as `glsl(function:)`, with colours of the standard dynamic range if there is a map.
  func glsl(function name: String, then toneMap: ToneMap?) -> String {
    guard let toneMap else { return glsl(function: name) }
    return """
      \(glsl(function: "kf_toHDR"))
      \(toneMap.glsl)
      vec3 \(name)(vec3 v) { return kf_toneMapped(kf_toHDR(v)); }
      """
  }
}

extension FrameFormat {
  /// Whether each pixel is shown where it is stored.
  var isStoredAsShown: Bool { orientation == .upright && crop == nil }

  /// GLSL for the stored pixel that is shown at pixel `p`.
  func storedPixelGLSL(_ p: String) -> String {
    if isStoredAsShown { return p }
    let map = storedPixel
    return """
      ivec2(\(map.origin.x) + \(p).x * \(map.dx.x) + \(p).y * \(map.dy.x), \
      \(map.origin.y) + \(p).x * \(map.dx.y) + \(p).y * \(map.dy.y))
      """
  }
}
