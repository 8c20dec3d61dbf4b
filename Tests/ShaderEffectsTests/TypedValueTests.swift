import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of how people may write effects and their values.
@Suite struct TypedValueTests {
  private static let source = """
    /*{"INPUTS": [
      {"NAME": "amount", "TYPE": "float", "DEFAULT": 0},
      {"NAME": "gain", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 4},
      {"NAME": "tint", "TYPE": "color"},
      {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0, 0]}
    ]}*/
    vec4 effect(vec2 uv) { return framePixel(); }
    """

  private func value(_ name: String, in words: String) throws -> ParameterTrack? {
    let file = try EffectFile(path: "a.comp", source: Self.source)
    let tracks = try ParameterValues.resolve(EffectSpec(parsing: "a:" + words), for: file)
    return zip(file.header.inputs, tracks).first { $0.0.name == name }?.1
  }

  private static let named: [(String, [Double])] = [
    ("red", [1, 0, 0, 1]), ("White", [1, 1, 1, 1]), ("ff0000", [1, 0, 0, 1]),
    ("tan", [0xd2, 0xb4, 0x8c, 0xff].map { Double($0) / 255 }),
  ]

  @Test("a colour may have a name of CSS, in any case", arguments: named)
  func colors(_ word: String, _ parts: [Double]) throws {
    #expect(try value("tint", in: "tint=\(word)") == ParameterTrack(parts))
  }

  @Test("names of colours have keyframes, and @ is no alpha")
  func colorKeyframes() throws {
    let track = try value("tint", in: "tint=red@0..blue@1")
    #expect(track?.keyframes.map(\.value) == [[1, 0, 0, 1], [0, 0, 1, 1]])
    #expect(try value("tint", in: "tint=red@0.5")?.keyframes.map(\.value) == [[1, 0, 0, 1]])
    for word in ["random", "bluish", "0xff0000", ""] {
      #expect(throws: EffectError.self) { try value("tint", in: "tint=\(word)") }
    }
  }

  @Test("a percentage is a part of 0 to 1, and is refused where the range is another")
  func percentages() throws {
    #expect(try value("amount", in: "amount=50%") == 0.5)
    #expect(try value("amount", in: "amount=0%@0..100%@2")?.keyframes.map(\.value) == [[0], [1]])
    #expect(try EffectSpec(parsing: "a:mix=25%").mix == 0.25)
    for words in ["amount=150%", "gain=50%", "amount=%", "mix=101%"] {
      #expect(throws: EffectError.self) { try value("amount", in: words) }
    }
  }

  @Test(
    "blanks round the names of parameters and round numbers mean nothing, and those of words stay")
  func blanks() throws {
    let spec = try EffectSpec(
      parsing: "a: amount=0.5 , center = 0.25/0.5, mix= 0.5 ,from=1, words= hi ")
    #expect(spec.parameters.map(\.name) == ["amount", "center", "words"])
    #expect(spec.parameters.last?.value == " hi ")
    #expect(spec.mix == 0.5)
    #expect(spec.from == .one)
    #expect(try value("amount", in: "amount= 0.5 , gain=1") == 0.5)
    #expect(try value("center", in: "amount=1, center = 0.25/0.5") == ParameterTrack([0.25, 0.5]))
    #expect(throws: EffectError.self) { try EffectSpec(parsing: "a:x=1, x=2") }
    let moved = EffectSpec.rewriting("a:x=1, image=b.png", name: "a") {
      $0 == "image" ? "c.png" : $1
    }
    #expect(moved == "a:x=1,image=c.png")
  }

  @Test("a wrong name suggests the effects that contain it, then those that are near")
  func names() throws {
    let folder = try EffectFolder()
    for name in ["boxBlur", "gaussianBlur", "blue", "vhs"] {
      try folder.write(name + ".comp", "vec4 effect(vec2 uv) { return framePixel(); }\n")
    }
    func message(_ name: String) -> String {
      let error = #expect(throws: EffectError.self) { try folder.library.describe(name) }
      return error?.description ?? ""
    }
    #expect(message("blur").hasSuffix("did you mean 'boxBlur' or 'gaussianBlur' or 'blue'?"))
    #expect(message("vhx").hasSuffix("did you mean 'vhs'?"))
    #expect(message("zzz").hasSuffix("'kfrec effects' lists all effects"))
  }

  @Test(
    "an error about a word of another host says what kfrec's own language has",
    arguments: [
      (
        "return vec4(texture(fft, uv).r);",
        "'fft' is read by functions here: fft(uv), fftPixel(p) and fftSize()"
      ),
      ("return texture(frame, uv);", "'frame' is read by functions here"),
      (
        "return texelFetch(fft, ivec2(0), 0);",
        "'texelFetch': no matching overloaded function found; kfrec's own language has NAMEPixel(p)"
      ),
      ("return vec4(iTime);", "'iTime': undeclared identifier; kfrec's own language has TIME"),
      ("return vec4(gl_FragCoord.x);", "kfrec's own language has PIXEL"),
    ])
  func foreignWords(_ body: String, _ hint: String) throws {
    let message = try error(
      "/*{\"INPUTS\": [{\"NAME\": \"fft\", \"TYPE\": \"audioFFT\"}]}*/\nvec4 effect(vec2 uv) { \(body) }\n"
    )
    // Newer versions of glslang name the function alone.
    let ofFunction =
      "'texture': no matching overloaded function found; kfrec's own language has NAME(uv)"
    #expect(
      message.contains(hint) || hint.contains("is read by") && message.contains(ofFunction),
      "\(message)")
  }

  @Test(
    "a uniform is answered with the input that it should be",
    arguments: [
      ("uniform float x;", "{\"NAME\": \"x\", \"TYPE\": \"float\"}"),
      ("uniform vec2 place;", "{\"NAME\": \"place\", \"TYPE\": \"point2D\"}"),
      ("uniform sampler2D picture;", "{\"NAME\": \"picture\", \"TYPE\": \"image\"}"),
      ("uniform mat3 m;", "declare it in the INPUTS of the header instead"),
    ])
  func uniforms(_ line: String, _ hint: String) throws {
    let message = try error("\(line)\nvec4 effect(vec2 uv) { return framePixel(); }\n")
    #expect(message.contains(hint), "\(message)")
  }

  @Test("an author's own mistake gets no hint")
  func ownMistake() throws {
    let message = try error("vec4 effect(vec2 uv) { return vec4(nothing); }\n")
    #expect(message.contains("'nothing': undeclared identifier\n"))
  }

  private func error(_ source: String) throws -> String {
    let folder = try EffectFolder()
    try folder.write("a.comp", source)
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(name: "a"), with: ShaderCompiler())
    }
    return error.description
  }
}
