import GPU
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite("ISF files") struct ISFFileTests {
  private func file(_ header: String) throws -> EffectFile {
    try EffectFile(path: "a.fs", source: "/*\(header)*/\nvoid main() {}\n")
  }

  private func input(_ fields: String) throws -> EffectInput {
    let file = try file(#"{"INPUTS": [{"NAME": "a", \#(fields)}]}"#)
    return try #require(file.header.inputs.first)
  }

  @Test("An effect's inputs decide its role")
  func role() throws {
    func role(_ names: String...) throws -> EffectRole {
      let inputs = names.map { #"{"NAME": "\#($0)", "TYPE": "image"}"# }.joined(separator: ", ")
      return try file(#"{"INPUTS": [\#(inputs)]}"#).role
    }
    #expect(try role("inputImage", "mask") == .filter)
    #expect(try role("startImage", "endImage") == .transition)
    #expect(try role("mask") == .generator)
    #expect(try role() == .generator)
  }

  @Test(
    "Values are read as in other ISF hosts",
    arguments: [
      (#""TYPE": "float", "DEFAULT": 7, "MIN": 0, "MAX": 2"#, [2.0]),
      (#""TYPE": "float", "DEFAULT": "0.25", "MIN": 0"#, [0.25]),
      (#""TYPE": "float", "MIN": 1, "MAX": 4"#, [2.5]),
      (#""TYPE": "float", "MIN": 4, "MAX": 1, "ODD": {}"#, [0.5]),
      (#""TYPE": "bool""#, [1]), (#""TYPE": "bool", "DEFAULT": 0.0, "MIN": 0"#, [0]),
      (#""TYPE": "bool", "DEFAULT": "true""#, [1]),
      (#""TYPE": "long", "VALUES": [1, 2], "LABELS": ["one"], "DEFAULT": 9"#, [9]),
      (#""TYPE": "long", "DEFAULT": 2.7, "MIN": 0"#, [2]),
      (#""TYPE": "point2D", "DEFAULT": [320, 240], "MIN": [0, 0], "MAX": [1, 1]"#, [320, 240]),
      (#""TYPE": "point2D", "DEFAULT": 3"#, [0, 0]),
      (#""TYPE": "color", "DEFAULT": [0.5, 2, 0]"#, [0.5, 1, 0, 1]),
      (#""TYPE": "color", "DEFAULT": "red""#, [1, 1, 1, 1]), (#""TYPE": "event""#, [0]),
    ])
  func defaults(fields: String, value: [Double]) throws {
    #expect(try input(fields).defaultValue == value)
  }

  @Test("A menu keeps its labels where there are as many as values")
  func menu() throws {
    let whole = try input(#""TYPE": "long", "VALUES": [4, 5], "LABELS": ["four", 5]"#)
    #expect(whole.choices.map(\.label) == ["four", "5"])
    let short = try input(#""TYPE": "long", "VALUES": [4, 5], "LABELS": ["four"], "DEFAULT": 6"#)
    #expect(short.choices.map(\.label) == ["4", "5", "6"])
  }

  @Test("Passes are read as in other ISF hosts")
  func passes() throws {
    let header = try file(
      """
      {"PASSES": [{"TARGET": "a", "WIDTH": "$WIDTH/2", "HEIGHT": " ", "PERSISTENT": "1", "X": 1},
        {"FLOAT": true, "WIDTH": 5}, {"TARGET": "b", "WIDTH": 3, "FLOAT": 0}]}
      """
    ).header
    #expect(header.passes.map(\.isPersistent) == [true, false, false])
    #expect(header.passes.map(\.isFloat) == [false, false, false])
    #expect(header.passes.map { $0.width == nil } == [false, false, true])
    #expect(header.passes.allSatisfy { $0.height == nil })
    #expect(try file(#"{"PASSES": []}"#).header.passes.isEmpty)
    #expect(try file(#"{"PASSES": [{"WIDTH": "$WIDTH"}]}"#).header.passes.isEmpty)
  }

  @Test("The header is found anywhere, with any newlines, and a mistake in it is shown")
  func header() throws {
    let old = "// a\r/* b */\r\r/*\r{\"CREDIT\": \"me\", \"CREDIT\": \"you\"}\r*/\rvoid main() {}\r"
    #expect(try EffectFile(path: "a.fs", source: old).header.credit == "you")
    let wrong = "\n/*{\n  \"INPUTS\": [,]\n}*/\nvoid main() {}\n"
    let error = try #require(throws: EffectError.self) {
      try EffectFile(path: "a.fs", source: wrong)
    }
    #expect(error.description.hasPrefix("a.fs:3:14: error: "))
    let none = try #require(throws: EffectError.self) {
      try EffectFile(path: "a.fs", source: "void main() {}\n")
    }
    #expect(none.description.contains("an ISF file has a header"))
  }

  private func error(_ fragment: String, vertex: String? = nil) throws -> String {
    let folder = try EffectFolder()
    try folder.write(
      "a.fs", "/*{\"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}]}*/\n" + fragment)
    if let vertex { try folder.write("a.vs", vertex) }
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    }
    return error.description.replacing(folder.path + "/", with: "")
  }

  @Test("Errors use the author's lines and words, in both files")
  func mistakes() throws {
    let colored = try error(
      "#version 150\nvoid main() {\n\t/* two\n\tlines */ gl_FragColor = nope;\n}\n")
    #expect(
      colored.hasPrefix(
        "a.fs:5:26: error: 'nope': undeclared identifier\n\tlines */ gl_FragColor = nope;\n"))
    let read = try error("void main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, 1, 2, 3); }\n")
    #expect(read.hasPrefix("a.fs:2:30: error: 'IMG_NORM_PIXEL': no matching overloaded function"))
    let vertex = try error(
      "varying vec2 at;\nvoid main() { gl_FragColor = vec4(at, 0, 1); }\n",
      vertex: "varying vec2 at;\nvoid main() {\n  isf_vertShaderInit();\n  at = isf_FragNorm;\n}\n")
    #expect(
      vertex.hasPrefix(
        "a.vs:4:8: error: 'isf_FragNorm': undeclared identifier\n  at = isf_FragNorm;"))
  }

  @Test("Lines keep their numbers")
  func lines() throws {
    let text = "#version 120\nvarying\n  vec2 a;\n\nuniform sampler2D b;\nvoid main() { a; } // c\n"
    let translated = ISFTranslation(
      GLSLText.withoutComments(text), header: ISFHeader(), isVertexStage: false)
    let lines = translated.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == text.count { $0 == "\n" } + 1)
    #expect(lines[5].trimmingPrefix { $0 == " " }.hasPrefix("void kf_main() { a; }"))
    #expect(translated.variables.map(\.name) == ["a", "b"])
  }

  @Test(
    "An effect is per pixel if it reads only its own pixel",
    arguments: [
      ("gl_FragColor = IMG_THIS_PIXEL(inputImage);", true),
      ("gl_FragColor = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord);", true),
      ("gl_FragColor = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord.yx);", false),
      ("vec2 p = isf_FragNormCoord; gl_FragColor = IMG_NORM_PIXEL(inputImage, p);", false),
    ])
  func perPixel(body: String, isPerPixel: Bool) throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.fs",
      "/*{\"INPUTS\": [{\"NAME\": \"inputImage\", \"TYPE\": \"image\"}]}*/\nvoid main() { \(body) }\n"
    )
    let effect = try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    #expect(effect.traits.isPerPixel == isPerPixel)
    #expect(!effect.traits.isAlone)
  }

  @Test("In sizes of passes an input may have the name of the frame's shorter side")
  func side() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.fs",
      """
      /*{"INPUTS": [{"NAME": "SIDE", "TYPE": "float", "DEFAULT": 5, "MIN": 1, "MAX": 9}],
        "PASSES": [{"TARGET": "x", "WIDTH": "$SIDE", "HEIGHT": "$HEIGHT"}, {}]}*/
      void main() { gl_FragColor = IMG_THIS_PIXEL(x) * SIDE; }
      """)
    let effect = try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    let size = try effect.passPlan(width: 40, height: 30, storage: .images).size(of: 0)
    #expect(size.width == 5 && size.height == 30)
  }

  @Test("An input that only the vertex shader uses is used")
  func usedInVertexShader() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.fs",
      """
      /*{"INPUTS": [{"NAME": "spread", "TYPE": "float"}, {"NAME": "idle", "TYPE": "float"}]}*/
      varying vec2 at;
      void main() { gl_FragColor = vec4(at, 0.0, 1.0); }
      """)
    try folder.write(
      "a.vs", "varying vec2 at;\nvoid main() { isf_vertShaderInit(); at = vec2(spread); }\n")
    let effect = try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    #expect(effect.warnings.count == 1)
    #expect(effect.warnings.first?.contains("'idle'") == true)
  }

  @Test("A name is searched as a native effect first")
  func search() throws {
    let folder = try EffectFolder()
    try folder.write("a.fs", "/*{\"DESCRIPTION\": \"isf\"}*/\nvoid main() {}\n")
    try folder.write("b.fs", "/*{\"DESCRIPTION\": \"isf\"}*/\nvoid main() {}\n")
    try folder.write("b.comp", "/*{\"DESCRIPTION\": \"native\"}*/\n")
    #expect(try folder.library.describe("a").description == "isf")
    #expect(try folder.library.describe("a").role == .generator)
    #expect(try folder.library.describe("b").description == "native")
    #expect(try folder.library.describe("b.fs").description == "isf")
    #expect(try folder.library.describe("\(folder.path)/b.fs").name == "b")
    #expect(try folder.library.descriptions().map(\.name) == ["a", "b"])
  }
}
