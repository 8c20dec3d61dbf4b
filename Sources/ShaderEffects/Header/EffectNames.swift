import ShaderCompiler

/// The names that an effect may give to its inputs and constants.
enum EffectNames {
  /// The values that every effect has, in their order in the uniform block.
  static let builtIns: [(name: String, type: GLSLType)] = [
    ("TIME", .float), ("TIMEDELTA", .float), ("FRAMEINDEX", .int), ("PASSINDEX", .int),
    ("RENDERSIZE", .vec2), ("DATE", .vec4), ("FRAMERATE", .float), ("kf_mix", .float),
    ("kf_age", .int), ("kf_turn", .int), ("PIXELASPECT", .float),
  ]

  fileprivate static func objection(toSpelling name: String) -> String? {
    let letters = name.utf8.allSatisfy { $0.isOfWord && $0 < 0x80 }
    guard letters, let first = name.utf8.first, first > UInt8(ascii: "9") else {
      return "must be letters, digits and _, not beginning with a digit"
    }
    return nil
  }

  fileprivate static func objection(to name: String) -> String? {
    if let objection = objection(toSpelling: name) { return objection }
    if name.hasPrefix("kf_") || name.hasPrefix("gl_") || name.contains("__") {
      return "is reserved; names with kf_, gl_ or __ belong to kfrec and GLSL"
    }
    return reserved.contains(name) ? "is reserved; choose another" : nil
  }

  /// Returns whether the name is a value that every effect has.
  static func isBuiltIn(_ name: String) -> Bool { builtIns.contains { $0.name == name } }

  /// Returns whether GLSL, kfrec or its expressions use the name.
  static func isReserved(_ name: String) -> Bool { objection(to: name) != nil }

  private static let reserved: Set<String> = {
    let ours = """
      WIDTH HEIGHT SIDE PIXEL frame framePixel frameSize store hash noise effect main uv mix from to
      earlier earlierPixel previous previousPixel
      """
    // GLSL 4.60 specification, section 3.6; only the words that an author is likely to use.
    let glsl = """
      attribute const uniform varying buffer shared coherent volatile restrict readonly writeonly
      layout centroid flat smooth noperspective patch sample break continue do for while switch case
      default if else subroutine in out inout int void bool true false float double discard return
      vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 uint uvec2 uvec3 uvec4 dvec2 dvec3 dvec4
      mat2 mat3 mat4 lowp mediump highp precision struct invariant precise common partition active
      asm class union enum typedef template this resource goto inline noinline public static extern
      external interface long short half fixed unsigned superp input output filter sizeof cast
      namespace using sampler1D sampler2D sampler3D samplerCube texture2D image2D sampler texture
      """
    let words = (ours + " " + glsl).split(whereSeparator: \.isWhitespace).map(String.init)
    return Set(words + builtIns.map(\.name) + ExpressionFunction.named.map(\.rawValue))
  }()
}

/// What a language allows in its headers.
struct HeaderRules: Sendable {
  /// Whether a translation gives names and the functions that read images other names, so that reserved ones are free.
  var renames = false
  /// Whether passes may be kept in floats of 16 bits.
  var hasHalf = true

  /// Returns a name that GLSL, the expressions and the command line all accept.
  func name(_ json: LocatedJSON, _ key: String = "NAME") throws(LocatedError) -> String {
    let name = try json.string(key)
    let reason =
      renames ? EffectNames.objection(toSpelling: name) : EffectNames.objection(to: name)
    if let reason { throw json.mistake("the name '\(name)' \(reason)") }
    return name
  }

  /// Returns the names that an input or an import takes, given its own and those of its functions.
  func names(_ name: String, _ functions: [String]) -> [String] { renames ? [name] : functions }
}
