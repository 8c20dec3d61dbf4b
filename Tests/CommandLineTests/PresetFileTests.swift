import Capture
import Frames
import Glibc
import Recorder
import ShaderEffects
import TestSupport
import Testing
import Settings

@testable import kfrec
import Encode

/// Files of `--preset`: their lines, what wins, and their paths.
@Suite struct PresetFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ lines: String...) throws -> String { try write(lines) }

  private func write(_ lines: [String], to name: String = "look.kfpreset") throws -> String {
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: name)
  }

  @Test("its options count, and comments, blanks, equals signs and quotation marks are read")
  func reading() throws {
    let path = try write(
      "kfrec preset 1", "# a look", "", "  --crf  20  ", "--size=320x", "-e 'vignette:amount=0.5'",
      "-e sepia", "--no-tags", "--preset slow\r")
    let words = try ArgumentParser.parse([
      "-i", "a.mov", "--preset", path, "-e", "invert", "-o", "b.mov",
    ])
    #expect(
      words.encoding.crf == 20 && words.size?.width == 320 && words.size?.height == nil
        && !words.source.includesTags)
    #expect(words.encoding.preset == "slow")
    #expect(words.effects.map(\.name) == ["vignette", "sepia", "invert"])
    #expect(words.effects[0].parameters.map(\.value) == ["0.5"])
    // A batch compares these, so that it notices a changed preset.
    #expect(
      words.given.map(\.name) == ["crf", "size", "effect", "effect", "no-tags", "preset", "effect"])
  }

  @Test("what is typed wins, also if it contradicts the file, wherever the file stands")
  func precedence() throws {
    let path = try write(
      "kfrec preset 1", "--bitrate 8M", "--gop 10", "--end 9", "--frame-range 1-2", "--preset slow")
    for rest in [["--preset", path], []] {
      let typed = ["--crf", "20", "--gop", "5", "-t", "3", "--preset", "fast"] + rest
      let words = try ArgumentParser.parse(
        (rest.isEmpty ? ["--preset", path] : []) + ["-i", "a.mov", "-o", "b.mov"] + typed)
      #expect(words.encoding.crf == 20 && words.encoding.bitrate == nil && words.encoding.gop == 5)
      #expect(
        words.source.end == nil && words.source.range == nil && words.encoding.preset == "fast")
      _ = try Recording(words)
    }
  }

  @Test(
    "of two options that contradict each other the typed one counts, and of two files the later one",
    arguments: [
      (["--normalize -16"], "--no-audio", "no-audio"),
      (["--audio-codec copy"], "--volume 2", "volume"),
      (["--framehash h.txt"], "--split 1", "split"),
      (["--fps-mode blend"], "--frame-range 0-5", "frame-range"),
      (["--fps-mode passthrough"], "--fps 25", "fps"),
      (["--reverse"], "--frame-range 0-5", "frame-range"),
      (["--start 9"], "--end 5", "end"),
      (["--audio-track 2"], "--audio-in s.mp3", "audio-in"),
      (["--audio-in s.mp3~mix"], "--no-audio", "no-audio"),
      (["--codec libvpx-vp9", "--preset good"], "--codec libx264", "codec"),
      (["--encoder-option tune=grain"], "--codec vp9", "codec"),
      (["--crf 20", "--pixel-format yuv420p"], "--codec prores", "codec"),
    ])
  func contradictions(_ lines: [String], _ typed: String, _ left: String) throws {
    let low = try write(["kfrec preset 1"] + lines, to: "low.kfpreset")
    let high = try write(["kfrec preset 1", typed], to: "high.kfpreset")
    let rest = ["-i", "a.mov", "-o", "b.mov"]
    let words = typed.split(separator: " ").map(String.init)
    for given in [["--preset", low] + words, ["--preset", low, "--preset", high]] {
      let words = try ArgumentParser.parse(rest + given)
      #expect(words.typed.map(\.name).filter { !["input", "output"].contains($0) } == [left])
      _ = try Recording(words)
    }
  }

  @Test("what does not contradict stays, and a file that contradicts itself is refused")
  func kept() throws {
    let path = try write(
      ["kfrec preset 1", "--audio-bitrate 96k", "--preset slow", "--crf 20", "--audio-in s.mp3"])
    let words = try ArgumentParser.parse([
      "--preset", path, "-i", "a", "-o", "b.mov", "--no-audio", "--codec", "h264",
    ])
    #expect(
      words.encoding.audio.bitrate == 96_000 && words.encoding.preset == "slow"
        && words.encoding.crf == 20)
    _ = try Recording(words)
    let broken = try write(["kfrec preset 1", "--crf 20", "--bitrate 2M"], to: "broken.kfpreset")
    #expect(throws: CommandLineError.self) {
      try Recording(ArgumentParser.parse(["--preset", broken, "-i", "a", "-o", "b.mov"]))
    }
  }

  @Test("a file's own effects are found from everywhere, and so are their images")
  func ownEffects() throws {
    mkdir(folder.file("fx"), 0o755)
    _ = try folder.write(
      Array(
        "/*{\"INPUTS\": [{\"NAME\": \"back\", \"TYPE\": \"image\"}]}*/ vec4 effect(vec2 uv) { return back(uv); }"
          .utf8), to: "fx/own.comp")
    let path = try write(
      "kfrec preset 1", "-e own:back=back.png", "--effects-dir fx")
    for typed in ["--preset", "-e"] {
      let words = try ArgumentParser.parse([typed, path])
      #expect(words.effectFolders == [folder.path + "/fx"])
      #expect(words.effects[0].parameters.map(\.value) == [folder.path + "/back.png"])
    }
  }

  @Test("-e takes the chain of a file at its place, also from one file in another")
  func chains() throws {
    _ = try write(["kfrec preset 1", "-e sepia", "--crf 3"], to: "inner.kfpreset")
    let path = try write("kfrec preset 1", "-e blur", "-e inner.kfpreset", "-e invert")
    let words = try ArgumentParser.parse(["-e", "vhs", "-e", path, "-e", "crt"])
    #expect(words.effects.map(\.name) == ["vhs", "blur", "sepia", "invert", "crt"])
    #expect(words.encoding.crf == nil)
  }

  @Test("a command ignores options of other commands, and what only an encoder has")
  func otherCommands() throws {
    let path = try write("kfrec preset 1", "--crf 20", "-e sepia", "--preset slow")
    for command in ["play", "preview", "batch"] {
      let words = try ArgumentParser.parse([command, "--preset", path])
      #expect(words.effects.map(\.name) == ["sepia"])
      #expect(words.encoding.preset == (command == "batch" ? "slow" : nil))
    }
    let error = #expect(throws: CommandLineError.self) {
      try ArgumentParser.parse(["play", "--preset", "veryfast", "a.mov"])
    }
    #expect(error?.description.contains("look.kfpreset") == true)
  }

  @Test("paths count from the file's folder, and words that are no paths stay as they are")
  func paths() throws {
    for name in ["mine.comp", "back.png"] {
      _ = try folder.write(
        name.hasSuffix("p")
          ? Array(
            "/*{\"INPUTS\": [{\"NAME\": \"back\", \"TYPE\": \"image\"}, {\"NAME\": \"n\", \"TYPE\": \"float\"}]}*/ vec4 effect(vec2 uv) { return back(uv) * n; }"
              .utf8) : [1], to: name)
    }
    _ = try folder.write([1], to: "1")
    let path = try write(
      "kfrec preset 1", "-e ./mine.comp:back=back.png~loop,n=1", "-e ./mine.comp:back=testsrc",
      "-e overlay:image=\"none, at all.png\"", "--effects-dir .", "--automation-in /a/b.jsonl",
      "-i in.mov")
    let words = try ArgumentParser.parse(["--preset", path])
    let base = folder.path + "/"
    #expect(words.effects.map(\.name) == [base + "./mine.comp", base + "./mine.comp", "overlay"])
    #expect(words.effects[0].parameters.map(\.value) == [base + "back.png~loop", "1"])
    #expect(words.effects[1].parameters.map(\.value) == ["testsrc"])
    #expect(words.effects[2].parameters.map(\.value) == [base + "none, at all.png"])
    #expect(words.effectFolders == [base + "."] && words.automationIn == "/a/b.jsonl")
    #expect(words.inputs.map(\.name) == [base + "in.mov"])
  }

  @Test("what is saved is read again, without input and output")
  func saving() throws {
    let path = folder.file("look.kfpreset")
    let typed = [
      "-i", "a.mov", "-o", "b.mov", "-y", "--crf", "30", "--crf", "20", "--verbose",
      "-e", "text:text=\"a, (b:\nc\\\"\",size=0.1@0..0.2@1", "-e", "vignette:mix=0.5", "--no-audio",
    ]
    let words = try ArgumentParser.parse(typed)
    try words.savePreset(path)
    let text = String(decoding: try readFile(path), as: UTF8.self)
    #expect(text.hasPrefix("kfrec preset 1\n--crf 20\n-e text:"), "\(text)")
    let read = try ArgumentParser.parse(["--preset", path])
    #expect(
      read.encoding.crf == 20 && !read.source.includesAudio && read.inputs.isEmpty
        && read.outputs.isEmpty)
    #expect(!read.verbose && read.overwrite == .refuse)
    #expect(read.effects.count == 2 && read.effects[1] == words.effects[1])
    #expect(read.effects[0].parameters[0].value == "a, (b:\\nc\"")
    #expect(read.effects[0].parameters[1].value == "0.1@0..0.2@1")
    // Again only with -y.
    #expect(throws: CommandLineError.self) { try read.savePreset(path) }
  }

  @Test("a preset cannot say that outputs are replaced")
  func overwriting() throws {
    for line in ["-y", "--overwrite"] {
      try folder.write("kfrec preset 1\n-e sepia\n\(line)\n".utf8, to: "look.kfpreset")
      let error = #expect(throws: CommandLineError.self) {
        try ArgumentParser.parse(["--preset", folder.file("look.kfpreset")])
      }
      #expect(error?.description.contains("line 3: a preset cannot have \(line); type it") == true)
    }
  }

  @Test("effects are looked for in typed folders first, then in those of later files")
  func effectFolders() throws {
    for name in ["a", "b"] {
      try folder.write(
        "kfrec preset 1\n--effects-dir \(name)\n-e sepia\n".utf8, to: name + ".kfpreset")
    }
    let (a, b) = (folder.file("a"), folder.file("b"))
    let words = [
      "--preset", a + ".kfpreset", "--preset", b + ".kfpreset", "--effects-dir", "typed",
    ]
    #expect(try ArgumentParser.parse(words).effectFolders == ["typed", b, a])
    #expect(
      try ArgumentParser.parse(["-e", a + ".kfpreset", "--effects-dir", "typed"]).effectFolders
        == ["typed", a])
  }

  @Test("a value within quotation marks keeps them, and blanks at its ends stay")
  func quotation() throws {
    let path = folder.file("look.kfpreset")
    try ArgumentParser.parse(["--audio-in", "'q.mp4'", "--gpu", " 1 "]).savePreset(path)
    let text = String(decoding: try readFile(path), as: UTF8.self)
    #expect(text.contains("/'q.mp4'\n") && text.contains("--gpu ' 1 '\n"), "\(text)")
    let words = try ArgumentParser.parse(["--preset", path])
    #expect(words.addedAudio?.file.path.hasSuffix("/'q.mp4'") == true && words.gpu == " 1 ")
    #expect(PresetFile.written("'q.mp4'") == "''q.mp4''")
  }

  @Test("a file of another program beside the preset is left as it is")
  func foreignFiles() throws {
    let path = folder.file("look.kfpreset")
    let others = ["look.kfpreset.part", "look.kfpreset.1.part"]
    for name in others { try folder.write("mine".utf8, to: name) }
    try ArgumentParser.parse(["--crf", "20"]).savePreset(path)
    #expect(folder.names == (others + ["look.kfpreset"]).sorted())
    for name in others { #expect(try readFile(folder.file(name)) == Array("mine".utf8)) }
    try ArgumentParser.parse(["--crf", "21", "-y"]).savePreset(path)
    #expect(String(decoding: try readFile(path), as: UTF8.self).contains("--crf 21"))
    // What cannot be written leaves nothing.
    mkdir(folder.file("d.kfpreset"), 0o755)
    #expect(throws: (any Error).self) {
      try ArgumentParser.parse(["--crf", "21", "-y"]).savePreset(folder.file("d.kfpreset"))
    }
    #expect(folder.names == (others + ["look.kfpreset", "d.kfpreset"]).sorted())
  }

  @Test(
    "what could not be used is not saved",
    arguments: [
      (["-e", "vignette:nosuch=1"], "no parameter 'nosuch'"), (["-e", "nosuch"], "no effect"),
      (["-e", "vignette:amount=red"], "amount must be"),
      (["--crf", "1", "--bitrate", "1M"], "crf"),
    ])
  func unusable(_ typed: [String], _ message: String) throws {
    let error = #expect(throws: (any Error).self) {
      try ArgumentParser.parse(typed).savePreset(folder.file("a.kfpreset"))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(String(describing: error))")
    #expect(folder.names == [])
  }

  @Test(
    "a file that is no preset of this version is refused, and a wrong line is named",
    arguments: [
      ("kfrec preset 2\n--crf 20", "version 2"), ("--crf 20", "first line must be"),
      ("", "first line"),
      ("kfrec preset 1\n--cfr 20", "line 2"), ("kfrec preset 1\n\nvhs", "line 3"),
      ("kfrec preset 1\n--save-preset x", "cannot have"),
      ("kfrec preset 1\n--no-tags yes", "takes no value"),
      ("kfrec preset 1\n--crf", "lacks its"), ("kfrec preset 1\n--crf 99", "look.kfpreset"),
      ("kfrec preset 1\n--preset ./other.kfpreset", "-e ./other.kfpreset"),
      ("kfrec preset 1\n-e look.kfpreset", "use one another"), ("kfrec preset 1\n\u{0}", "UTF-8"),
    ])
  func refused(_ text: String, _ message: String) throws {
    let path = try write(text)
    let error = #expect(throws: (any Error).self) { try ArgumentParser.parse(["--preset", path]) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(String(describing: error))")
  }

  @Test("a file that is not there, and one without effects after -e, are refused")
  func missing() throws {
    #expect(throws: CommandLineError.self) {
      try ArgumentParser.parse(["--preset", folder.file("a.kfpreset")])
    }
    let path = try write("kfrec preset 1", "--crf 20")
    #expect(throws: CommandLineError.self) { try ArgumentParser.parse(["-e", path]) }
  }

  @Test("a preset without end is refused")
  func endless() {
    let error = #expect(throws: CommandLineError.self) {
      try ArgumentParser.parse(["--preset", "/dev/zero"])
    }
    #expect(error?.description.contains("has more than 4 MiB") == true)
  }

  @Test("a FIFO that nobody writes to is an empty preset, and not waited for")
  func fifo() {
    let path = folder.file("a.kfpreset")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: CommandLineError.self) { try ArgumentParser.parse(["--preset", path]) }
  }
}
