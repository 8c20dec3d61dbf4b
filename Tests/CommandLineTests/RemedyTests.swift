import Frames
import TestSupport
import Testing

@testable import kfrec
import Settings
import Recorder

/// What sentences advise is understood by the command that was typed, or it is said whose it is.
@Suite struct RemedyTests {
  private func isName(_ word: String, of option: Option) -> Bool {
    "--" + option.long == word || option.short.map { "-\($0)" == word } == true
  }

  /// The options that a text names, by their long or short names; those of another program are its own.
  private func options(in text: String) -> [String] {
    let isOfOthers = ["ffmpeg -", "ssh -", "usermod -"].contains { text.contains($0) }
    return text.split { !($0 == "-" || $0.isASCII && $0.isLetter) }.map(String.init)
      .filter { word in
        (word.hasPrefix("--") || !isOfOthers) && optionTable.contains { isName(word, of: $0) }
      }
  }

  private func takes(_ command: Command, _ word: String) -> Bool {
    optionTable.contains { $0.commands.contains(command) && isName(word, of: $0) }
  }

  /// The lines of the program's sources that hold texts with names of options.
  private func sentences() throws -> [String] {
    let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let found = try ChildProcess(
      "grep",
      [
        "-rhE", "--include=*.swift", "[\" (](--[a-z][a-z-]+|-[a-zA-Z][ ,;:\")])",
        "/" + sources + "/Sources",
      ]
    ).wait()
    return String(decoding: found.output, as: UTF8.self).split(separator: "\n").map {
      $0.drop { $0 == " " }
    }.filter { !$0.hasPrefix("//") }.map(String.init)
  }

  @Test(
    "no sentence of the program names an option that the command refuses without saying whose it is"
  )
  func all() throws {
    let sentences = try sentences()
    #expect(sentences.count > 150)
    for command in Command.allCases {
      for sentence in sentences {
        let refused = options(in: sentence).filter { !takes(command, $0) }
        let said = command.completing(sentence)
        guard let first = refused.first else { continue }
        let owners = optionTable.filter { isName(first, of: $0) }.flatMap(\.commands)
        #expect(
          owners.contains { owner in
            said.contains(owner == .record ? "to kfrec" : owner.title) || said.contains("kfrec -")
          }, "\(command.title): \(said)")
      }
    }
  }

  @Test(
    "words of other tools name no option that the command refuses without saying whose it is",
    arguments: [
      "-an", "-sn", "-crf", "-re", "-ss", "-to", "-r", "-b:v", "-pix_fmt", "-g", "-af", "-vf",
      "--subtitles", "--fade-in", "--mic", "--length", "-t", "--volume=x", "--speed=x",
    ])
  func foreign(_ word: String) throws {
    for command in Command.allCases where command != .complete {
      let typed = (command == .record ? [] : [command.rawValue]) + [word, "3"]
      do { _ = try ArgumentParser.parse(typed) } catch {
        let said = command.completing("\(error)")
        let refused = options(in: "\(error)").filter { !takes(command, $0) }
        #expect(
          refused.isEmpty || said.contains("belong"), "\(typed): \(said)")
      }
    }
  }

  @Test(
    "the sentences of real commands say whose their remedies are",
    arguments: [
      (
        ["play", "sound.wav"],
        "(--audio-in and -i belong to kfrec or kfrec preview, not to kfrec play)"
      ),
      (["effects", "-an"], "-an: use --no-audio (--no-audio belongs to "),
      (
        ["play", "-crf", "3", "a.mp4"], "(--crf belongs to kfrec or kfrec batch, not to kfrec play)"
      ),
      (["check", "sepia,vignette"], "-e sepia -e vignette (-e belongs to "),
      (
        ["preview", "-i", "testsrc", "--automation", "take.jsonl"], "add -y to replace it, or give"
      ),
      (
        ["batch", "color:000000", "--size", "64x48", "--loop", "2", "--output-dir", "out"],
        "~duration=5 (a part behind a name belongs to -i of kfrec and of kfrec preview, not to kfrec batch)"
      ),
    ])
  func program(_ typed: [String], _ sentence: String) throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=1", folder.file("sound.wav")])
    try folder.write(Array("{}\n".utf8), to: "take.jsonl")
    let result = try KfrecProcess.run(typed, in: folder)
    #expect(result.exitCode != 0 && (result.errors + result.text).contains(sentence), "\(result)")
  }

  @Test("a preview replaces an automation with -y, and keeps it with -n")
  func preview() throws {
    let words = try ArgumentParser.parse(["preview", "--automation", "take.jsonl", "-y"])
    #expect(words.overwrite == .replace)
    #expect(
      try ArgumentParser.parse(["preview", "--automation", "take.jsonl", "-n"]).overwrite == .skip)
  }

  @Test(
    "a folder as the input is answered with the batch that takes it",
    arguments: [
      (["-i", "clips", "-o", "out/"], "kfrec batch clips --output-dir out/ makes"),
      (
        ["-i", "clips", "-e", "vhs", "-o", "out.mov"],
        "kfrec batch clips -e vhs --output-dir out makes"
      ),
      (["preview", "-i", "clips"], "kfrec play clips plays"),
    ])
  func folders(_ typed: [String], _ sentence: String) throws {
    let folder = try TemporaryFolder()
    try runTool("mkdir", [folder.file("clips"), folder.file("out")])
    let result = try KfrecProcess.run(typed, in: folder)
    #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result)")
    #expect(folder.names.sorted() == ["clips", "out"])
  }

  @Test(
    "--scale without --size is told to change nothing, with what cuts a picture to a shape",
    arguments: [
      (
        ["--scale", "fill"],
        "without --size, --scale fill acts only on later frames of another shape"
      ),
      (["--aspect", "1:1", "--scale", "fill"], "--aspect squeezes the picture into its shape"),
      (["--size", "48x48", "--scale", "fill"], ""), (["--aspect", "1:1"], ""),
    ])
  func scale(_ words: [String], _ warning: String) throws {
    let folder = try TemporaryFolder()
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2", folder.file("in.mp4")])
    let result = try KfrecProcess.run(["-i", "in.mp4", "-o", "out.mov"] + words, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("warning: ") == !warning.isEmpty, "\(result)")
    #expect(warning.isEmpty || result.errors.contains(warning), "\(result)")
  }
}
