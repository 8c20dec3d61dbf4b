import ShaderCompiler
import TestSupport
import Testing

/// Tests of the files that `KFREC_DUMP_SHADERS` requests.
@Suite struct ShaderDumpTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ effects: String..., environment: [String: String?]) throws -> ChildResult {
    try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "1"] + effects.flatMap { ["-e", $0] }
        + ["-o", "null"], in: folder, environment: environment)
  }

  private func texts() throws -> [(name: String, text: String)] {
    try namesInFolder(folder.file("texts")).map {
      ($0, String(decoding: try readFile(folder.file("texts/\($0)")), as: UTF8.self))
    }
  }

  /// Makes the folder and returns the environment that names it.
  private func environment() throws -> [String: String?] {
    _ = try runTool("mkdir", [folder.file("texts")])
    return ["KFREC_DUMP_SHADERS": "texts", "XDG_CACHE_HOME": folder.file("caches")]
  }

  @Test("The text of every kernel is written, contains the effect, and compiles alone")
  func writes() throws {
    let environment = try environment()
    try folder.write("vec4 effect(vec2 uv) { return frame(uv).bgra; }\n".utf8, to: "my own.comp")
    let result = try record(
      "separateRGB", "./my own.comp", "gaussianBlur", environment: environment)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let texts = try texts()
    let kinds = Set(texts.map { $0.name.drop { $0.isNumber }.dropFirst() })
    for kind in ["load+separateRGB+texture", "texture+my_own+texture"] {
      #expect(kinds.contains("\(kind).comp"), "\(kinds)")
    }
    #expect(kinds.contains { $0.hasPrefix("texture+gaussianBlur-pass1+texture") }, "\(kinds)")
    // The last pass writes the output.
    #expect(
      kinds.contains { $0.hasPrefix("texture+gaussianBlur-pass") && $0.hasSuffix("+store.comp") },
      "\(kinds)")
    #expect(kinds.contains("trial+texture+my_own+texture.comp"), "\(kinds)")
    let own = try #require(texts.first { $0.name.hasSuffix("-texture+my_own+texture.comp") })
    #expect(own.text.contains("return frame(uv).bgra;"))
    let effects = "\(repositoryRoot)/Effects"
    let compiler = try ShaderCompiler()
    for (name, text) in texts {
      _ = try compiler.compile(
        source: text, name: name,
        includes: IncludeResolver(roots: [effects, "\(effects)/include", folder.path]))
    }
  }

  @Test("Texts are written for kernels from the cache too, and no file is written twice")
  func twice() throws {
    let environment = try environment()
    try folder.write("mine".utf8, to: "texts/07-mine.comp")
    #expect(try record("separateRGB", environment: environment).exitCode == 0)
    let first = try texts()
    #expect(first.count > 2 && first.allSatisfy { $0.name.first == "0" || $0.name.first == "1" })
    #expect(first[0].name == "07-mine.comp" && first[1].name.hasPrefix("08-"), "\(first[1].name)")
    #expect(try record("separateRGB", environment: environment).exitCode == 0)
    let second = try texts()
    #expect(second.count == 2 * first.count - 1)
    for (name, text) in first { #expect(second.contains { $0 == (name, text) }, "\(name)") }
    // Without the numbers.
    func bodies(_ texts: some Sequence<(name: String, text: String)>) -> Set<Substring> {
      Set(
        texts.compactMap { text in
          text.text.firstRange(of: "#version").map { text.text[$0.lowerBound...] }
        })
    }
    #expect(bodies(first) == bodies(second))
  }

  @Test("A text with a mistake is written too")
  func mistake() throws {
    let environment = try environment()
    try folder.write("vec4 effect(vec2 uv) { return nope; }\n".utf8, to: "a.comp")
    let result = try KfrecProcess.run(
      ["check", "./a.comp"], in: folder, environment: environment)
    #expect(result.exitCode == 1)
    let own = try #require(texts().first { $0.name.hasSuffix("trial+texture+a+texture.comp") })
    #expect(own.text.contains("return nope;"))
  }

  @Test(
    "A folder without write permission gives one warning, and the work continues",
    arguments: [["-i", "testsrc", "--frames", "1", "-o", "null"], ["check"], ["golden"]])
  func nowhere(words: [String]) throws {
    let file = try folder.write([], to: "file")
    try folder.write("vec4 effect(vec2 uv) { return frame(uv).bgra; }\n".utf8, to: "a.comp")
    let effect = words.count > 1 ? ["-e", "./a.comp"] : ["./a.comp"]
    for place in ["\(file)/below", folder.file("nothing"), file] {
      let result = try KfrecProcess.run(
        words + effect, in: folder, environment: ["KFREC_DUMP_SHADERS": place])
      #expect(result.exitCode == (words == ["golden"] ? 1 : 0), "\(result)")
      let reported = result.errors.split(separator: "\n").filter {
        $0.contains("KFREC_DUMP_SHADERS")
      }
      #expect(reported.count == 1, "\(result)")
      #expect(
        reported.first?.contains("no shader texts are written to \(place)") == true, "\(result)")
    }
  }
}
