import Glibc
import TestSupport
import Testing

/// Tests of `--reload` with the real binary: each step waits for a report, and never for a time.
@Suite struct ReloadTests {
  private static func colored(_ color: String, _ header: String = "") -> String {
    "\(header)\nvec4 effect(vec2 uv) { return vec4(\(color), 1.0); }\n"
  }

  /// A folder with an effect, and a recording with it that runs until it is stopped.
  private struct Session {
    let folder: TemporaryFolder
    let child: ChildProcess

    init(_ files: [String: String], effect: String) throws {
      folder = try TemporaryFolder()
      for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
      child = try KfrecProcess.start(
        [
          "-i", "testsrc", "--realtime", "--fps", "20", "--size", "32x16", "--reload",
          "--progress", "json", "-e", effect, "-o", "out-%04d.png",
        ], in: folder)
      #expect(child.waitForOutput { $0.contains("\"framesOut\":") })
    }

    /// Replaces a file as most editors do: writes another file and renames it.
    func replace(_ name: String, by text: String) throws {
      try folder.write(Array(text.utf8), to: name + ".new")
      try #require(rename(folder.file(name + ".new"), folder.file(name)) == 0)
    }

    /// Waits for that many objects of a type.
    func waitFor(_ type: String, count: Int = 1) {
      #expect(
        child.waitForOutput { $0.split(separator: "\"type\":\"\(type)\"").count > count },
        "\(count) of \(type)")
    }

    /// Ends the recording; returns its standard output, and the colour of each frame.
    func end() throws -> (result: ChildResult, colors: [[UInt8]]) {
      child.send(SIGTERM)
      let result = child.wait()
      #expect(result.exitCode == 0, "\(result)")
      let pixels = try Probe.pixels(folder.file("out-%04d.png"), "rgb24")
      let size = 32 * 16 * 3
      let colors = stride(from: 0, to: pixels.count, by: size).map { start in
        let picture = pixels[start..<start + size]
        #expect(picture.indices.allSatisfy { picture[$0] == picture[start + ($0 - start) % 3] })
        return Array(picture.prefix(3))
      }
      return (result, colors)
    }
  }

  private let red: [UInt8] = [255, 0, 0]
  private let green: [UInt8] = [0, 255, 0]
  private let blue: [UInt8] = [0, 0, 255]

  @Test("a version that the compiler reads without end does not keep the program from its end")
  func endless() throws {
    let session = try Session(["a.comp": Self.colored("1.0, 0.0, 0.0")], effect: "./a.comp")
    let macros = (1...40).map { "#define A\($0) A\($0 - 1)+A\($0 - 1)\n" }.joined()
    try session.replace(
      "a.comp", by: "#define A0 uv.x\n\(macros)vec4 effect(vec2 uv) { return vec4(A40); }\n")
    // The watch sees the file, and the compiler begins: that is not reported.
    usleep(1_500_000)
    session.child.send(SIGTERM)
    let result = session.child.wait()
    // The compiler is given up after 10 s; the end does not wait for that.
    #expect(result.exitCode == 0 && !result.errors.contains("to compile"), "\(result)")
  }

  @Test("an ISF file, whatever its newlines, and its vertex shader are watched")
  func isf() throws {
    func fragment(_ color: String) -> String {
      "/*{\"ISFVSN\": \"2\"}*/\r\nin float green;\r\n"
        + "void main() { gl_FragColor = vec4(\(color), green, 0.0, 1.0); }\r\n"
    }
    func vertex(_ green: String) -> String {
      "out float green;\r\nvoid main() { isf_vertShaderInit(); green = \(green); }\r\n"
    }
    let session = try Session(
      ["a.fs": fragment("1.0"), "a.vs": vertex("0.0")], effect: "./a.fs")
    try session.replace("a.vs", by: vertex("1.0"))
    session.waitFor("reloaded")
    try session.replace("a.fs", by: fragment("0.0"))
    session.waitFor("reloaded", count: 2)
    let (result, colors) = try session.end()
    #expect(colors.first == red && colors.last == green, "\(result)")
    #expect(colors.contains([255, 255, 0]))
    // A text that looks changed each time would be compiled forever.
    #expect(result.text.split(separator: "\"type\":\"reloaded\"").count == 3)
  }

  @Test("a new version acts between two frames, and one with a mistake keeps the last good one")
  func versions() throws {
    let session = try Session(["a.comp": Self.colored("1.0, 0.0, 0.0")], effect: "./a.comp")
    try session.replace("a.comp", by: "vec4 effect(vec2 uv) {\n  return nothing;\n}\n")
    session.waitFor("warning")
    try session.replace("a.comp", by: Self.colored("0.0, 1.0, 0.0"))
    session.waitFor("reloaded")
    // Written in place, as other editors do.
    try session.folder.write(Array(Self.colored("0.0, 0.0, 1.0").utf8), to: "a.comp")
    session.waitFor("reloaded", count: 2)
    let (result, colors) = try session.end()
    #expect(result.text.contains("{\"type\":\"reloaded\",\"effects\":[\"a\"]}"))
    #expect(
      result.text.contains("the last good version of 'a' stays: ./a.comp:2:10: error: 'nothing'"))
    #expect(result.errors.contains("kfrec: reloaded a\n"))
    let runs = colors.reduce(into: [[UInt8]]()) { if $0.last != $1 { $0.append($1) } }
    #expect(runs == [red, green, blue])
  }

  @Test("a file that an effect includes is watched like its own")
  func include() throws {
    let session = try Session(
      [
        "a.comp": "#include \"part.glsl\"\nvec4 effect(vec2 uv) { return color(); }\n",
        "part.glsl": "vec4 color() { return vec4(1.0, 0.0, 0.0, 1.0); }\n",
      ], effect: "./a.comp")
    try session.replace("part.glsl", by: "vec4 color() { return vec4(0.0, 1.0, 0.0, 1.0); }\n")
    session.waitFor("reloaded")
    let (_, colors) = try session.end()
    #expect(colors.first == red && colors.last == green)
  }

  @Test("a pass of a Shadertoy export in a separate file is watched")
  func export() throws {
    func image(_ color: String) -> String {
      "void mainImage(out vec4 c, in vec2 p) {\r\n  c = vec4(\(color), 1.0);\r\n}\r\n"
    }
    let session = try Session(
      [
        "a.json": """
        {"renderpass": [{"type": "image", "name": "Image", "code": "", "filename": "image.txt"}]}
        """,
        "image.txt": image("1.0, 0.0, 0.0"),
      ], effect: "./a.json")
    try session.replace("image.txt", by: image("nothing"))
    session.waitFor("warning")
    try session.replace("image.txt", by: image("0.0, 1.0, 0.0"))
    session.waitFor("reloaded")
    let (result, colors) = try session.end()
    #expect(colors.first == red && colors.last == green, "\(result)")
    #expect(result.text.split(separator: "\"type\":\"reloaded\"").count == 2)
  }

  @Test("an image that is written again is read again, for an input and an import")
  func pictures() throws {
    func picture(_ color: [UInt8]) -> String {
      // One pixel; a text file, so that it can be replaced like an effect's file.
      "P3 1 1 255 \(color.map(String.init).joined(separator: " "))\n"
    }
    let session = try Session(
      [
        "a.comp": """
        /*{"INPUTS": [{"NAME": "first", "TYPE": "image"}],
          "IMPORTED": {"second": {"PATH": "second.ppm"}}}*/
        vec4 effect(vec2 uv) { return firstPixel(ivec2(0)) + secondPixel(ivec2(0)); }
        """,
        "first.ppm": picture(red), "second.ppm": picture([0, 0, 0]),
      ], effect: "./a.comp:first=first.ppm")
    try session.replace("first.ppm", by: picture([0, 0, 0]))
    session.waitFor("reloaded")
    try session.replace("second.ppm", by: "P3 no picture")
    session.waitFor("warning")
    try session.replace("second.ppm", by: picture(green))
    session.waitFor("reloaded", count: 2)
    let (result, colors) = try session.end()
    #expect(result.text.contains("the last good version of 'a' stays: "))
    let runs = colors.reduce(into: [[UInt8]]()) { if $0.last != $1 { $0.append($1) } }
    #expect(runs == [red, [0, 0, 0], green])
  }

  @Test("the new version gets the values; a value for a removed parameter is lost with a warning")
  func parameters() throws {
    func header(_ name: String) -> String {
      """
      /*{"INPUTS": [{"NAME": "level", "TYPE": "float", "DEFAULT": 0},
        {"NAME": "\(name)", "TYPE": "float", "DEFAULT": 0}]}*/
      """
    }
    let session = try Session(
      ["a.comp": Self.colored("level, old, 0.0", header("old"))], effect: "./a.comp:level=1,old=0")
    try session.replace("a.comp", by: Self.colored("0.0, level, fresh", header("fresh")))
    session.waitFor("reloaded")
    let (result, colors) = try session.end()
    #expect(result.text.contains("effect 'a' no longer has the parameter 'old'"))
    #expect(colors.first == red && colors.last == green)
  }

  @Test("textures that an effect keeps are cleared with its new version")
  func afresh() throws {
    // The first image is kept from frame to frame: an empty persistent target has alpha 0.
    func keeping(_ color: String) -> String {
      """
      /*{"PASSES": [{"TARGET": "kept", "PERSISTENT": true}]}*/
      vec4 effect(vec2 uv) {
        vec4 before = keptPixel(PIXEL);
        return before.a > 0.0 ? before : vec4(\(color), 1.0);
      }
      """
    }
    let session = try Session(["a.comp": keeping("1.0, 0.0, 0.0")], effect: "./a.comp")
    try session.replace("a.comp", by: keeping("0.0, 1.0, 0.0"))
    session.waitFor("reloaded")
    let (_, colors) = try session.end()
    #expect(colors.first == red && colors.last == green)
  }

  @Test("without an effect there is nothing to watch")
  func nothing() throws {
    let result = try KfrecProcess.run(["-i", "testsrc", "--reload", "-o", "null"])
    #expect(result.exitCode == 2 && result.errors.contains("--reload has no effect to watch"))
  }
}
