/// An image with the settings with which a Shadertoy channel reads it.
struct TextureView: Sendable, Equatable {
  /// The image's name.
  let image: String
  var isNearest = false
  var isRepeating = false
  /// True if its first row is the lowest.
  var isUpsideDown = false
  /// The image in the upper half, if there is one: audio has its spectrum below and its waveform above.
  var above: String?

  /// Returns the functions that read image `number`; `image(name)` returns the prefix of the functions
  /// that read an image without these settings.
  func glsl(
    _ calls: Set<ISFImageCall>, number: Int, image: (String) -> String
  ) -> String {
    let own = image(self.image)
    return ISFImageCall.allCases.filter(calls.contains).map { call in
      let (name, body) = (call.name(number), body(of: call, own, image))
      return call.signatures.map {
        "\($0.type) \(name)(int image\($0.parameters)) { \(body) }"
      }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func body(
    of call: ISFImageCall, _ own: String, _ image: (String) -> String
  ) -> String {
    // On the site audio has two rows, whatever its channels are: the spectrum and the waveform.
    let size = above == nil ? "\(own)Size()" : "ivec2(\(own)Size().x, 2)"
    return switch call {
    case .norm: sampling("place", own, image)
    case .at: sampling("(place / vec2(\(size)))", own, image)
    case .shifted: sampling("(place + vec2(offset) / vec2(\(size)))", own, image)
    case .this, .here: sampling("isf_FragNormCoord", own, image)
    case .size: "return vec2(\(size));"
    case .texels: "return \(size);"
    case .fetch where above != nil:
      sampling("((vec2(p) + 0.5) / vec2(\(size)))", own, image)
    case .fetch:
      isUpsideDown
        ? "return \(own)Pixel(p);"
        : "return \(own)Pixel(ivec2(p.x, \(own)Size().y - 1 - p.y));"
    }
  }

  /// Returns code that reads at coordinates from 0 to 1, counted from the lowest row.
  private func sampling(_ place: String, _ own: String, _ image: (String) -> String) -> String {
    if let above {
      return """
        return vec4(vec3(\(place).y < 0.5 ? \(own)(vec2(\(place).x, 0.5)).r
          : \(image(above))(vec2(\(place).x, 0.5)).r), 1.0);
        """
    }
    let turned = isUpsideDown ? "q.y" : "size.y - 1 - q.y"
    let wrapped =
      isRepeating
      ? "q += size * ivec2(lessThan(q, ivec2(0))); q -= size * ivec2(greaterThanEqual(q, size));"
      : ""
    func pixel(_ offset: String) -> String {
      "q = corner\(offset); \(wrapped) q = clamp(q, ivec2(0), size - 1);"
        + " vec4 \(["": "a", " + ivec2(1, 0)": "b", " + ivec2(0, 1)": "c"][offset] ?? "d")"
        + " = \(own)Pixel(ivec2(q.x, \(turned)));"
    }
    return """
      ivec2 size = \(own)Size();
      vec2 t = \(place);
      t = \(isRepeating ? "t - floor(t)" : "clamp(t, vec2(0.0), vec2(1.0))");
      vec2 p = t * vec2(size)\(isNearest ? "" : " - 0.5");
      ivec2 corner = ivec2(floor(p));
      ivec2 q;
      \(pixel(""))
      \(isNearest
        ? "return a;"
        : """
        \(pixel(" + ivec2(1, 0)"))
        \(pixel(" + ivec2(0, 1)"))
        \(pixel(" + ivec2(1, 1)"))
        vec2 w = p - floor(p);
        return mix(mix(a, b, w.x), mix(c, d, w.x), w.y);
        """)
      """
  }
}
