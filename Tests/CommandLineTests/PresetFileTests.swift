import Frames
import Glibc
import Recorder
import ShaderEffects
import TestSupport
import Testing

@testable import kfrec

/// Files of `--preset`: their lines, what wins, and their paths.
@Suite struct PresetFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ lines: String..., to name: String = "look.kfpreset") throws -> String {
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
    #expect(words.crf == 20 && words.size == ImageSize(width: 320, height: nil) && words.noTags)
    #expect(words.preset == "slow")
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
      #expect(words.crf == 20 && words.bitrate == nil && words.gop == 5)
      #expect(words.end == nil && words.frameRange == nil && words.preset == "fast")
      _ = try Recording(words)
    }
  }

  @Test("-e takes the chain of a file at its place, also from one file in another")
  func chains() throws {
    _ = try write("kfrec preset 1", "-e sepia", "--crf 3", to: "inner.kfpreset")
    let path = try write("kfrec preset 1", "-e blur", "-e inner.kfpreset", "-e invert")
    let words = try ArgumentParser.parse(["-e", "vhs", "-e", path, "-e", "crt"])
    #expect(words.effects.map(\.name) == ["vhs", "blur", "sepia", "invert", "crt"])
    #expect(words.crf == nil)
  }

  @Test("a command ignores options of other commands, and what only an encoder has")
  func otherCommands() throws {
    let path = try write("kfrec preset 1", "--crf 20", "-e sepia", "--preset slow")
    for command in ["play", "preview", "batch"] {
      let words = try ArgumentParser.parse([command, "--preset", path])
      #expect(words.effects.map(\.name) == ["sepia"])
      #expect(words.preset == (command == "batch" ? "slow" : nil))
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
    #expect(words.inputs == [base + "in.mov"])
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
    #expect(read.crf == 20 && read.noAudio && read.inputs.isEmpty && read.outputs.isEmpty)
    #expect(!read.verbose && !read.overwrite)
    #expect(read.effects.count == 2 && read.effects[1] == words.effects[1])
    #expect(read.effects[0].parameters[0].value == "a, (b:\\nc\"")
    #expect(read.effects[0].parameters[1].value == "0.1@0..0.2@1")
    // Again only with -y.
    #expect(throws: CommandLineError.self) { try read.savePreset(path) }
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

  @Test("a FIFO that nobody writes to is an empty preset, and not waited for")
  func fifo() {
    let path = folder.file("a.kfpreset")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: CommandLineError.self) { try ArgumentParser.parse(["--preset", path]) }
  }
}
