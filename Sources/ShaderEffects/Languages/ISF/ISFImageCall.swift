/// A way to read an image, with the functions of ISF and GLSL that use it.
enum ISFImageCall: String, Sendable, CaseIterable {
  /// At coordinates from 0 to 1, interpolated.
  case norm
  /// At coordinates in pixels, interpolated.
  case at
  /// At this pixel, with coordinates from 0 to 1.
  case this
  /// At this pixel, with coordinates in pixels.
  case here
  /// At coordinates from 0 to 1 plus an offset in pixels, interpolated.
  case shifted
  case size, texels, fetch

  /// The functions that an ISF file calls.
  static let functions: [String: ISFImageCall] = [
    "IMG_NORM_PIXEL": .norm, "IMG_PIXEL": .at, "IMG_THIS_PIXEL": .this,
    "IMG_THIS_NORM_PIXEL": .this, "IMG_SIZE": .size, "texture2D": .norm, "texture": .norm,
    "texture2DLod": .norm, "textureLod": .norm, "texture2DLodEXT": .norm, "textureGrad": .norm,
    "texture2DGradEXT": .norm, "textureCube": .norm, "texture3D": .norm, "textureOffset": .shifted,
    "texture2DRect": .at, "textureSize": .texels, "texelFetch": .fetch,
  ]

  /// The arguments after the image's name that mean only "this pixel".
  static let own: [ISFImageCall: [[String]]] = [
    .norm: [
      ["isf_FragNormCoord"], ["isf_FragNormCoord", ".", "xy"], ["vv_FragNormCoord"],
      ["vv_FragNormCoord", ".", "xy"], ["gl_FragCoord", ".", "xy", "/", "RENDERSIZE"],
      ["gl_FragCoord", ".", "xy", "/", "RENDERSIZE", ".", "xy"],
    ],
    .at: [["gl_FragCoord", ".", "xy"]],
  ]

  /// The call to use instead, if the arguments name this pixel.
  var ofThisPixel: ISFImageCall { self == .at ? .here : .this }

  /// What the names of all functions and constants for images begin with: fragments of kernels have names of their own.
  private static let prefix = "kf_isf_"

  /// Returns the function for the image with this number.
  func name(_ picture: Int) -> String { "\(Self.prefix)\(rawValue)\(picture)" }

  /// The function that takes the image's number as an argument.
  var anyName: String { "\(Self.prefix)\(rawValue)Any" }

  /// Returns what the names of kfrec's own functions begin with that read the image with this number.
  static func imageName(_ picture: Int) -> String { "\(prefix)image\(picture)" }

  /// Returns the constant that stands for the image with this number.
  static func idName(_ picture: Int) -> String { "\(prefix)id\(picture)" }

  /// Returns the function that blends the pixels of the image with this number.
  private static func blendName(_ picture: Int) -> String { "\(prefix)blend\(picture)" }

  /// The return type and the parameters after the image, for each overload.
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

  /// Returns whether the call reads between pixels.
  func isBlending(isWholeFrame: Bool, isMoved: Bool) -> Bool {
    switch self {
    case .norm, .at, .shifted: true
    case .this, .here: !isWholeFrame || isMoved
    case .size, .texels, .fetch: false
    }
  }

  /// Returns the function of `p`, coordinates in pixels, that gives the colour there.
  ///
  /// It interpolates like a GPU's sampler, with weights of 8 bits, so that a rounding error beside a
  /// pixel's centre still gives that pixel; NaN reads the bottom left.
  static func blending(_ picture: Int) -> String {
    let image = imageName(picture)
    return """
      vec4 \(blendName(picture))(vec2 p) {
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

  /// Returns the functions for an image, by its number.
  ///
  /// An ISF file counts rows from the bottom, kfrec's images count them from the top.
  func glsl(_ picture: Int, isWholeFrame: Bool, isMoved: Bool) -> String {
    let image = Self.imageName(picture)
    let size = "vec2(\(image)Size())"
    let blend = Self.blendName(picture)
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

  /// Returns the functions for an image whose number is known only at run time.
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
