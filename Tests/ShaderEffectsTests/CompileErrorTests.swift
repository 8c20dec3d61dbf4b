import DiskCache
import Foundation
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct CompileErrorTests {
  /// Returns the error's text without the folder's path.
  private func error(
    _ source: String, _ files: [String: String] = [:], name: String = "a.comp"
  ) throws -> String {
    let folder = try EffectFolder()
    try folder.write(name, source)
    for (name, text) in files { try folder.write(name, text) }
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: name), with: ShaderCompiler())
    }
    #expect(!error.isUsageError)
    return error.description.replacing(folder.path + "/", with: "")
  }

  private let header = "/*{\n  \"DESCRIPTION\": \"d\"\n}*/\n"

  @Test("A missing semicolon is shown in the author's own line")
  func semicolon() throws {
    #expect(
      try error(header + "vec4 effect(vec2 uv) {\n  vec4 c = frame(uv)\n  return c;\n}\n") == """
        a.comp:6:3: error: syntax error, unexpected RETURN, expecting COMMA or SEMICOLON
          return c;
          ^
        """)
  }

  @Test(
    "An effect's own resource is refused at its declaration, used or not",
    arguments: [
      ("layout(set = 1, binding = 0) uniform sampler2D t;", "texture(t, uv)", 48, "t"),
      ("layout(binding = 0) uniform sampler2D t;", "texture(t, uv)", 39, "t"),
      ("layout(binding = 7) uniform sampler2D t;", "vec4(1.0)", 39, "t"),
      ("layout(set = 3, binding = 0) buffer B { float x[]; };", "vec4(x[0])", 37, "B"),
      ("layout(set = 3, binding = 0) buffer B { float x; } b[2];", "vec4(b[1].x)", 52, "b"),
      ("layout(binding = 0, rgba16f) uniform image2D t;", "imageLoad(t, PIXEL)", 46, "t"),
      ("layout(set = 1, binding = 0) uniform B { float z; };", "vec4(z)", 38, "B"),
      ("layout(push_constant) uniform P { float a; };", "vec4(a)", 31, "P"),
      ("layout(binding = 7) uniform sampler2D kf_t;", "texture(kf_t, uv)", 39, "kf_t"),
      ("/* ä t */ layout(binding = 7) uniform texture2D t;", "vec4(1.0)", 49, "t"),
    ])
  func ownResources(declaration: String, value: String, column: Int, name: String) throws {
    let found = try error("// t\n\(declaration)\nvec4 effect(vec2 uv) { return \(value); }\n")
    #expect(
      found.hasPrefix(
        "a.comp:2:\(column): error: an effect may not declare its own resources ('\(name)'); "),
      "\(found)")
  }

  @Test("#line does not hide where an error is")
  func lineDirective() throws {
    #expect(
      try error("#line 100 \"other.glsl\"\nvec4 effect(vec2 uv) {\n  return nonsense;\n}\n")
        .hasPrefix("a.comp:3:10: error: 'nonsense': undeclared identifier\n  return nonsense;"))
  }

  @Test("A type of Vulkan's GLSL in the place of a name is explained")
  func vulkanType() throws {
    #expect(
      try error("vec4 effect(vec2 uv) { vec4 texture2D = framePixel(); return texture2D; }\n")
        .contains("'texture2D' is a type of Vulkan's GLSL; use another name"))
  }

  @Test(
    "A fragment shader of another language in a .comp is told which name it needs",
    arguments: [
      (
        "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }", "Shadertoy",
        "a.glsl"
      ),
      (
        "uniform sampler2D u_tex0;\nvoid main() { gl_FragColor = texture2D(u_tex0, vec2(0.5)); }",
        "glslViewer", "a.frag"
      ),
      ("out vec4 color;\nvoid main() { color = vec4(1.0); }", "glslViewer", "a.frag"),
      ("/*{\"INPUTS\": []}*/\nvoid main() { gl_FragColor = vec4(1.0); }", "ISF", "a.fs"),
      ("vec4 transition(vec2 uv) { return getFromColor(uv); }", "gl-transitions", "a.glsl"),
    ])
  func otherLanguage(text: String, language: String, name: String) throws {
    let message = try error(text + "\n")
    #expect(
      message.contains(
        "is written for \(language), and .comp is kfrec's own language; copy it to \(name), and use that"
      ),
      "\(message)")
  }

  @Test("A declaration assembled by macros is refused too")
  func hiddenResource() throws {
    let found = try error(
      """
      #define FORM(a) layout(binding = 7) uni ## a sampler2D t
      FORM(form);
      vec4 effect(vec2 uv) { return texture(t, uv); }
      """)
    #expect(
      found.hasPrefix("a.comp:1:56: error: an effect may not declare its own resources ('t'); "),
      "\(found)")
  }

  @Test("An effect's own resource is found in an included file, and with passes")
  func ownResourcesElsewhere() throws {
    let found = try error(
      """
      /*{"PASSES": [{"TARGET": "a"}, {}]}*/
      #include "lib.glsl"
      vec4 effect(vec2 uv) { return PASSINDEX == 0 ? texture(t, uv) : aPixel(PIXEL); }
      """,
      ["include/lib.glsl": "// t\n  layout(set = 2, binding = 7) uniform sampler2D t;\n"])
    #expect(
      found.hasPrefix("include/lib.glsl:2:50: error: an effect may not declare its own resources"),
      "\(found)")
  }

  @Test("A refused shader is not cached, and is refused again")
  func refusedAgain() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      "layout(binding = 0) uniform sampler2D t;\nvec4 effect(vec2 uv) { return texture(t, uv); }\n")
    for _ in 0..<2 {
      let compiler = try ShaderCompiler(cache: DiskCache(folder: folder.path + "/cache"))
      #expect(throws: EffectError.self) {
        try folder.library.compile(EffectSpec(parsing: "a"), with: compiler)
      }
      #expect(compiler.compilations > 0)
    }
  }

  @Test("An undefined name is shown at its place")
  func undefined() throws {
    #expect(
      try error(header + "vec4 effect(vec2 uv) {\n\treturn frame(uv) * strength;\n}\n") == """
        a.comp:5:21: error: 'strength': undeclared identifier
        \treturn frame(uv) * strength;
        \t                   ^
        """)
  }

  @Test("An error in an included file is shown in that file, and later lines keep their numbers")
  func include() throws {
    let source = "#include \"lib.glsl\"\nvec4 effect(vec2 uv) { return tone(frame(uv)); }\n"
    #expect(
      try error(source, ["include/lib.glsl": "// tone\nvec4 tone(vec4 c) { return d; }\n"])
        .hasPrefix(
          """
          include/lib.glsl:2:28: error: 'd': undeclared identifier
          vec4 tone(vec4 c) { return d; }
                                     ^
          """))
    #expect(
      try error(
        "#include \"lib.glsl\"\nvec4 effect(vec2 uv) {\n  return nope;\n}\n",
        ["include/lib.glsl": "// one\n// two\n"]
      ).hasPrefix("a.comp:3:10: error: 'nope': undeclared identifier"))
  }

  @Test(
    "A file outside the effects' folders cannot be included, in any way",
    arguments: ["/etc/passwd", "../../../../../../../../etc/passwd", "link.glsl"])
  func escape(request: String) throws {
    let folder = try EffectFolder()
    try folder.write("a.comp", "#include \"\(request)\"\nvec4 effect(vec2 uv) { return vec4(1); }")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.glsl", withDestinationPath: "/etc/passwd")
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    }
    #expect(error.description.contains("lies outside the folders from which this effect may read"))
    #expect(!error.description.contains("root:"))
  }

  @Test("A function that an effect must define is named")
  func entry() throws {
    #expect(
      try error("// vec4 effect(vec2 uv)\nvec4 other(vec2 uv) { return vec4(1); }")
        == "a.comp: defines neither 'vec4 effect(vec2 uv)' nor 'void main()'; add one of them")
    #expect(
      try error("void main() {}\n") == "a.comp: has its own main and must say the size of its work "
        + "group; add 'layout(local_size_x = 16, local_size_y = 8) in;'")
    #expect(
      try error("layout(local_size_x = 2, local_size_z = 2) in;\nvoid main() {}\n")
        == "a.comp: its work group must have a local_size_z of 1; leave out local_size_z")
  }

  @Test("A declared but unused input gives a warning with its name")
  func unused() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      #version 460
      /*{"INPUTS": [{"NAME": "used", "TYPE": "float"}, {"NAME": "idle", "TYPE": "float"},
        {"NAME": "deep", "TYPE": "point2D"}],
        "CONSTANTS": [{"NAME": "k", "VALUE": "deep.x"}]}*/
      #extension GL_EXT_control_flow_attributes : enable
      // idle
      vec4 effect(vec2 uv) { return frame(uv) * used * k; }
      """)
    let effect = try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    #expect(
      effect.warnings == [
        """
        \(folder.path)/a.comp:2:59: input 'idle' is declared and never used; use it or take it out
        /*{"INPUTS": [{"NAME": "used", "TYPE": "float"}, {"NAME": "idle", "TYPE": "float"},
        \(String(repeating: " ", count: 58))^
        """
      ])
  }

  @Test("Every function of the reference can be called")
  func reference() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      vec4 effect(vec2 uv) {
        float n = hash(1) + hash(PIXEL) + hash(ivec3(PIXEL, FRAMEINDEX));
        n += noise(uv) + noise(vec3(uv, TIME)) + TIMEDELTA + FRAMERATE + float(PASSINDEX);
        return frame(uv) + framePixel(PIXEL) * n + DATE + vec4(frameSize(), RENDERSIZE);
      }
      """)
    #expect(
      try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler()).warnings == [])
  }

  @Test("A missing } is shown at the end of the author's file, whatever its kind")
  func missingBrace() throws {
    let what = "error: the file ends inside of a function or block: a } is missing"
    #expect(
      try error("vec4 effect(vec2 uv) {\n  return frame(uv);\n// é\n\n") == """
        a.comp:3:5: \(what)
        // é
            ^
        """)
    #expect(
      try error("/*{\"ISFVSN\": \"2\"}*/\nvoid main() { gl_FragColor = vec4(1.0);\n", name: "a.fs")
        .hasPrefix("a.fs:2:40: \(what)\n"))
    let toy = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0);"
    #expect(try error(toy + "\n", name: "a.frag").hasPrefix("a.frag:1:55: \(what)\n"))
    let export = """
      {"renderpass": [{"code": "\(toy)}", "type": "buffer", "name": "Buffer A"},
        {"code": "\\n\(toy)", "type": "image", "name": "Image"}]}
      """
    #expect(try error(export, name: "a.json").hasPrefix("a.json (Image):2:55: \(what)\n"))
  }

  @Test("A missing #endif is shown at the end of the author's file, with the line of the #if")
  func missingEndif() throws {
    let effect = "vec4 effect(vec2 uv) { return frame(uv); }"
    for condition in ["1", "0"] {
      #expect(
        try error("\n#if \(condition)\n\(effect)\n") == """
          a.comp:3:43: error: the file ends inside of the #if of line 2: a #endif is missing
          \(effect)
          \(String(repeating: " ", count: 42))^
          """)
    }
  }

  @Test("A function that kfrec calls with other parameters is shown at its place")
  func wrongForm() throws {
    #expect(
      try error("// effect(\nvec4 effect(vec2 uv, float x) { return frame(uv); }\n") == """
        a.comp:2:6: error: 'effect' must be defined as 'vec4 effect(vec2 uv)'
        vec4 effect(vec2 uv, float x) { return frame(uv); }
             ^
        """)
    #expect(
      try error("void mainImage(out vec4 c) { c = vec4(1.0); }\n", name: "a.frag").hasPrefix(
        "a.frag:1:6: error: 'mainImage' must be defined as "
          + "'void mainImage(out vec4 color, in vec2 place)'\n"))
    #expect(
      try error("{\"renderpass\": [{\"code\": 5, \"type\": \"image\"}]}", name: "a.json").hasPrefix(
        "a.json (Image):1:1: error: 'void mainImage(out vec4 color, in vec2 place)' is missing"))
  }

  @Test("Any other error in kfrec's own text is shown at the end of the author's file")
  func anythingElse() throws {
    let text = try error("vec4 effect(vec2 uv) { return frame(uv); }\nconst float k = 1.0")
    #expect(text.hasPrefix("a.comp:2:20: error: syntax error, unexpected "))
  }

  @Test("An unknown extension is shown in the author's line")
  func unknownExtension() throws {
    let effect = "vec4 effect(vec2 uv) { return frame(uv); }\n"
    #expect(
      try error("// one\n#extension GL_EXT_nope : require\n" + effect).hasPrefix(
        "a.comp:2:1: error: '#extension': extension not supported: GL_EXT_nope\n#extension GL_EXT"))
  }

  @Test(
    "An extension under a condition that is never true is not requested",
    arguments: [
      "#if 0\n#extension GL_EXT_nope : require\n#endif\n",
      "#if 1\n#elif X\n#else\n#extension GL_EXT_nope : require\n#endif\n",
      "#ifdef GL_EXT_nope\n#extension GL_EXT_nope : require\n#endif\n",
      "#if 0\n#else\n#extension GL_EXT_control_flow_attributes : require\n#endif\n",
    ])
  func conditionalExtension(lines: String) throws {
    let folder = try EffectFolder()
    try folder.write("a.comp", lines + "vec4 effect(vec2 uv) { return frame(uv); }\n")
    let effect = try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    #expect(effect.warnings == [])
  }

  @Test("A file that includes itself gives only that error")
  func endlessInclude() throws {
    #expect(
      try error("#include \"a.comp\"\nvec4 effect(vec2 uv) { return frame(uv); }\n") == """
        a.comp:1:1: error: '#include': more than 16 files deep; does 'a.comp' include itself?
        #include "a.comp"
        ^
        """)
  }

  @Test(
    "A parameter that is written to is named at its place",
    arguments: [
      ("float b = amount; amount = 2.0;", 19, "the parameter 'amount' "),
      ("if (amount == TIME) /* amount = */ place.x += amount;", 36, "the parameter 'place' "),
      ("amount++;", 1, "the parameter 'amount' "), ("TIME *= amount;", 1, "'TIME' "),
      ("modf(1.5, amount); float c = 1.0;", 11, "the parameter 'amount' "),
      ("amount = 1.0, TIME = 1.0;", 1, "a parameter "),
    ])
  func written(line: String, column: Int, what: String) throws {
    let header = """
      /*{"INPUTS": [{"NAME": "amount", "TYPE": "float"}, {"NAME": "place", "TYPE": "point2D"}]}*/

      """
    let text = try error("\(header)vec4 effect(vec2 uv) {\n\(line)\nreturn frame(uv);\n}\n")
    #expect(
      text.hasPrefix(
        """
        a.comp:3:\(column): error: \(what)cannot be written to; copy it to your own variable first
        \(line)

        """))
    #expect(!text.contains("kf_"))
  }
}
