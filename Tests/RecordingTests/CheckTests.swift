import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of `kfrec check` with the real binary.
@Suite struct CheckTests {
  private struct Report: Decodable {
    struct Effect: Decodable {
      let name: String
      let path: String?
      let passed: Bool
      let diagnostics: [Diagnostic]
    }
    struct Diagnostic: Decodable {
      let file: String
      let line: Int?
      let column: Int?
      let severity: String
      let message: String
    }
    let effects: [Effect]
    let gpu: String?
  }

  private static let files = [
    "good.comp": "vec4 effect(vec2 uv) { return framePixel().bgra; }\n",
    "bad.comp": "vec4 effect(vec2 uv) {\n  return nothing;\n}\n",
    "header.comp": "/*{\n  \"INPUTS\": 3\n}*/\n",
    "idle.comp": """
    /*{"INPUTS": [{"NAME": "idle", "TYPE": "float"}]}*/
    vec4 effect(vec2 uv) { return framePixel().bgra; }
    """,
    "same.comp": gain(""),
    "identity.comp": gain(", \"IDENTITY\": 1"),
    "other.comp": gain(", \"IDENTITY\": 0"),
    "neutral.comp": "/*{\"NEUTRAL\": true}*/\nvec4 effect(vec2 uv) { return framePixel(); }\n",
    // NaN where red is below 0.5, and only from 0.5 s on.
    "nan.comp": """
    vec4 effect(vec2 uv) {
      vec4 color = framePixel().bgra;
      return TIME < 0.5 ? color : vec4(sqrt(color.r - 0.5), color.gba);
    }
    """,
    // Has its own main, whose result goes through a texture.
    "inf.comp": """
    layout(local_size_x = 8, local_size_y = 8) in;
    void main() { store(PIXEL, PIXEL == ivec2(3, 2) ? vec4(1.0) / 0.0 : framePixel().bgra); }
    """,
    "late.comp": "vec4 effect(vec2 uv) { return TIME < 9.0 ? framePixel() : framePixel().bgra; }\n",
  ]

  private static func gain(_ more: String) -> String {
    """
    /*{"INPUTS": [{"NAME": "gain", "TYPE": "float", "MIN": 0, "MAX": 2, "DEFAULT": 1\(more)}]}*/
    vec4 effect(vec2 uv) { return framePixel() * vec4(vec3(gain), 1.0); }
    """
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    return folder
  }

  private static let noDriver = [
    "VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent",
  ]
  .mapValues { Optional($0) }

  @Test("every effect is checked, errors have place and caret, and warnings pass by default")
  func text() throws {
    let folder = try Self.folder()
    let result = try KfrecProcess.run(
      ["check", "./bad.comp", "./good.comp", "./header.comp", "./idle.comp"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.isEmpty)
    #expect(
      result.text.hasPrefix(
        "./bad.comp:2:10: error: 'nothing': undeclared identifier\n    return nothing;\n           ^\n"
      )
    )
    #expect(result.text.contains("./good.comp: passed\n"))
    #expect(result.text.contains("./header.comp:2:13: error: INPUTS must be an array"))
    #expect(result.text.contains("./idle.comp:1:24: warning: input 'idle' is declared and never"))
    #expect(result.text.hasSuffix("./idle.comp: passed\n"))
    #expect(try KfrecProcess.run(["check", "./idle.comp"], in: folder).exitCode == 0)
    #expect(try KfrecProcess.run(["check", "--strict", "./idle.comp"], in: folder).exitCode == 1)
  }

  @Test("an effect that needs more than the GPU has is reported, and the next ones are checked")
  func tooMuch() throws {
    let folder = try Self.folder()
    let big = """
      layout(local_size_x = 1024, local_size_y = 1024) in;
      void main() { store(PIXEL, framePixel().bgra); }
      """
    try folder.write(Array(big.utf8), to: "big.comp")
    let names = (0..<130).map { "i\($0)" }
    // More textures than the software driver reads in one kernel; with passes there are other kernels.
    for (file, passes) in [
      ("many.comp", ""), ("kept.comp", ", \"PASSES\": [{\"TARGET\": \"a\"}, {}]"),
    ] {
      let many = """
        /*{"INPUTS": [\(names.map { "{\"NAME\": \"\($0)\", \"TYPE\": \"image\"}" }.joined(separator: ","))]\(passes)}*/
        vec4 effect(vec2 uv) {
          return framePixel().bgra\(passes.isEmpty ? "" : " + aPixel(PIXEL)")
            \(names.map { "+ \($0)Pixel(PIXEL)" }.joined(separator: "\n"));
        }
        """
      try folder.write(Array(many.utf8), to: file)
    }
    // How much a driver takes differs; what each takes does not.
    let least = ["KFREC_LEAST_LIMITS": "1"]
    let words = [
      "check", "--gpu", "llvmpipe", "./big.comp", "./many.comp", "./kept.comp", "./good.comp",
    ]
    let text = try KfrecProcess.run(words, in: folder, environment: least)
    #expect(text.exitCode == 1, "\(text)")
    #expect(
      text.text.contains("./big.comp: error: a work group of 1024x1024x1 is more than the GPU "))
    for name in ["many", "kept"] {
      let line = text.text.split(separator: "\n").first { $0.hasPrefix("./\(name).comp: error: ") }
      #expect(line?.contains(" are more than the GPU ") == true, "\(text)")
    }
    #expect(text.text.hasSuffix("./good.comp: passed\n"))
    let json = try KfrecProcess.run(words + ["--json"], in: folder, environment: least)
    #expect(json.exitCode == 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
    #expect(report.effects.map(\.passed) == [false, false, false, true])
    #expect(report.effects.map(\.diagnostics.count) == [1, 1, 1, 0])
    #expect(report.effects[0].diagnostics.first?.file == "./big.comp")
    let recording = try KfrecProcess.run(
      ["--gpu", "llvmpipe", "-i", "testsrc", "-t", "0.1", "-e", "./many.comp", "-o", "o.mov"],
      in: folder, environment: least)
    #expect(recording.exitCode == 1)
    #expect(recording.errors.contains("effect 'many': "))
  }

  @Test("an effect's own resources are an error in its line, and unused ones are not")
  func resources() throws {
    let folder = try Self.folder()
    let own = """
      layout(set = 1, binding = 0) uniform sampler2D t;
      vec4 effect(vec2 uv) { return texture(t, uv); }
      """
    let leftOut = """
      #ifdef GL_ES
      uniform sampler2D t;
      #endif
      vec4 effect(vec2 uv) { return framePixel().bgra; } // uniform
      """
    try folder.write(Array(own.utf8), to: "own.comp")
    try folder.write(Array(leftOut.utf8), to: "leftOut.comp")
    let result = try KfrecProcess.run(["check", "./own.comp", "./leftOut.comp"], in: folder)
    #expect(result.exitCode == 1)
    #expect(
      result.text.hasPrefix(
        "./own.comp:1:48: error: an effect may not declare its own resources ('t'); "))
    #expect(result.text.hasSuffix("./leftOut.comp: passed\n"))
  }

  @Test("pixels that are unchanged, infinite or not a number give a warning")
  func pixels() throws {
    let folder = try Self.folder()
    let names = ["same", "other", "nan", "inf", "identity", "neutral", "late", "good"]
    let result = try KfrecProcess.run(
      ["check", "--json"] + names.map { "./\($0).comp" }, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
    #expect(report.gpu != nil)
    #expect(report.effects.map(\.name) == names && report.effects.allSatisfy(\.passed))
    let messages = report.effects.map { $0.diagnostics.map(\.message) }
    for index in 0..<4 { #expect(messages[index].count == 1, "\(names[index])") }
    #expect(messages[0].first?.hasPrefix("changes no pixel with its defaults") == true)
    #expect(messages[1].first?.hasPrefix("changes no pixel with its defaults") == true)
    #expect(messages[2].first?.contains("pixels at 0.5 s") == true)
    #expect(messages[3].first?.contains(": 1 of 21037 pixels at 0.0 s, the first at 3,2;") == true)
    #expect(messages[4...].joined().isEmpty, "\(messages)")
  }

  @Test("parameters may be given, as for a recording; wrong ones are a usage error")
  func parameters() throws {
    let folder = try Self.folder()
    func check(_ word: String) throws -> ChildResult {
      try KfrecProcess.run(["check", word], in: folder)
    }
    let changing = try check("./same.comp:gain=0.5")
    #expect(changing.exitCode == 0 && changing.text == "./same.comp: passed\n", "\(changing)")
    let same = try check("./other.comp:gain=1")
    #expect(same.text.contains("warning: changes no pixel with these values"), "\(same)")
    let range = try check("./same.comp:gain=3")
    #expect(range.exitCode == 2 && range.text.contains("gain must be"), "\(range)")
    let unknown = try check("./same.comp:gai=1")
    #expect(unknown.exitCode == 2 && unknown.text.contains("did you mean 'gain'?"), "\(unknown)")
    // A path with the separators of the parameter syntax is still a path.
    try folder.write(Array(Self.gain("").utf8), to: "a:b=1.comp")
    #expect(try check("./a:b=1.comp").text.contains("./a:b=1.comp: passed"))
  }

  @Test("in JSON each message has its file, line, column and severity")
  func json() throws {
    let folder = try Self.folder()
    let result = try KfrecProcess.run(["check", "--json", "./bad.comp", "./idle.comp"], in: folder)
    #expect(result.exitCode == 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
    #expect(report.effects.map(\.path) == ["./bad.comp", "./idle.comp"])
    #expect(report.effects.map(\.passed) == [false, true])
    let error = try #require(report.effects[0].diagnostics.first)
    #expect(error.file == "./bad.comp" && error.line == 2 && error.column == 10)
    #expect(error.severity == "error" && error.message == "'nothing': undeclared identifier")
    #expect(report.effects[1].diagnostics.map(\.severity) == ["warning"])
  }

  @Test("an unknown effect is a usage error, and the others are still checked")
  func unknown() throws {
    let folder = try Self.folder()
    let result = try KfrecProcess.run(["check", "vignete", "./good.comp"], in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.text.contains("did you mean 'vignette'?"))
    #expect(result.text.hasSuffix("./good.comp: passed\n"))
  }

  @Test("a folder stands for all of its effects, and one without effects is a usage error")
  func folders() throws {
    let folder = try TemporaryFolder()
    #expect(mkdir(folder.file("some"), 0o755) == 0 && mkdir(folder.file("none"), 0o755) == 0)
    for name in ["good.comp", "bad.comp"] {
      try folder.write(Array((Self.files[name] ?? "").utf8), to: "some/" + name)
    }
    try folder.write(Array("no effect".utf8), to: "some/notes.txt")
    let result = try KfrecProcess.run(["check", "some"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.text.hasPrefix("some/bad.comp:2:10: error:"), "\(result.text)")
    #expect(result.text.hasSuffix("some/good.comp: passed\n"), "\(result.text)")
    let empty = try KfrecProcess.run(["check", "none"], in: folder)
    #expect(empty.exitCode == 2, "\(empty)")
    #expect(empty.text.contains("none: error: there is no effect in this folder"), "\(empty.text)")
  }

  @Test("without a device effects are compiled, and the missing rendering is reported")
  func noDevice() throws {
    let folder = try Self.folder()
    let result = try KfrecProcess.run(
      ["check", "./nan.comp", "./idle.comp"], in: folder, environment: Self.noDriver)
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.errors.hasPrefix("kfrec: effects are compiled and not rendered: no Vulkan driver"))
    #expect(result.text.hasPrefix("./nan.comp: passed\n./idle.comp:1:24: warning: "))
    let json = try KfrecProcess.run(
      ["check", "--json", "./bad.comp"], in: folder, environment: Self.noDriver)
    #expect(json.exitCode == 1 && json.text.contains("\"gpu\":null"))
    let named = try KfrecProcess.run(["check", "--gpu", "nosuch", "./good.comp"], in: folder)
    #expect(named.exitCode == 1 && named.errors.contains("nosuch"))
  }

  @Test("without a GPU nothing passes --strict, because nothing was rendered")
  func strictUnrendered() throws {
    let folder = try Self.folder()
    let result = try KfrecProcess.run(
      ["check", "--strict", "./good.comp"], in: folder, environment: Self.noDriver)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text == "./good.comp: not rendered, and --strict passes only what was rendered\n")
    let json = try KfrecProcess.run(
      ["check", "--strict", "--json", "./good.comp"], in: folder, environment: Self.noDriver)
    #expect(json.exitCode == 1)
    #expect(json.text.contains("\"passed\":false,\"rendered\":false"), "\(json.text)")
  }

  @Test(
    "every division by zero is found: by a literal, by a difference, and 0 by 0, also behind a limit",
    arguments: [
      "c.rgb / 0.0", "c.rgb / (c.r - c.r)", "c.rgb * (0.0 / 0.0)",
      "c.bgr * ((c.g * 0.0) / (c.g * 0.0))",
      "mod(c.rgb, 0.0)", "normalize(c.rgb - c.rgb)", "(c.rgb - c.rgb) / (c.r - c.r)",
      "(c.rgb - c.rgb) / 0.0", "vec3((c.r - c.r) / (c.r - c.r))",
      "clamp(c.rgb / 0.0, 0.0, 1.0)", "min(vec3(c.r / 0.0), 1.0)",
      "max(c.rgb * ((c.g - c.g) / (c.g - c.g)), 0.0)",
      "clamp(sqrt(c.rgb - 2.0), 0.0, 1.0)", "min(log(c.rgb - 2.0), 1.0)",
      "smoothstep(0.0, 1.0, sqrt(c.rgb - 2.0))", "vec3(step(0.5, asin(c.r + 2.0)))",
    ])
  func zero(_ value: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Array("vec4 effect(vec2 uv) { vec4 c = framePixel(); return vec4(\(value), 1.0); }\n".utf8),
      to: "a.comp")
    let result = try KfrecProcess.run(["check", "./a.comp"], in: folder)
    #expect(result.text.contains("infinite or not a number"), "\(result)")
  }

  @Test(
    "a loop that never ends is found each time, for all pixels or some, and a long one that ends is none",
    arguments: [
      ("while (x < 2.0) x = fract(x + 0.37);", true),
      ("for (int i = 0; i < 7; i = (i + 1) % 5) x += 0.001;", true),
      ("while (uv.x > 0.9 && x < 2.0) x = fract(x + 0.37);", true),
      ("for (float i = 0.0; i != 0.35; i += 0.1) x = i;", true),
      ("for (int i = 0; i < 9000; i++) x = fract(x * 1.37);", false),
    ])
  func endlessLoops(_ loop: String, _ isEndless: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Array(
        "vec4 effect(vec2 uv) { float x = framePixel().r; \(loop) return vec4(x, uv, 1.0); }\n".utf8
      ),
      to: "a.comp")
    for _ in 0..<(loop.contains("uv") ? 2 : 1) {
      let result = try KfrecProcess.run(["check", "--strict", "./a.comp"], in: folder)
      #expect(result.exitCode == (isEndless ? 1 : 0), "\(result)")
      // Mesa up to 24 ends such a loop itself, and the pixels are no numbers; newer ones never finish the frame.
      let isFound =
        result.text.contains("for loops that never end")
        || result.text.contains("look for a loop that is too long or never ends")
      #expect(isFound == isEndless, "\(result)")
    }
  }

  @Test(
    "a pass of 8 bits and the limit of an ISF effect hide no division by zero, and a limited quotient is none"
  )
  func hidden() throws {
    let folder = try TemporaryFolder()
    func check(_ name: String, _ text: String) throws -> String {
      try folder.write(Array(text.utf8), to: name)
      return try KfrecProcess.run(["check", "--strict", "./\(name)"], in: folder).text
    }
    let pass = """
      /*{"PASSES": [{"TARGET": "kept"}, {}]}*/
      vec4 effect(vec2 uv) {
        vec4 c = framePixel();
      #if PASSINDEX == 0
        return vec4(vec3((c.r - c.r) / (c.g - c.g)), 1.0);
      #else
        return keptPixel(PIXEL) * 0.5;
      #endif
      }
      """
    #expect(try check("pass.comp", pass).contains("infinite or not a number"))
    let limited = """
      /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/
      void main() {
        vec4 c = IMG_THIS_PIXEL(inputImage);
        gl_FragColor = vec4(clamp(c.rgb / 0.0, 0.0, 1.0), 1.0);
      }
      """
    #expect(try check("limited.fs", limited).contains("infinite or not a number"))
    // Infinity is a number that has a limit, on every driver.
    let glow =
      "vec4 effect(vec2 uv) { return framePixel() * min(0.1 / distance(uv, vec2(0.5)), 2.0); }\n"
    #expect(try check("glow.comp", glow) == "./glow.comp: passed\n")
  }

  @Test("large finite values between effects are no infinite ones")
  func large() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Array("vec4 effect(vec2 uv) { return vec4(framePixel().bgr * 1e6, 1.0); }\n".utf8),
      to: "a.comp")
    let result = try KfrecProcess.run(["check", "--strict", "./a.comp"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
  }

  @Test("an effect that never ends fails, and the others are still compiled")
  func heavy() throws {
    let folder = try Self.folder()
    // lavapipe ends the loops of an invocation after 65,535 iterations, so each takes long. The variable with a value gives
    // each pixel an invocation of its own.
    let work = (0..<24).map { "noise(vec2(color.g, float(i) + \($0).5))" }.joined(separator: " + ")
    let text = """
      float shift = 0.0;
      vec4 effect(vec2 uv) {
        vec4 color = framePixel();
        for (int j = 0; j < 1000; j++) {
          for (int i = 0; i < 60000; i++) color.r = sin(color.r + \(work));
        }
        return color + shift;
      }
      """
    try folder.write(Array(text.utf8), to: "heavy.comp")
    let result = try KfrecProcess.run(
      ["check", "--gpu-timeout", "2", "./heavy.comp", "./bad.comp", "./good.comp"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains(
        "./heavy.comp: error: the GPU did not finish the effect heavy within 2.0 s"), "\(result)")
    #expect(result.errors.contains("not rendered: the GPU is still busy with heavy"))
    #expect(result.text.contains("./bad.comp:2:10: error: "))
    #expect(result.text.hasSuffix("./good.comp: passed\n"))
  }

  @Test("a mistake behind more warnings than are read is one", arguments: [120, 16_000])
  func manyWarnings(count: Int) throws {
    let folder = try TemporaryFolder()
    let lines = (0..<count).map { "#extension GL_foo\($0) : enable\n" }.joined()
    try folder.write(
      Array((lines + "vec4 effect(vec2 uv) { return nosuch; }\n").utf8), to: "many.comp")
    let result = try KfrecProcess.run(["check", "./many.comp"], in: folder)
    #expect(result.exitCode == 1 && !result.text.contains("passed"), "\(result)")
  }

  @Test("every effect that kfrec ships passes without a warning")
  func shipped() throws {
    let folder = repositoryRoot + "/Effects"
    let paths = namesInFolder(folder).filter { $0.hasSuffix(".comp") }.map { folder + "/" + $0 }
    let result = try KfrecProcess.run(["check", "--strict"] + paths, seconds: 600)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.text.split(separator: "\n").count == paths.count)
  }
}
