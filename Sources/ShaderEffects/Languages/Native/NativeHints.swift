import ShaderCompiler

/// Explains errors of authors who write kfrec's own language as they know another one: the compiler knows only that a
/// word is not declared, or that Vulkan does not allow it.
struct NativeHints {
  private let header: EffectHeader

  init(_ header: EffectHeader) { self.header = header }

  /// What other hosts call the values and images that every effect has here.
  private static let otherNames: [(words: [String], here: String)] = [
    (["iTime", "iGlobalTime", "time", "u_time"], "TIME"),
    (["iTimeDelta", "u_delta"], "TIMEDELTA"),
    (["iFrame", "u_frame"], "FRAMEINDEX"),
    (["iFrameRate"], "FRAMERATE"), (["iDate", "u_date"], "DATE"),
    (["iResolution", "resolution", "u_resolution"], "RENDERSIZE"),
    (["gl_FragCoord", "fragCoord"], "PIXEL (a pixel's centre is at vec2(PIXEL) + 0.5)"),
    (["isf_FragNormCoord", "vUv", "v_texcoord", "texCoord"], "uv, which effect(vec2 uv) gets"),
    (["gl_GlobalInvocationID"], "PIXEL"),
    (["iChannel0", "u_tex0", "inputImage"], "frame(uv) and framePixel()"),
    (["gl_FragColor", "fragColor"], "the result of effect(vec2 uv): return it"),
    (
      ["IMG_PIXEL", "IMG_THIS_PIXEL", "IMG_NORM_PIXEL", "IMG_THIS_NORM_PIXEL"],
      "NAME(uv) and NAMEPixel(p)"
    ),
    (["IMG_SIZE", "textureSize"], "NAMESize()"),
    (["texture", "texture2D", "textureLod"], "NAME(uv), such as frame(uv)"),
    (["texelFetch"], "NAMEPixel(p), such as framePixel(p)"),
  ]

  /// The TYPE of an input for a type of GLSL.
  private static let types = [
    "float": "float", "int": "long", "uint": "long", "bool": "bool", "vec2": "point2D",
    "vec4": "color", "vec3": "color", "sampler2D": "image", "sampler2DRect": "image",
    "texture2D": "image", "image2D": "image",
  ]

  /// Adds the remedy to the first diagnostic about each word.
  func explain(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var reported = Set<String>()
    return diagnostics.map { diagnostic in
      guard let hint = hint(diagnostic), reported.insert(hint).inserted else { return diagnostic }
      var diagnostic = diagnostic
      diagnostic.message += "; " + hint
      return diagnostic
    }
  }

  private func hint(_ diagnostic: Diagnostic) -> String? {
    let message = diagnostic.message
    if message.contains("non-opaque uniforms outside a block")
      || message.contains("requires layout(binding=X)")
    {
      return declaration(in: diagnostic.excerpt.map(String.init) ?? "")
    }
    if message.contains("overloaded functions must have the same parameter precision qualifiers") {
      return "GLSL itself has a function of this name and these types; give yours another name"
    }
    if let word = ISFNames.vulkanTypes.first(where: {
      message.contains("unexpected \($0.uppercased()),")
    }) {
      return "'\(word)' is a type of Vulkan's GLSL; use another name"
    }
    let isUnknown =
      message.contains("undeclared identifier")
      || message.contains("no matching overloaded function")
    guard isUnknown, message.first == "'",
      let word = message.dropFirst().split(separator: "'").first.map(String.init)
    else { return nil }
    if images.contains(word) {
      return "'\(word)' is read by functions here: \(word)(uv), \(word)Pixel(p) and \(word)Size()"
    }
    guard let known = Self.otherNames.first(where: { $0.words.contains(word) }) else { return nil }
    return "kfrec's own language has \(known.here)"
  }

  /// What the shader reads by functions.
  private var images: Set<String> {
    Set(
      ["frame"] + header.inputs.filter(\.kind.isImage).map(\.name) + header.imports.map(\.name)
        + header.passes.compactMap(\.name))
  }

  /// How a uniform of a line is declared here.
  private func declaration(in line: String) -> String {
    let words = GLSLText.tokens(GLSLText.withoutComments(line)).map(String.init)
    guard let place = words.firstIndex(where: { Self.types[$0] != nil }),
      place + 1 < words.count, let type = Self.types[words[place]]
    else { return "declare it in the INPUTS of the header instead" }
    return "declare it in the header instead: \"INPUTS\": [{\"NAME\": \"\(words[place + 1])\", "
      + "\"TYPE\": \"\(type)\"}]"
  }
}
