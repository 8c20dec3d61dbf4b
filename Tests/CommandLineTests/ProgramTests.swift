import Frames
import Glibc
import TestSupport
import Testing
import Settings

@testable import kfrec

/// Tests of the real binary without a recording.
@Suite struct ProgramTests {
  @Test("help goes to standard output with exit code 0", arguments: ["-h", "--help", "help"])
  func help(_ word: String) throws {
    let result = try KfrecProcess.run([word])
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    #expect(result.text.hasPrefix("kfrec \(programVersion): "))
    #expect(result.text.contains("--output OUTPUT"))
  }

  @Test("each command has its own help, which kfrec help prints too")
  func commandHelp() throws {
    for command in ["effects", "devices", "check"] {
      let own = try KfrecProcess.run([command, "--help"])
      #expect(own.exitCode == 0)
      #expect(own.text.hasPrefix("kfrec \(command): "))
      #expect(try KfrecProcess.run(["help", command]).output == own.output)
    }
  }

  @Test("--version names kfrec, FFmpeg, Vulkan and shaderc")
  func version() throws {
    let result = try KfrecProcess.run(["--version"])
    #expect(result.exitCode == 0)
    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "kfrec \(programVersion)")
    for name in ["FFmpeg ", ", built with ", "libavcodec ", "Vulkan loader ", "SPIR-V 1."] {
      #expect(result.text.contains(name))
    }
  }

  @Test("an FFmpeg that is older than the one of the build is refused, and --version shows it")
  func oldFFmpeg() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "-t", "1", "-o", "out.mov"], in: folder, preloading: "OldFFmpeg")
    #expect(result.exitCode == 1)
    #expect(result.errors.hasPrefix("kfrec: libavcodec 59.1.100 is "), "\(result)")
    #expect(result.errors.contains("kfrec was built with"))
    #expect(!fileExists(folder.file("out.mov")))
    let devices = try KfrecProcess.run(["devices"], preloading: "OldFFmpeg")
    #expect(devices.exitCode == 1 && devices.output.isEmpty, "\(devices)")
    #expect(try KfrecProcess.run(["effects"], preloading: "OldFFmpeg").exitCode == 0)
    let version = try KfrecProcess.run(["--version"], preloading: "OldFFmpeg")
    #expect(version.exitCode == 0 && version.text.contains("libavcodec 59.1.100"))
  }

  @Test(
    "wrong words give exit code 2 and one sentence on standard error",
    arguments: [
      [], ["--ouput", "x"], ["-i", "a.mp4"], ["-o"], ["effcts"], ["--size", "12y"],
      ["-i", "a", "-o", "b.mov", "--crf", "99"], ["help", "nothing"], ["devices", "one", "two"],
      ["check"],
      ["-i", "a", "-o", "b.mov", "--effect="],
    ])
  func usageError(_ typed: [String]) throws {
    let result = try KfrecProcess.run(typed)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("kfrec: "))
    #expect(result.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  @Test("control characters in an effect's texts are shown and not sent to the terminal")
  func controlCharacters() throws {
    let folder = try TemporaryFolder()
    let text = """
      /*{"DESCRIPTION": "one \\u001b]0;pwned\\u0007 \\u0000 two \\u009b2J \\u007f \\u202e",
        "INPUTS": [{"NAME": "way", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["a\\u001b[2J", "b"],
          "DEFAULT": 0}]}*/
      vec4 effect(vec2 uv) { return way == 0 ? vec4(1.0) : framePixel(); }
      """
    try folder.write(Array(text.utf8), to: "hostile.comp")
    for words in [["effects"], ["effects", "hostile"]] {
      let result = try KfrecProcess.run(words + ["--effects-dir", "."], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.text.contains("one \\x1b]0;pwned\\x07 \\x00 two"))
      #expect(!result.output.contains { $0 < 0x20 && $0 != UInt8(ascii: "\n") })
      if words.count > 1 { #expect(result.text.contains("a\\x1b[2J")) }
      let json = try KfrecProcess.run(words + ["--effects-dir", ".", "--json"], in: folder)
      #expect(json.exitCode == 0 && json.text.contains(#"two \u009b2J \u007f \u202e"#), "\(json)")
      #expect(!json.text.unicodeScalars.contains { $0.isObeyed && $0 != "\n" }, "\(json)")
    }
  }

  @Test(
    "without -i and without a camera the error says what to type",
    .enabled(if: !fileExists("/sys/class/video4linux"), "this machine has cameras"))
  func noCamera() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(["--effect", "separateRGB", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("-i testsrc"))
    #expect(folder.names.isEmpty)
  }

  @Test("with JSON output an error of a recording is also a JSON object")
  func jsonError() throws {
    let folder = try TemporaryFolder()
    let onOutput = try KfrecProcess.run(
      ["-i", "absent.mp4", "-o", "out.mov", "--progress", "json"], in: folder)
    #expect(onOutput.text.hasPrefix("{\"type\":\"error\","))
    #expect(onOutput.text.contains("\"exitCode\":1"))
    #expect(onOutput.errors.hasPrefix("kfrec: "))
    let onError = try KfrecProcess.run(["-i", "absent.mp4", "-o", "-", "--progress", "json"])
    #expect(onError.output.isEmpty)
    #expect(onError.errors.hasPrefix("{\"type\":\"error\","))
    #expect(onError.errors.split(separator: "\n").count == 1)
  }

  @Test("a full disk behind standard output is an error, and a reader that has gone is not")
  func standardOutput() throws {
    let full = try KfrecProcess.shell("exec \"$0\" --help >/dev/full")
    #expect(full.exitCode == 1)
    #expect(full.errors.contains("No space left on device"))
    let gone = try KfrecProcess.shell("\"$0\" --help | true; exit ${PIPESTATUS[0]}")
    #expect(gone.exitCode == 0, "\(gone)")
  }

  @Test("the GPUs are listed as JSON objects with a kind")
  func devices() throws {
    let result = try KfrecProcess.run(["devices", "--json"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.text.hasPrefix("["))
    #expect(result.text.hasSuffix("]\n"))
    let objects = result.text.split(separator: "\n").filter { $0.hasPrefix("{") }
    for object in objects where !object.contains("\"works\":true") {
      #expect(object.hasPrefix("{\"kind\":\"gpu\",\"index\":"))
    }
  }

  @Test("hardware that does not encode or decode is listed with its reason on request only")
  func hardware() throws {
    let short = try KfrecProcess.run(["devices"])
    #expect(!short.text.contains("h264_nvenc, encoder: "), "\(short)")
    let long = try KfrecProcess.run(["devices", "--verbose"])
    let objects = try KfrecProcess.run(["devices", "--verbose", "--json"]).text
    for name in ["h264_nvenc", "hevc_qsv", "vp9_vaapi", "h264_v4l2m2m"] {
      let works = objects.contains("\"name\":\"\(name)\"") && long.text.contains("\(name)  ")
      #expect(works || long.text.contains("\(name), encoder: "), "\(long)")
    }
    #expect(objects.contains("\"kind\":\"decoder\""), "\(objects)")
  }

  @Test("the words that the kernel keeps are those that Swift gives, which has none at times")
  func words() throws {
    #expect(try TypedArguments.ofKernel.texts() == Array(CommandLine.arguments.dropFirst()))
    #expect(TypedArguments([[0x61], [0x62]]).areOnly("b"))
    #expect(!TypedArguments([[0x61], [0x62], []]).areOnly("b"))
    #expect(try TypedArguments([[0x61], []]).texts() == [""])
    #expect(throws: CommandLineError.self) { try TypedArguments([]).texts() }
  }
}
