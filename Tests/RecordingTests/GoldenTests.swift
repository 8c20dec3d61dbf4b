import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of `kfrec golden` on a user's own folder, with the real binary.
@Suite struct GoldenTests {
  private struct Report: Decodable {
    struct Case: Decodable {
      let effect: String
      let outcome: String
      let passed: Bool
      let max: Int?
      let image: String
    }
    let cases: [Case]
    let updated: [String]
    let gpu: String
    let report: String?
  }

  private static let gain = """
    /*{"INPUTS": [{"NAME": "gain", "TYPE": "float", "MIN": 0, "MAX": 2, "DEFAULT": 0.5}]}*/
    vec4 effect(vec2 uv) { return framePixel() * vec4(vec3(gain), 1.0); }
    """

  private static func folder(_ json: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Array(gain.utf8), to: "gain.comp")
    if let json { try folder.write(Array(json.utf8), to: "gain.golden.json") }
    return folder
  }

  private func report(
    _ words: [String], in folder: TemporaryFolder, environment: [String: String?] = [:]
  ) throws -> Report {
    let result = try KfrecProcess.run(
      ["golden", "--json"] + words, in: folder, environment: environment)
    #expect(result.errors.isEmpty, "\(result)")
    return try JSONDecoder().decode(Report.self, from: Data(result.output))
  }

  @Test("--update writes through no link, and --report replaces no page of others")
  func othersFiles() throws {
    let folder = try Self.folder()
    mkdir(folder.file("docs"), 0o700)
    try folder.write("mine".utf8, to: "docs/gain-default.png")
    #expect(symlink("docs", folder.file("goldens")) == 0)
    let linked = try KfrecProcess.run(["golden", "./gain.comp", "--update"], in: folder)
    #expect(linked.exitCode == 1 && linked.errors.contains("./goldens is a link"), "\(linked)")
    #expect(unlink(folder.file("goldens")) == 0)
    mkdir(folder.file("goldens"), 0o700)
    #expect(symlink("../docs/gain-default.png", folder.file("goldens/gain-default.png")) == 0)
    let image = try KfrecProcess.run(["golden", "./gain.comp", "--update"], in: folder)
    #expect(image.exitCode == 1 && image.errors.contains("is a symbolic link"), "\(image)")
    #expect(unlink(folder.file("goldens/gain-default.png")) == 0)
    try folder.write("mine".utf8, to: "docs/index.html")
    let report = ["golden", "./gain.comp", "--report", "docs"]
    let page = try KfrecProcess.run(report, in: folder)
    #expect(page.exitCode == 1 && page.errors.contains("docs/index.html exists"), "\(page)")
    #expect(try readFile(folder.file("docs/index.html")) == Array("mine".utf8))
    #expect(unlink(folder.file("docs/index.html")) == 0)
    try folder.write("mine".utf8, to: "docs/gain-default-actual.png")
    let picture = try KfrecProcess.run(report, in: folder)
    #expect(picture.errors.contains("docs/gain-default-actual.png exists"), "\(picture)")
    #expect(try readFile(folder.file("docs/gain-default-actual.png")) == Array("mine".utf8))
    #expect(try readFile(folder.file("docs/gain-default.png")) == Array("mine".utf8))
    #expect(unlink(folder.file("docs/gain-default-actual.png")) == 0)
    for _ in 0..<2 {
      let made = try KfrecProcess.run(report, in: folder)
      #expect(made.text.contains("see docs/index.html"), "\(made)")
    }
  }

  @Test("missing images are named and made by --update, passing ones stay, wrong ones are shown")
  func lifetime() throws {
    let folder = try Self.folder()
    let missing = try KfrecProcess.run(
      ["golden", "./gain.comp", "--report", "report"], in: folder)
    #expect(missing.exitCode == 1, "\(missing)")
    #expect(missing.text.contains("gain-default: missing: there is no ./goldens/gain-default.png"))
    #expect(missing.text.contains("--update makes it"))
    #expect(namesInFolder(folder.file("report")).contains("gain-default-actual.png"))

    let made = try report(["./gain.comp", "--update"], in: folder)
    #expect(made.updated == ["./goldens/gain-default.png"] && made.report == nil)
    let image = try readFile(folder.file("goldens/gain-default.png"))
    let again = try report(["./gain.comp", "--update"], in: folder)
    #expect(again.updated.isEmpty && again.cases.map(\.outcome) == ["passed"])
    #expect(again.cases.first?.max == 0)
    #expect(try readFile(folder.file("goldens/gain-default.png")) == image)

    // Brighter by a tenth of full white.
    try folder.write(Array(Self.gain.replacing("0.5}", with: "0.6}").utf8), to: "gain.comp")
    let off = try KfrecProcess.run(["golden", ".", "--report", "report"], in: folder)
    #expect(off.exitCode == 1, "\(off)")
    #expect(off.text.contains("gain-default: off: off by 2"), "\(off.text)")
    let page = String(decoding: try readFile(folder.file("report/index.html")), as: UTF8.self)
    #expect(page.contains("<tr class=\"off\">") && page.contains("data:image/png;base64,iVBOR"))
    for word in ["expected", "actual", "difference"] {
      let bytes = try readFile(folder.file("report/gain-default-\(word).png"))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
    #expect(try readFile(folder.file("report/gain-default-expected.png")).count == image.count)
    #expect(try report([".", "--update"], in: folder).updated.count == 1)
    #expect(try KfrecProcess.run(["golden", "."], in: folder).exitCode == 0)
  }

  @Test("--update reports each image as new or replaced, and counts the two separately")
  func update() throws {
    let folder = try Self.folder()
    func said(_ words: String...) throws -> String {
      let result = try KfrecProcess.run(["golden", "./gain.comp"] + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      return result.text
    }
    #expect(
      try said("--update")
        == "gain-default: new, kept as ./goldens/gain-default.png\n1 new: look at it\n")
    #expect(try said("--update").hasSuffix("\n1 of 1 passed\n"))
    try folder.write(Array(Self.gain.replacing("0.5}", with: "0.6}").utf8), to: "gain.comp")
    let replaced = try said("--update")
    #expect(replaced.hasPrefix("gain-default: it was off by 2"), "\(replaced)")
    #expect(
      replaced.hasSuffix(
        ", and is replaced: ./goldens/gain-default.png\n0 of 1 passed, 1 replaced: look at it\n"),
      "\(replaced)")
    #expect(try said().hasSuffix("\n1 of 1 passed\n"))
  }

  @Test("cases have their own parameters, times, frames, sizes and limits")
  func cases() throws {
    let json = """
      {
        "limits": {"software": {"max": 60, "rms": 60}, "others": {"max": 60, "rms": 60}},
        "cases": [
          {"name": "strong", "parameters": "gain=2,mix=0.5"},
          {"name": "each", "times": [0, 1, 2.5], "compare": "all", "frame": "moving"},
          {"name": "last", "times": [0, 1, 2.5], "leadUp": 2},
          {"name": "own", "frame": "in.png", "size": "20x10", "limits": {"max": 0, "rms": 0}}
        ]
      }
      """
    let folder = try Self.folder(json)
    let made = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "-o", folder.file("in.png")])
    #expect(made.exitCode == 0, "\(made)")
    let updated = try report(["--effects-dir", ".", "gain", "--update"], in: folder).updated
    #expect(
      updated.map { String($0.split(separator: "/").last ?? "") } == [
        "gain-strong.png", "gain-each-1.png", "gain-each-2.png", "gain-each-3.png",
        "gain-last.png", "gain-own.png",
      ])
    let own = try KfrecProcess.run(
      ["-i", folder.file("goldens/gain-own.png"), "-o", "-", "--verbose"])
    #expect(own.errors.contains("20x10"), "\(own.errors)")
    // By less than 60 everywhere, so only the case with its own limits fails.
    try folder.write(Array(Self.gain.replacing("0.5}", with: "0.6}").utf8), to: "gain.comp")
    let off = try report(["./gain.comp"], in: folder)
    #expect(off.cases.map(\.passed) == [true, true, true, true, true, false])
    #expect(off.cases[1].max.map { $0 > 20 } == true)
  }

  @Test(
    "a mistake in the file is shown with its line and a caret",
    arguments: [
      ("{\n  \"case\": []\n}", ":2:3: error: unknown key \"case\"; did you mean 'cases'?"),
      ("{\"cases\": [{\"name\": \"a\", \"times\": [2, 1]}]}", ":1:39: error: times are seconds"),
      ("{\"cases\": [{\"times\": [1]}]}", ":1:12: error: a case needs a name"),
      ("{\"cases\": [{\"name\": \"../a\"}]}", ":1:21: error: a case's name is part of a file name"),
      ("{\"limits\": {\"max\": -1}}", ":1:20: error: max is in 8-bit code values"),
      ("{\"cases\": [,]}", ":1:12: error: ',' where a value should be"),
      ("{} x", ":1:3: error: nothing may come after"),
      ("{\"size\": \"0x9\"}", ":1:10: error: size is WIDTHxHEIGHT"),
    ])
  func mistakes(json: String, message: String) throws {
    let folder = try Self.folder(json)
    let result = try KfrecProcess.run(["golden", "./gain.comp"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.hasPrefix("kfrec: ./gain.golden.json\(message)"), "\(result.errors)")
    #expect(result.errors.contains("^"))
  }

  @Test("a case that cannot be rendered fails with its reason, and the others are compared")
  func failures() throws {
    let folder = try Self.folder(
      """
      {"cases": [{"name": "much", "parameters": "gain=9"}, {"name": "none", "frame": "no.png"},
        {"name": "good"}]}
      """)
    let result = try KfrecProcess.run(["golden", "./gain.comp", "--update"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains(
        "gain-much: failed: ./gain.golden.json:1:43: error: effect 'gain': gain must be"),
      "\(result.text)")
    #expect(result.text.contains("gain-none: failed: ") && result.text.contains("no.png"))
    #expect(result.text.contains("gain-good: new, kept as ./goldens/gain-good.png"))
    #expect(result.text.contains("index.html"))
    try folder.write(Array("no picture".utf8), to: "goldens/gain-good.png")
    let damaged = try KfrecProcess.run(["golden", "./gain.comp"], in: folder)
    #expect(damaged.errors.isEmpty && damaged.text.contains("gain-good: missing: "), "\(damaged)")
    let unknown = try KfrecProcess.run(["golden", "vignete"], in: folder)
    #expect(unknown.exitCode == 2 && unknown.errors.contains("did you mean 'vignette'?"))
    let noDriver = try KfrecProcess.run(
      ["golden", "./gain.comp"], in: folder,
      environment: ["VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"])
    #expect(noDriver.exitCode == 1 && noDriver.errors.contains("no Vulkan driver"), "\(noDriver)")
  }

  @Test("two cases never share one image")
  func sharedPictures() throws {
    let folder = try Self.folder(
      #"{"cases": [{"name": "a-1"}, {"name": "a", "times": [1, 2], "compare": "all"}]}"#)
    let one = try KfrecProcess.run(["golden", "./gain.comp", "--update"], in: folder)
    #expect(one.exitCode == 1, "\(one)")
    #expect(
      one.errors.contains(
        "'a-1' of ./gain.comp and the case 'a' of ./gain.comp use the same golden image"),
      "\(one)")
    // Effects with one name and of two kinds.
    let other = try Self.folder()
    try other.write(Array("void main() { gl_FragColor = vec4(1.0); }".utf8), to: "gain.fs")
    let both = try KfrecProcess.run(["golden", "./gain.comp", "./gain.fs"], in: other)
    #expect(
      both.exitCode == 1 && both.errors.contains("give one of the cases another name"), "\(both)")
    #expect(namesInFolder(other.path).sorted() == ["gain.comp", "gain.fs"])
  }

  @Test("without arguments it compares all effects that are found and have images")
  func all() throws {
    let folder = try Self.folder("{}")
    try folder.write(Array(Self.gain.utf8), to: "other.comp")
    // In the place of all effects that kfrec ships: OtherDeviceTests render those.
    mkdir(folder.file("shipped"), 0o700)
    mkdir(folder.file("shipped/goldens"), 0o700)
    for name in ["vignette.comp", "vignette.golden.json", "goldens/vignette-default.png"] {
      try folder.write(
        try readFile("\(repositoryRoot)/Effects/\(name)"), to: "shipped/\(name)")
    }
    let result = try report(
      ["--effects-dir", "."], in: folder, environment: ["KFREC_EFFECTS": folder.file("shipped")])
    #expect(result.cases.contains { $0.effect == "gain" && $0.outcome == "missing" })
    #expect(result.cases.contains { $0.effect == "vignette" && $0.outcome == "passed" })
    #expect(!result.cases.contains { $0.effect == "other" })
  }

  @Test(
    "a golden image shows something of its effect, also of a transition, an event and a memory of earlier frames",
    arguments: [
      """
      /*{"INPUTS": [{"NAME": "startImage", "TYPE": "image"}, {"NAME": "endImage", "TYPE": "image"},
        {"NAME": "progress", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0}]}*/
      vec4 effect(vec2 uv) { return mix(startImagePixel(PIXEL), endImage(uv), progress); }
      """,
      """
      /*{"INPUTS": [{"NAME": "flash", "TYPE": "event"}]}*/
      vec4 effect(vec2 uv) { return flash ? 1.0 - framePixel() : framePixel(); }
      """,
      "vec4 effect(vec2 uv) { return mix(framePixel(), previousPixel(PIXEL), 0.8); }",
      "/*{\"HISTORY\": 3}*/\nvec4 effect(vec2 uv) { return mix(framePixel(), earlierPixel(3, PIXEL), 0.8); }",
    ])
  func telling(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: "a.comp")
    let made = try KfrecProcess.run(["golden", "./a.comp", "--update"], in: folder)
    #expect(made.exitCode == 0, "\(made)")
    #expect(try KfrecProcess.run(["golden", "./a.comp"], in: folder).exitCode == 0)
    // An effect that does nothing any more no longer gives this image.
    let header =
      text.hasPrefix("/*") ? text.prefix(through: text.firstRange(of: "*/")!.upperBound) : ""
    try folder.write(
      Array("\(header)\nvec4 effect(vec2 uv) { return framePixel(); }\n".utf8), to: "a.comp")
    let idle = try KfrecProcess.run(["golden", "./a.comp"], in: folder)
    #expect(idle.exitCode == 1, "\(idle)")
  }

  @Test("a case that shows nothing of its effect is refused, and its image is not written")
  func vacuous() throws {
    let folder = try Self.folder("{\"cases\": [{\"name\": \"same\", \"parameters\": \"gain=1\"}]}")
    let result = try KfrecProcess.run(["golden", "./gain.comp", "--update"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains(
        "gain-same: failed: shows nothing of the effect: without it the picture is the same"),
      "\(result.text)")
    #expect(result.text.contains("give the case other \"parameters\""))
    #expect(!namesInFolder(folder.path).contains("goldens"))
  }

  @Test("one golden file with a mistake fails its effect, and the others are compared, in JSON too")
  func mistakenFile() throws {
    let folder = try Self.folder("{\"cases\": 3}")
    try folder.write(Array(Self.gain.utf8), to: "other.comp")
    let result = try KfrecProcess.run(["golden", "--json", ".", "--update"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
    #expect(report.cases.map(\.effect) == ["gain", "other"])
    #expect(report.cases.map(\.outcome) == ["failed", "missing"])
    #expect(report.updated == ["./goldens/other-default.png"])
    let text = try KfrecProcess.run(["golden", "."], in: folder)
    #expect(
      text.errors.contains("./gain.golden.json:1:11: error: cases must be"), "\(text)")
  }

  @Test(
    "images that no case compares are told: of a case with another name, and of an effect that is gone"
  )
  func leftovers() throws {
    let folder = try Self.folder("{\"cases\": [{\"name\": \"one\"}]}")
    try folder.write(Array(Self.gain.utf8), to: "gone.comp")
    try folder.write(Array("{}".utf8), to: "gone.golden.json")
    #expect(try KfrecProcess.run(["golden", ".", "--update"], in: folder).exitCode == 0)
    #expect(try KfrecProcess.run(["golden", "."], in: folder).errors.isEmpty)
    try folder.write(Array("{\"cases\": [{\"name\": \"two\"}]}".utf8), to: "gain.golden.json")
    try FileManager.default.removeItem(atPath: folder.file("gone.comp"))
    let result = try KfrecProcess.run(["golden", ".", "--update"], in: folder)
    for part in [
      "no case renders ./goldens/gain-one.png", "no case renders ./goldens/gone-default.png",
      "there is no effect for ./gone.golden.json",
    ] {
      #expect(result.errors.contains(part), "\(result)")
    }
    let all = try KfrecProcess.run(["golden", ".", "--json"], in: folder)
    #expect(
      all.text.contains(
        #""unused":["./goldens/gain-one.png","./goldens/gone-default.png","./gone.golden.json"]"#),
      "\(all)")
    let check = try KfrecProcess.run(["check", "--strict", "."], in: folder)
    #expect(check.exitCode == 1 && check.text.contains("no case renders ./goldens/gain-one.png"))
  }

  @Test("a folder without an effect is a usage error, as it is for check")
  func emptyFolder() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(["golden", "."], in: folder)
    #expect(
      result.exitCode == 2 && result.errors.contains("there is no effect in the folder ."),
      "\(result)")
    #expect(try KfrecProcess.run(["check", "."], in: folder).exitCode == 2)
  }
}
