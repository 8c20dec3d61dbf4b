/// A way of reading a picture, with the functions of ISF and GLSL that do it.
enum ISFImageCall: String, Sendable, CaseIterable {
  /// At a place from 0 to 1, blended.
  case norm
  /// At a place in pixels, blended.
  case at
  /// Where this pixel is, from 0 to 1.
  case this
  /// Where this pixel is, in pixels.
  case here
  /// At a place from 0 to 1 and some pixels beside it, blended.
  case shifted
  case size, texels, fetch

  /// What an ISF file calls.
  static let functions: [String: ISFImageCall] = [
    "IMG_NORM_PIXEL": .norm, "IMG_PIXEL": .at, "IMG_THIS_PIXEL": .this,
    "IMG_THIS_NORM_PIXEL": .this, "IMG_SIZE": .size, "texture2D": .norm, "texture": .norm,
    "texture2DLod": .norm, "textureLod": .norm, "texture2DLodEXT": .norm, "textureGrad": .norm,
    "texture2DGradEXT": .norm, "textureCube": .norm, "texture3D": .norm, "textureOffset": .shifted,
    "texture2DRect": .at, "textureSize": .texels, "texelFetch": .fetch,
  ]

  /// The arguments after the picture's name that say no more than "here".
  static let own: [ISFImageCall: [[String]]] = [
    .norm: [
      ["isf_FragNormCoord"], ["isf_FragNormCoord", ".", "xy"], ["vv_FragNormCoord"],
      ["vv_FragNormCoord", ".", "xy"], ["gl_FragCoord", ".", "xy", "/", "RENDERSIZE"],
      ["gl_FragCoord", ".", "xy", "/", "RENDERSIZE", ".", "xy"],
    ],
    .at: [["gl_FragCoord", ".", "xy"]],
  ]

  /// The call of the same pixel where the arguments say that it is this one.
  var ofThisPixel: ISFImageCall { self == .at ? .here : .this }

  /// The function for the picture of a number.
  func name(_ picture: Int) -> String { "kf_\(rawValue)\(picture)" }

  /// The function that is told the picture's number.
  var anyName: String { "kf_\(rawValue)Any" }

  /// The type that it gives and the parameters after the picture, each way it may be called.
  var signatures: [(type: String, parameters: String, arguments: String)] {
    switch self {
    case .norm, .at:
      [
        ("vec4", ", vec2 place", ", place"),
        ("vec4", ", vec2 place, float bias", ", place"),
        ("vec4", ", vec2 place, vec2 across, vec2 along", ", place"),
      ]
    case .shifted: [("vec4", ", vec2 place, ivec2 offset", ", place, offset")]
    case .this, .here: [("vec4", "", ""), ("vec4", ", vec2 place", "")]
    case .size: [("vec2", "", "")]
    case .texels: [("ivec2", "", ""), ("ivec2", ", int level", "")]
    case .fetch: [("vec4", ", ivec2 p, int level", ", p")]
    }
  }

  /// It reads between pixels.
  func isBlending(isWholeFrame: Bool, isMoved: Bool) -> Bool {
    switch self {
    case .norm, .at, .shifted: true
    case .this, .here: !isWholeFrame || isMoved
    case .size, .texels, .fetch: false
    }
  }

  /// `vec4 kf_blendN(vec2 p)`, the colour at a place in pixels.
  ///
  /// As a GPU's sampler has it, with weights of 8 bits, so that a place a rounding error beside a
  /// pixel's centre gives the pixel; what is no number reads the bottom left.
  static func blending(_ picture: Int) -> String {
    let image = "kf_img\(picture)"
    return """
      vec4 kf_blend\(picture)(vec2 p) {
        ivec2 size = \(image)Size();
        vec2 t = floor(min(max(p - 0.5, vec2(-1.0)), vec2(size)) * 256.0 + 0.5) / 256.0;
        vec2 corner = floor(t);
        vec2 weight = t - corner;
        ivec2 q = ivec2(int(corner.x), size.y - 1 - int(corner.y));
        vec4 lower = mix(\(image)Pixel(q), \(image)Pixel(q + ivec2(1, 0)), weight.x);
        vec4 upper = mix(\(image)Pixel(q - ivec2(0, 1)), \(image)Pixel(q + ivec2(1, -1)), weight.x);
        return mix(lower, upper, weight.y);
      }
      """
  }

  /// Its functions for a picture that `kf_imgN` reads, N being its number.
  ///
  /// The place in a file is counted from the bottom, that in kfrec's pictures from the top.
  func glsl(_ picture: Int, isWholeFrame: Bool, isMoved: Bool) -> String {
    let image = "kf_img\(picture)"
    let size = "vec2(\(image)Size())"
    let blend = "kf_blend\(picture)"
    let elsewhere = "\(blend)(isf_FragNormCoord * \(size))"
    func here(_ other: String) -> String {
      isWholeFrame
        ? "\(image)Pixel(PIXEL)"
        : "\(image)Size() == kf_size ? \(image)Pixel(PIXEL) : \(other)"
    }
    let body =
      switch self {
      case .norm: "\(blend)(place * \(size))"
      case .at: "\(blend)(place)"
      case .shifted: "\(blend)(place * \(size) + vec2(offset))"
      case .this: isMoved ? elsewhere : here(elsewhere)
      case .here: here("\(blend)(kf_FragCoord.xy)")
      case .size: size
      case .texels: "\(image)Size()"
      case .fetch: "\(image)Pixel(ivec2(p.x, \(image)Size().y - 1 - p.y))"
      }
    return signatures.map {
      "\($0.type) \(name(picture))(int image\($0.parameters)) { return \(body); }"
    }
    .joined(separator: "\n")
  }

  /// Its functions for a picture whose number is known when it runs.
  func glsl(anyOf count: Int) -> String {
    signatures.map { signature in
      let cases = (0..<count).map {
        "if (image == \($0)) return \(name($0))(image\(signature.arguments + (self == .fetch ? ", level" : "")));"
      }
      let none = signature.type == "vec4" ? "vec4(0.0)" : "\(signature.type)(1)"
      return """
        \(signature.type) \(anyName)(int image\(signature.parameters)) {
          \(cases.joined(separator: "\n  "))
          return \(none);
        }
        """
    }.joined(separator: "\n")
  }
}
