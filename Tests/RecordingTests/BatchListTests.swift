import TestSupport
import Testing

/// Tests the lists of `kfrec batch` with the real program.
@Suite struct BatchListTests {
  @Test("a JSON line has an output, effects and options of its own, also with Windows line ends")
  func objects() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    let lines = [
      "clips/a.mp4",
      #"{"input": "clips/b.mp4", "output": "night/b.mkv", "effects": [], "options": {"frames": 3}}"#,
      #"{"input": "clips/b.mp4", "effects": ["invert", "vignette"], "options": {"no-audio": true}}"#,
    ]
    let text = lines.joined(separator: "\r\n\r\n")
    try made.folder.write([0xef, 0xbb, 0xbf] + Array(text.utf8), to: "list")
    let words = "--list list --output-dir out -e edges --name {stem}-{effect}{ext}"
    let first = try made.batch(words)
    #expect(first.exitCode == 0, "\(first)")
    #expect(made.outputs == ["a-edges.mov", "b-invert-vignette.mov", "night"])
    #expect(try made.frames("night/b.mkv") == 3)
    #expect(try made.frames("b-invert-vignette.mov") == 10)
    #expect(try made.batch(words).errors.contains("0 made, 3 done before"))
  }

  @Test("an option that kfrec play has too means what it means to a batch, in a list and in a plan")
  func sharedNames() throws {
    let made = try BatchFolder("a.mp4")
    try made.folder.write(
      #"{"input":"clips/a.mp4","options":{"loop":3,"volume":"50%","speed":0.5}}"#.utf8, to: "list"
    )
    let listed = try made.batch("--list list --output-dir out")
    #expect(try listed.exitCode == 0 && made.frames("a.mov") == 30, "\(listed)")
    let planned = try made.batch("clips --loop 3 --volume 50% --output-dir farm --plan-only")
    #expect(planned.exitCode == 0, "\(planned)")
    let task = try made.batch("--task 1 --plan farm/plan.jsonl")
    #expect(task.exitCode == 0 && task.errors.contains("30 frames"), "\(task)")
  }

  @Test("a line whose effects or options changed is made again, and nothing else")
  func changed() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    let text = #"""
      {"input":"clips/a.mp4","effects":["./e.comp"]}
      {"input":"clips/b.mp4","options":{"crf":20}}
      """#
    try made.folder.write("vec4 effect(vec2 uv) { return frame(uv); }".utf8, to: "e.comp")
    try made.folder.write(text.utf8, to: "list")
    let words = "--list list --output-dir out --bitrate 1M"
    #expect(try made.batch(words).exitCode == 0)
    try made.folder.write(text.replacing("20", with: "21").utf8, to: "list")
    let options = try made.batch(words + " --dry-run")
    #expect(options.text.contains("a.mov: done already"), "\(options)")
    #expect(options.text.contains("b.mov: the options changed"), "\(options)")
    try made.folder.write(text.replacing("comp\"", with: "comp:mix=0.5\"").utf8, to: "list")
    let effects = try made.batch(words + " --dry-run")
    #expect(effects.text.contains("a.mov: the effects changed"), "\(effects)")
    try made.folder.write(text.utf8, to: "list")
    try made.folder.write("vec4 effect(vec2 uv) { return frame(uv).bgra; }".utf8, to: "e.comp")
    let files = try made.batch(words + " --dry-run")
    #expect(files.text.contains("a.mov: ./e.comp changed"), "\(files)")
    #expect(files.text.contains("b.mov: done already"), "\(files)")
  }

  @Test(
    "a wrong line is a usage error with its number, before anything is made",
    arguments: [
      (#"{"input":1}"#, "\"input\" takes strings"), (#"{"inptu":"a"}"#, "did you mean \"input\"?"),
      ("{}", "has no \"input\""), (#"{"input":"nope"}"#, "nope: No such file"),
      ("clips/a.m3u8", "it is a playlist"), ("nope.mp4", "nope.mp4: No such file"),
      (#"{"input":"a"#, "byte 10: no closing quote"),
      (#"{"input":"clips/a.mp4"} x"#, "more text after the object"),
      (#"{"input":"clips/a.mp4","effects":["nope"]}"#, "no effect 'nope'"),
      (#"{"input":"clips/a.mp4","effects":"vhs"}"#, "not an array"),
      (#"{"input":"clips/a.mp4","options":{"crf":99}}"#, "--crf takes a number from 0 to 63"),
      (#"{"input":"clips/a.mp4","options":{"cfr":9}}"#, "did you mean \"crf\"?"),
      (#"{"input":"clips/a.mp4","options":{"effect":"x"}}"#, "\"effects\" beside \"options\""),
      (#"{"input":"clips/a.mp4","options":{"gpu":"1"}}"#, "is no option of a single input"),
      (#"{"input":"clips/a.mp4","options":{"no-audio":1}}"#, "is a switch"),
      (#"{"input":"clips/a.mp4","output":"../x.mov"}"#, "leads out of the output folder"),
      (#"{"input":"clips/a.mp4","output":"x"}"#, "has no extension"),
      (
        #"{"input":"clips/a.mp4","output":"a.mov"}"#,
        "would both become out/a.mov; change \"output\" in"
      ),
      (#"{"input":"clips","output":"x.mov"}"#, "is a folder"),
    ])
  func mistakes(line: String, message: String) throws {
    let made = try BatchFolder("a.mp4")
    try made.folder.write("clips/a.mp4\n\n\(line)\n".utf8, to: "list")
    let result = try made.batch("--list list --output-dir out")
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains("line 3 of list: "), "\(result)")
    #expect(result.errors.contains(message), "\(result)")
    #expect(!made.folder.names.contains("out"))
  }
}
