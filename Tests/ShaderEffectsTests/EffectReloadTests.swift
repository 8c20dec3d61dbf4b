import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite("Effects whose files change") struct EffectReloadTests {
  private static let toy = "void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(1.0);\n}\n"
  private static let export = """
    {"renderpass": [
      {"type": "common", "name": "Common", "filename": "parts/common.txt", "code": ""},
      {"type": "image", "name": "Image", "filename": "parts/image.txt", "code": ""}]}

    """

  /// The files of an effect, its own file first.
  private static let kinds: [[(name: String, text: String)]] = [
    [("a.comp", "vec4 effect(vec2 uv) {\n  return vec4(1.0);\n}\n")],
    [
      ("a.comp", "#include \"part.glsl\"\nvec4 effect(vec2 uv) { return part; }\n"),
      ("part.glsl", "\nconst vec4 part = vec4(1.0);\n"),
    ],
    [("a.fs", "/*{\"ISFVSN\": \"2\"}*/\nvoid main() { gl_FragColor = vec4(1.0); }\n")],
    [
      ("a.fs", "/*{\"ISFVSN\": \"2\"}*/\nvoid main() { gl_FragColor = vec4(1.0); }\n"),
      ("a.vs", "\nvoid main() { isf_vertShaderInit(); }\n"),
    ],
    [("a.frag", toy)],
    [("a.frag", "uniform float u_time;\nvoid main() {\n  gl_FragColor = vec4(u_time);\n}\n")],
    [("a.glsl", toy)],
    [("a.glsl", "vec4 transition(vec2 uv) {\n  return getFromColor(uv);\n}\n")],
    [
      ("a.json", export), ("parts/common.txt", "\nfloat one = 1.0;\n"), ("parts/image.txt", toy),
    ],
  ]

  @Test(
    "Each file of an effect is watched, whatever its newlines",
    arguments: ["\n", "\r\n", "\r"])
  func files(lineEnd: String) throws {
    for files in Self.kinds {
      let folder = try EffectFolder()
      func write(_ file: (name: String, text: String), after mark: String = "") throws {
        try folder.write(file.name, (file.text + mark).replacing("\n", with: lineEnd))
      }
      for file in files { try write(file) }
      let effect = try folder.library.compile(
        EffectSpec(name: files[0].name), with: ShaderCompiler())
      #expect(!effect.isOutdated, "\(files[0].name) of \(files.count)")
      for file in files {
        let place = "\(folder.path)/\(file.name)"
        #expect(effect.folders.contains(SourceFile.folder(of: place)), "\(file.name)")
        try write(file, after: " \n")
        #expect(effect.isOutdated, "\(file.name)")
        try write(file)
        #expect(!effect.isOutdated, "\(file.name)")
      }
    }
  }

  @Test("There is an effect in every language of the table")
  func languages() {
    let known = Self.kinds.map { EffectLanguage.ofFile($0[0].name, text: $0[0].text)?.name }
    #expect(Set(known) == Set(EffectLanguage.all.map(\.name)))
  }

  @Test("A new vertex shader beside an ISF file makes it another effect")
  func vertex() throws {
    let folder = try EffectFolder()
    try folder.write("a.fs", Self.kinds[2][0].text)
    let effect = try folder.library.compile(EffectSpec(name: "a.fs"), with: ShaderCompiler())
    #expect(!effect.isOutdated)
    try folder.write("a.vs", Self.kinds[3][1].text)
    #expect(effect.isOutdated)
  }
}
