import Foundation
import TestSupport
import Testing

/// Tests of what `kfrec check` says of the golden file beside an effect, and of what effects may read.
@Suite struct CheckGoldenTests {
  private static let effect = """
    /*{"INPUTS": [{"NAME": "back", "TYPE": "image", "OPTIONAL": true}]}*/
    vec4 effect(vec2 uv) { return framePixel().bgra + 0.1 * back(uv); }
    """

  private func folder(_ golden: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("mine"), withIntermediateDirectories: false)
    try folder.write(Array(Self.effect.utf8), to: "mine/a.comp")
    try folder.write(Array(golden.utf8), to: "mine/a.golden.json")
    return folder
  }

  @Test("missing inputs of golden images are errors, missing golden images warnings")
  func missing() throws {
    let folder = try folder(
      """
      {"cases": [{"name": "one", "frame": "still.png"},
        {"name": "two", "parameters": "back=b.png"}, {"name": "three", "parameters": "nothing=1"}]}
      """)
    let result = try KfrecProcess.run(["check", "mine"], in: folder)
    #expect(result.exitCode == 1)
    for part in [
      "error: the case 'one' has the frame still.png, and there is no mine/still.png",
      "error: the case 'two' gives back a picture that is not there: mine/b.png",
      "mine/a.golden.json:2:", "has no parameter 'nothing'",
      "warning: the case 'one' has no golden image mine/goldens/a-one.png",
    ] {
      #expect(result.text.contains(part), "\(part)\n\(result.text)")
    }
  }

  @Test("a golden file with a mistake is an error with its place")
  func mistake() throws {
    let result = try KfrecProcess.run(["check", "mine/a.comp"], in: folder("{\"cases\": 3}\n"))
    #expect(result.exitCode == 1)
    #expect(result.text.contains("mine/a.golden.json:1:"))
  }

  @Test(
    "golden inputs outside the effect's folder are refused, unless the user allows their folder")
  func outside() throws {
    let folder = try folder("{\"frame\": \"../still.ppm\"}\n")
    try folder.write(
      Array("P6 2 2 255\n".utf8) + (0..<12).map { UInt8($0 * 20) }, to: "still.ppm")
    let refused = try KfrecProcess.run(["check", "mine/a.comp"], in: folder)
    #expect(refused.exitCode == 1)
    #expect(
      refused.text.contains("names a picture that it must not: mine/../still.ppm lies outside"))
    let golden = try KfrecProcess.run(["golden", "mine/a.comp", "--update"], in: folder)
    #expect(golden.exitCode == 1)
    #expect(golden.text.contains("lies outside the folders from which this effect may read"))
    let allowed = try KfrecProcess.run(
      ["golden", "mine/a.comp", "--update", "--allow-read", "."], in: folder)
    #expect(allowed.exitCode == 0, "\(allowed)")
    #expect(try KfrecProcess.run(["check", "mine", "--allow-read=."], in: folder).exitCode == 0)
  }

  @Test(
    "a picture of a golden image that is a playlist by its content opens no other file",
    arguments: ["\"frame\": \"list.png\"", "\"parameters\": \"back=list.png\""])
  func playlists(words: String) throws {
    let folder = try folder("{\"cases\": [{\"name\": \"one\", \(words)}]}\n")
    let secret = try make(
      "secret.mp4", in: folder,
      ["-f", "lavfi", "-i", "color=red:s=64x48:r=25:d=1", "-c:v", "libx264"]
        + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
    for list in [
      """
      <?xml version="1.0"?><!-- \(String(repeating: "x", count: 5000)) -->
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"
        profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>
      <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="64" height="48">
      <BaseURL>file://\(secret)</BaseURL></Representation></AdaptationSet></Period></MPD>
      """, "ffconcat version 1.0\nfile '\(secret)'\n",
    ] {
      try folder.write(Array(list.utf8), to: "mine/list.png")
      let result = try KfrecProcess.run(["golden", "mine/a.comp", "--update"], in: folder)
      #expect(result.exitCode == 1 && result.text.contains("names other files"), "\(result)")
      #expect(namesInFolder(folder.file("mine/goldens")).isEmpty)
    }
  }

  @Test(
    "the font of a golden image lies where the effect's own files do, and is no FIFO",
    .timeLimit(.minutes(15)))
  func fonts() throws {
    let folder = try folder("{\"cases\": [{\"name\": \"a\", \"parameters\": \"font=FONT\"}]}\n")
    let text = """
      /*{"INPUTS": [{"NAME": "words", "TYPE": "text", "DEFAULT": "A", "SIZE": "20"},
        {"NAME": "font", "TYPE": "font"}]}*/
      vec4 effect(vec2 uv) { return mix(framePixel(), vec4(1.0), words(uv).r); }
      """
    try folder.write(Array(text.utf8), to: "mine/a.comp")
    func golden(_ font: String) throws -> ChildResult {
      let file = "{\"cases\": [{\"name\": \"a\", \"parameters\": \"font=\(font)\"}]}\n"
      try folder.write(Array(file.utf8), to: "mine/a.golden.json")
      return try KfrecProcess.run(["golden", "mine/a.comp", "--update"], in: folder)
    }
    let system = try runTool("fc-match", ["-f", "%{file}", "DejaVu Sans"])
    let refused = try golden(system)
    #expect(refused.exitCode == 1)
    #expect(refused.text.contains("lies outside the folders"), "\(refused)")
    try #require(mkfifo(folder.file("mine/f.ttf"), 0o600) == 0)
    let fifo = try golden(folder.file("mine/f.ttf"))
    #expect(fifo.exitCode == 1)
    #expect(fifo.text.contains("is no regular file"), "\(fifo)")
    #expect(try golden("DejaVu Sans").exitCode == 0)
  }

  @Test("a picture that the user names may lie anywhere, and one that the effect names may not")
  func words() throws {
    let folder = try folder("{}")
    try folder.write(
      Array("P6 2 2 255\n".utf8) + [UInt8](repeating: 90, count: 12), to: "still.ppm")
    let record = ["-i", "testsrc", "--size", "64x48", "--frames", "1", "-y", "-o", "out.png"]
    let given = try KfrecProcess.run(["-e", "mine/a.comp:back=still.ppm"] + record, in: folder)
    #expect(given.exitCode == 0, "\(given)")
    let own = """
      /*{"IMPORTED": {"paper": {"PATH": "../still.ppm"}}}*/
      vec4 effect(vec2 uv) { return paper(uv); }
      """
    try folder.write(Array(own.utf8), to: "mine/b.comp")
    let refused = try KfrecProcess.run(["-e", "mine/b.comp"] + record, in: folder)
    #expect(refused.exitCode == 1)
    #expect(refused.errors.contains("../still.ppm lies outside the folders"))
    let allowed = try KfrecProcess.run(
      ["-e", "mine/b.comp", "--allow-read", "."] + record, in: folder)
    #expect(allowed.exitCode == 0, "\(allowed)")
    try folder.write(Array("kfrec preset 1\n--allow-read .\n".utf8), to: "a.kfpreset")
    let preset = try KfrecProcess.run(["--preset", "a.kfpreset"] + record, in: folder)
    #expect(preset.exitCode == 2)
    #expect(preset.errors.contains("a preset cannot have --allow-read"))
  }
}
