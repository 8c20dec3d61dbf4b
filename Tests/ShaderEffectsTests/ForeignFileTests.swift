import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite("Shadertoy and gl-transitions files") struct ForeignFileTests {
  private static let toy = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }\n"

  private func error(_ name: String, _ text: String, also: [String: String] = [:]) throws -> String
  {
    let folder = try EffectFolder()
    try folder.write(name, text)
    for (name, text) in also { try folder.write(name, text) }
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: name), with: ShaderCompiler())
    }
    return error.description.replacing(folder.path + "/", with: "")
  }

  private func compiled(_ name: String, _ text: String) throws -> (EffectFolder, EffectInstance) {
    let folder = try EffectFolder()
    try folder.write(name, text)
    return (folder, try folder.library.compile(EffectSpec(parsing: name), with: ShaderCompiler()))
  }

  @Test("An effect's channels decide its role")
  func role() throws {
    #expect(try EffectFile(path: "a.frag", source: Self.toy).role == .filter)
    let none = "void mainImage(out vec4 c, vec2 p) { c = vec4(0.0); } // iChannel0\n"
    #expect(try EffectFile(path: "a.glsl", source: none).role == .generator)
    let fade =
      "vec4 transition(vec2 uv) { return mix(getFromColor(uv), getToColor(uv), progress); }"
    #expect(try EffectFile(path: "a.glsl", source: fade).role == .transition)
  }

  @Test("Only inputs that the text names are parameters")
  func parameters() throws {
    let text = """
      /*{"DESCRIPTION": "d", "INPUTS": [{"NAME": "much", "TYPE": "float", "DEFAULT": 0.25}]}*/
      void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel2, p / iResolution.xy) * much; }
      """
    let header = try EffectFile(path: "a.frag", source: text).header
    #expect(header.inputs.map(\.name) == ["iChannel2", "much"])
    #expect(header.inputs[1].defaultValue == [0.25])
    #expect(header.description == "d")
    #expect(try compiled("a.frag", text).1.warnings.isEmpty)
  }

  @Test("A click of the pointer that is given is none whose button is still down")
  func pointer() throws {
    let text = "void mainImage(out vec4 c, in vec2 p) { c = iMouse; }\n"
    let inputs = try EffectFile(path: "a.frag", source: text).header.inputs
    #expect(inputs.first { $0.name == PointerInput.isDown }?.defaultValue == [0])
  }

  @Test(
    "A transition's uniforms are parameters, and the comment behind each is its default",
    arguments: [
      ("uniform float a; // = 30.5", "float", [30.5]), ("uniform float a;// = .5;", "float", [0.5]),
      ("uniform float a/* = -2.0 */;", "float", [-2]), ("uniform int a; // = 4", "long", [4]),
      ("uniform bool a; // = true", "bool", [1]), ("uniform bool a; // = false", "bool", [0]),
      ("uniform vec2 a; // = vec2(0.25, -1.0)", "point2D", [0.25, -1]),
      ("uniform ivec2 a; // = ivec2(50)", "point2D", [50, 50]),
      ("uniform vec3 a; // = vec3(0.5, 0.25, 1)", "color", [0.5, 0.25, 1, 1]),
      ("uniform vec4 a; // = vec4(0.5, 0.25, 1, 0)", "color", [0.5, 0.25, 1, 0]),
      ("uniform vec3 a; // = vec3(-0.5, 2, 1)", "color", [-0.5, 2, 1, 1]),
      ("uniform lowp float a; // = 1e2", "float", [100]), ("uniform sampler2D a;", "image", []),
      // Words around it, and a quotient.
      ("uniform float a; // = 1.5 (in turns)", "float", [1.5]),
      ("uniform float a; // = 0.5; range (0, 1)", "float", [0.5]),
      ("uniform float a; // = 1.0/4.0 of it", "float", [0.25]),
      ("uniform vec2 a; // = vec2 (1.0 / 4.0, 2.0f) // 3", "point2D", [0.25, 2]),
      // Several declarations in a line, and one in several lines.
      ("uniform float b, a; // = 0.75", "float", [0.75]),
      ("uniform float b; uniform float a; // = 0.75", "float", [0.75]),
      ("uniform float\n  a; // = 0.75", "float", [0.75]),
      ("uniform float a // = 0.75;\n;\n// uniform float a; // = 0.5", "float", [0.75]),
      ("uniform float a;", "float", [0.5]),
    ])
  func uniforms(line: String, type: String, value: [Double]) throws {
    let use = ["image": "texture2D(a, uv)", "color": "vec4(a.r)"][type] ?? "vec4(a)"
    let swizzle = line.contains("vec2") ? "vec4(a, a)" : use
    let text = "\(line)\nvec4 transition(vec2 uv) { return getFromColor(uv) * \(swizzle); }\n"
    let file = try EffectFile(path: "a.glsl", source: text)
    let input = try #require(file.header.inputs.first { $0.name == "a" })
    #expect(input.kind.rawValue == type)
    if type != "image" { #expect(input.defaultValue == value) }
    _ = try compiled("a.glsl", text)
  }

  @Test("Errors name lines of the author's file")
  func mistakes() throws {
    let toy = try error(
      "a.frag", "// one\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = vec4(nope);\n}\n")
    #expect(
      toy.hasPrefix("a.frag:3:12: error: 'nope': undeclared identifier\n  c = vec4(nope);\n"))
    let fade = try error("a.glsl", "vec4 transition(vec2 uv) {\n  return getFromColor(nope);\n}\n")
    #expect(fade.hasPrefix("a.glsl:2:23: error: 'nope': undeclared identifier"))
    let none = try error("a.frag", "void main() {}\n")
    #expect(none.contains("defines neither 'void mainImage"))
  }

  @Test(
    "Old and new GLSL compiles",
    arguments: [
      // Beside GLSL's own function.
      "float cross(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }"
        + "vec3 f(vec3 v) { return cross(v, v.yzx) + cross(v.xy, v.yz); }",
      "int mod(int a, int b) { return a - b * (a / b); } vec3 f(vec3 v) { return mod(v, 2.0) + mod(3, 2); }",
      // Instead of GLSL's own function.
      "float round(float x) { return floor(x + 0.5); } vec3 f(vec3 v) { return vec3(round(v.x)); }",
      // Only GLSL's own functions give a constant.
      "const vec3 a = pow(vec3(0.2, 0.4, 0.6), vec3(0.25)) * 1.0; vec3 f(vec3 v) { return pow(a, v); }",
      "#define G(x) pow(x, 2.2)\n#define H G(0.5) \\\n + 1.0\nconst float a = H; vec3 f(vec3 v) { return G(v.x) * vec3(a); }",
      "const float a[2] = float[2](pow(2.0, 3.0), 1.0); vec3 f(vec3 v) { return vec3(a[1]); }",
      "vec3 f(vec3 v) { return textureGrad(iChannel1, v.xy, dFdx(v.xy), dFdy(v.xy)).rgb"
        + " + textureOffset(iChannel1, v.xy, ivec2(1)).rgb + textureLod(iChannel1, v.xy, 2.0).rgb; }",
    ])
  func ways(text: String) throws {
    let main = "void mainImage(out vec4 c, in vec2 p) { c = vec4(f(vec3(p, 1.0)), 1.0); }"
    _ = try compiled("a.frag", "\(text)\n\(main)\n")
  }

  @Test("A file that makes no image is reported as such")
  func others() throws {
    let audio = try error("a.frag", "vec2 mainSound(float t) { return vec2(0.0); }\n")
    #expect(
      audio.hasPrefix("a.frag:1:1: error: has mainSound, which makes audio, and no mainImage"))
    #expect(try error("a.frag", "void mainVR() {}\n").contains("images for a headset"))
    let only = #"{"renderpass": [{"name": "Cube A", "type": "cubemap", "code": ""}]}"#
    #expect(
      try error("a.json", only).contains(
        #"has no pass of the type "image", which makes the frame; it has "cubemap""#))
  }

  @Test(
    "Features that kfrec does not have are named",
    arguments: [
      ("vec3(iDir)", "'iDir': undeclared identifier; only ShadertoyVR sets it, for a headset"),
      ("textureCube(iChannel1, vec3(1))", "; there are no cube maps here"),
      ("texture3D(iChannel1, vec3(1))", "; there are no images with three dimensions here"),
    ])
  func missing(value: String, message: String) throws {
    let text = "void mainImage(out vec4 c, in vec2 p) { c = vec4(\(value).x); }\n"
    #expect(try error("a.frag", text).contains(message))
  }

  private func export(
    image: String, common: String? = nil, buffer: String? = nil, inputs: String = ""
  ) -> String {
    func pass(_ name: String, _ type: String, _ code: String, _ rest: String = "") -> String {
      let code = code.replacing("\n", with: "\\n")
      return #"{"name": "\#(name)", "type": "\#(type)", "code": "\#(code)"\#(rest)}"#
    }
    var passes = [pass("Image", "image", image, #", "inputs": [\#(inputs)]"#)]
    if let common { passes.append(pass("Common", "common", common)) }
    if let buffer {
      passes.append(
        pass("Buf A", "buffer", buffer, #", "outputs": [{"id": 257, "channel": 0}]"#))
    }
    return """
      {"ver": "0.1", "info": {"name": "Title", "username": "me", "tags": ["x"]},
        "renderpass": [\(passes.joined(separator: ", "))]}
      """
  }

  @Test("An error in an export is shown in the lines of its pass")
  func exportMistakes() throws {
    let main = "void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(half2(2.0));\n}\n"
    let common = "float half2(float x) {\n  return x / nope;\n}\n"
    let shown = try error("toy.json", export(image: main, common: common))
    #expect(
      shown.hasPrefix(
        "toy.json (Common):2:14: error: 'nope': undeclared identifier\n  return x / nope;\n"))
    let image = try error(
      "toy.json",
      export(
        image: "\n\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(nope); }",
        common: "float a;\nfloat b;"))
    #expect(image.hasPrefix("toy.json (Image):3:50: error: 'nope': undeclared identifier"))
    #expect(try error("toy.json", "{\"renderpass\": [}").hasPrefix("toy.json:1:17: error: "))
    #expect(try error("toy.json", "{}").contains("it has no \"renderpass\""))
  }

  @Test("Passes, channels and images of an export are found")
  func channels() throws {
    let main = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p)"
    let file = try EffectFile(
      path: "none/toy.json",
      source: export(
        image: main + " + texture(iChannel1, p) + texture(iChannel2, p) + texture(iChannel3, p); }",
        buffer: main + "; }",
        inputs: """
          {"id": 257, "channel": 0, "ctype": "buffer", "sampler": {"filter": "nearest"}},
          {"id": 1, "channel": 1, "ctype": "texture", "src": "/media/a/rock.jpg",
            "sampler": {"wrap": "repeat", "vflip": "false"}},
          {"id": 2, "channel": 2, "ctype": "cubemap", "src": "/media/c.png"},
          {"id": 3, "channel": 3, "ctype": "music", "src": "x"}
          """))
    #expect(file.header.description == "Title")
    #expect(file.header.categories == ["x"])
    #expect(file.header.passes.map(\.name) == ["iBufferA", nil])
    #expect(file.header.passes[0].isPersistent && file.header.passes[0].isFloat)
    #expect(
      file.header.inputs.map(\.name) == ["inputImage", "iTexture1", "iSpectrum", "iWave"])
    #expect(file.role == .filter)
    let views = try #require((file.program as? ForeignFile)?.isf.views)
    #expect(
      views == [
        "iBufferA_nearest": TextureView(image: "iBufferA", isNearest: true),
        "iTexture1_repeating_turned": TextureView(
          image: "iTexture1", isRepeating: true, isUpsideDown: true),
        "iSound": TextureView(image: "iSpectrum", above: "iWave"),
      ])
    #expect(file.program.warnings == ["Image: iChannel2 is a cubemap, which is black here"])
  }

  @Test(
    "A cube map, a volume and a keyboard are black however they are read, and told; an image without a sampler repeats"
  )
  func oldChannels() throws {
    let folder = try EffectFolder()
    try folder.write(
      "toy.json",
      export(
        image: "void mainImage(out vec4 c, in vec2 p) { vec3 d = vec3(p, 1); "
          + "c = textureCube(iChannel1, d) + texture(iChannel1, d, 1.0) + textureLod(iChannel3, d, 0.0)"
          + " + texture2D(iChannel2, p) + texelFetch(iChannel0, ivec2(32, 0), 0); }",
        inputs: """
          {"id": 33, "channel": 0, "ctype": "keyboard"}, {"id": 1, "channel": 1, "ctype": "cubemap"}, {"id": 2, "channel": 3, "ctype": "volume"},
          {"id": 3, "channel": 2, "ctype": "texture", "src": "a.png"}
          """))
    let effect = try folder.library.compile(
      EffectSpec(parsing: "\(folder.path)/toy.json"), with: ShaderCompiler())
    let program = try #require(effect.shader.file.program as? ForeignFile)
    #expect(program.isf.views.keys.sorted() == ["iTexture1_repeating"])
    for reported in ["iChannel0 is a keyboard", "iChannel1 is a cubemap", "iChannel3 is a volume"] {
      #expect(effect.warnings.count { $0.contains(reported) } == 1, "\(effect.warnings)")
    }
  }

  @Test("Files of other uses with the same extensions are not listed")
  func listing() throws {
    let folder = try EffectFolder()
    try folder.write("toy.frag", Self.toy)
    try folder.write("curve.glsl", "float curve(float x) { return x; }\n")
    try folder.write("fade.glsl", "vec4 transition(vec2 uv) { return getFromColor(uv); }\n")
    try folder.write("toy.golden.json", "{\"renderpass\": 1}\n")
    try folder.write("notes.json", "{}\n")
    try folder.write("big.json", export(image: Self.toy))
    #expect(try folder.library.descriptions().map(\.name) == ["big", "fade", "toy"])
  }
}
