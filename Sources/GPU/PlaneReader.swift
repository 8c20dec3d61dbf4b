import Frames

/// The GLSL that reads a source's planes: `vec4 load(ivec2 pixel)` gives the colour of a pixel of
/// the upright picture, unclamped, with straight alpha.
///
/// The planes are integer images, so what is fetched are the codes themselves. Chroma is brought to
/// full size by linear interpolation between the samples' true places (the siting), computed here
/// with whole texels and fixed weights: texture units filter with few bits, and not all alike.
struct PlaneReader {
  let format: FrameFormat

  private var layout: PixelLayout { format.pixelFormat.layout }

  /// The planes' samplers are bindings 0, 1, ...
  var declarations: String {
    layout.planes.indices.map {
      "layout(set = 0, binding = \($0)) uniform usampler2D plane\($0);"
    }.joined(separator: "\n")
  }

  var loadFunction: String {
    let conversion = ColorConversion.toRGB(
      format.color, model: layout.model, depth: layout.depth)
    let map = format.orientation.storedPixel(width: format.width, height: format.height)
    return """
      \(conversion.glsl(function: "toRGB"))
      \(chromaFunctions)
      vec4 load(ivec2 seen) {
        ivec2 p = ivec2(\(map.origin.x), \(map.origin.y))
          + seen.x * ivec2(\(map.dx.x), \(map.dx.y)) + seen.y * ivec2(\(map.dy.x), \(map.dy.y));
        \(codes)
        float alpha = \(alpha);
        return vec4(toRGB(codes), alpha);
      }
      """
  }

  /// A component's code at a texel.
  private func fetch(_ component: PixelLayout.Component, at texel: String) -> String {
    let channel = ["r", "g", "b", "a"][component.channel]
    let shift = layout.shift == 0 ? "" : " >> \(layout.shift)"
    return "float(texelFetch(plane\(component.plane), \(texel), 0).\(channel)\(shift))"
  }

  private var alpha: String {
    guard let alpha = layout.alpha else { return "1.0" }
    return "\(fetch(alpha, at: "p")) / \(Double(layout.maximumCode))"
  }

  private var codes: String {
    let parts = layout.components
    switch layout.model {
    case .gray: return "vec3 codes = vec3(\(fetch(parts[0], at: "p")));"
    case .rgb:
      return "vec3 codes = vec3(\(parts.map { fetch($0, at: "p") }.joined(separator: ", ")));"
    case .yCbCr:
      guard let second = layout.secondLuma else {
        return "vec3 codes = vec3(\(fetch(parts[0], at: "p")), chromaAt(p));"
      }
      let texel = "ivec2(p.x >> 1, p.y)"
      return """
        float luma = (p.x & 1) == 0 ? \(fetch(parts[0], at: texel)) : \(fetch(second, at: texel));
          vec3 codes = vec3(luma, chromaAt(p));
        """
    }
  }

  private var chromaFunctions: String {
    guard layout.model == .yCbCr else { return "" }
    let blue = layout.components[1]
    let red = layout.components[2]
    let plane = layout.planes[blue.plane]
    let (width, height) = (plane.width(format.width), plane.height(format.height))
    let (factorX, factorY) = layout.chromaSubsampling
    let siting = format.color.chromaSiting.position
    let across = interpolation(axis: "x", factor: factorX, position: siting.x)
    let down = interpolation(axis: "y", factor: factorY, position: siting.y)
    let sum =
      switch (factorX > 1, factorY > 1) {
      case (false, false): "chroma(p)"
      case (true, false): "mix(chroma(c), chroma(c + ivec2(1, 0)), fx)"
      case (false, true): "mix(chroma(c), chroma(c + ivec2(0, 1)), fy)"
      case (true, true):
        """
        mix(mix(chroma(c), chroma(c + ivec2(1, 0)), fx),
            mix(chroma(c + ivec2(0, 1)), chroma(c + ivec2(1, 1)), fx), fy)
        """
      }
    return """
      vec2 chroma(ivec2 c) {
        c = clamp(c, ivec2(0), ivec2(\(width - 1), \(height - 1)));
        return vec2(\(fetch(blue, at: "c")), \(fetch(red, at: "c")));
      }
      vec2 chromaAt(ivec2 p) {
        \(across)
        \(down)
        ivec2 c = ivec2(cx, cy);
        return \(sum);
      }
      """
  }

  /// The chroma sample at or before a luma pixel, and how far on the way to the next it is.
  ///
  /// Sample i sits at luma place i * factor + position * (factor - 1).
  private func interpolation(axis: String, factor: Int, position: Double) -> String {
    guard factor > 1 else { return "int c\(axis) = p.\(axis);" }
    let offset = position * Double(factor - 1)
    return """
      float a\(axis) = (float(p.\(axis)) - \(offset)) / \(Double(factor));
        int c\(axis) = int(floor(a\(axis)));
        float f\(axis) = a\(axis) - floor(a\(axis));
      """
  }
}
