/// Maps the words of an ISF file to their names in the kernel.
struct ISFNames: Sendable {
  /// The names of the images, in the order of their numbers.
  let images: [String]
  /// The numbers of the images, by their names; the first number if a name is repeated.
  let imageNumbers: [String: Int]
  private let inputs: Set<String>
  private let renamed: [String: String]
  /// Words that are not renamed in a call, because GLSL has a function of that name.
  private let notWhenCalled: Set<String>

  /// `own` are the names that the text defines at file scope; in a vertex shader they get a suffix,
  /// because the fragment shader may have the same names.
  init(_ header: ISFHeader, own: Set<String>, isVertexStage: Bool) {
    images = header.images
    imageNumbers = header.imageNumbers
    inputs = Set(header.header.inputs.map(\.name))
    var renamed = isVertexStage ? Self.vertexWords : Self.fragmentWords
    for word in Self.kfrecWords + Self.laterWords + Self.vulkanTypes {
      renamed[word] = word + "_isf"
    }
    var called = Set(Self.vulkanTypes.filter { ISFImageCall.functions[$0] != nil })
    for input in header.header.inputs where Self.glslName(ofInput: input.name) != input.name {
      renamed[input.name] = Self.glslName(ofInput: input.name)
      if Self.builtInFunctions.contains(input.name) { called.insert(input.name) }
    }
    for (number, name) in header.images.enumerated() {
      renamed[name] = ISFImageCall.idName(number)
      renamed["_\(name)_imgRect"] = "vec4(0.0, 0.0, 1.0, 1.0)"
      renamed["_\(name)_imgSize"] = "\(ISFImageCall.size.name(number))(\(number))"
      renamed["_\(name)_flip"] = "false"
      if Self.builtInFunctions.contains(name) { called.insert(name) }
    }
    if isVertexStage {
      for name in own where renamed[name] == nil || renamed[name] == name + "_isf" {
        renamed[name] = name + "_vs"
      }
    }
    self.renamed = renamed
    notWhenCalled = called
  }

  /// Returns the new name of a word; nil if the word stays.
  func name(for word: String, isCalled: Bool) -> String? {
    if isCalled, let name = Self.ruledFunctions[word] { return name }
    guard let name = renamed[word], !(isCalled && notWhenCalled.contains(word)) else { return nil }
    return name
  }

  func isInput(_ name: String) -> Bool { inputs.contains(name) }

  /// The author's words, by the names that messages may contain.
  var spoken: [String: String] {
    var spoken = Derivatives.spokenNames
    for (word, name) in renamed
    where !name.contains("(") && !Self.types.contains(word)
      && !word.hasPrefix("vv_")
    {
      spoken[name] = word
    }
    for (function, name) in Self.ruledFunctions { spoken[name] = function }
    for (number, name) in images.enumerated() {
      for (function, call) in ISFImageCall.functions.sorted(by: { $0.key > $1.key }) {
        spoken[call.name(number)] = function
        spoken[call.anyName] = function
      }
      spoken[ISFImageCall.idName(number)] = name
    }
    return spoken
  }

  /// Returns the name of an input's value in the uniform block.
  static func glslName(ofInput name: String) -> String {
    EffectNames.isReserved(name) || builtInFunctions.contains(name) ? "kf_in\(name)" : name
  }

  private static let types = ["sampler2D", "sampler2DRect"]

  private static let anyStage: [String: String] = {
    var words = ["sampler2D": "int", "sampler2DRect": "int"]
    for (function, call) in ISFImageCall.functions where function.contains("_") {
      words[function] = call.anyName
    }
    return words
  }()

  private static let fragmentWords = anyStage.merging(
    [
      "main": "kf_main", "discard": "kf_discarded = true", "gl_FragColor": "kf_FragColor",
      "gl_FragCoord": "kf_FragCoord", "gl_FragDepth": "kf_FragDepth",
      "vv_FragNormCoord": "isf_FragNormCoord", "isf_FragCoord": "kf_FragCoord.xy",
      "vv_FragCoord": "kf_FragCoord.xy",
    ], uniquingKeysWith: { first, _ in first })

  private static let vertexWords = anyStage.merging(
    [
      "main": "kf_vertexMain", "gl_Position": "kf_Position",
      "isf_vertShaderInit": "kf_vertexInit", "vv_vertShaderInit": "kf_vertexInit",
      "isf_FragNormCoord": "kf_vertexNorm", "vv_FragNormCoord": "kf_vertexNorm",
    ], uniquingKeysWith: { first, _ in first })

  /// The names of kfrec's own functions and values around the text.
  private static let kfrecWords = words(
    """
    frame framePixel frameSize PIXEL effect store hash noise earlier earlierPixel previous
    previousPixel FRAMERATE
    """)

  /// Functions of GLSL for which an ISF file gets kfrec's version.
  static let ruledFunctions = ["pow": ISFPower.name]

  /// Words of GLSL that were not reserved in the version that ISF's hosts use.
  private static let laterWords = words(
    """
    sample buffer shared coherent volatile restrict readonly writeonly patch precise subroutine
    resource atomic_uint image1D image2D image3D sampler subpassInput
    """)

  /// Types of Vulkan's GLSL, which are names like any other in the GLSL of ISF's hosts (GL_KHR_vulkan_glsl).
  static let vulkanTypes: [String] = {
    let shapes = words(
      """
      texture1D texture2D texture3D textureCube texture2DRect texture1DArray texture2DArray textureCubeArray textureBuffer
      texture2DMS texture2DMSArray
      """)
    return shapes + shapes.flatMap { ["i" + $0, "u" + $0] } + ["samplerShadow", "subpassInputMS"]
  }()

  /// GLSL 4.60 specification, chapter 8; only the names that a file may use for something else.
  static let builtInFunctions = Set(
    words(
      """
      radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2
      log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp
      mix step smoothstep isnan isinf fma frexp ldexp length distance dot cross normalize faceforward
      reflect refract matrixCompMult outerProduct transpose determinant inverse lessThan
      lessThanEqual greaterThan greaterThanEqual equal notEqual any all not texture textureSize
      textureLod texelFetch textureProj textureOffset textureGrad textureGather barrier bitCount
      findLSB findMSB dFdx dFdy fwidth noise1 noise2 noise3 noise4
      """))

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
