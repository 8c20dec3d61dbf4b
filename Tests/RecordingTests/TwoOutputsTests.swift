import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of one run with several outputs, with the real program.
@Suite struct TwoOutputsTests {
  private struct Line: Decodable {
    struct Output: Decodable {
      var output: String
      var frames, dropped, bytes: Int?
      var incomplete: String?
    }
    var type: String
    var framesOut, exitCode: Int?
    var output, message, incomplete: String?
    var outputs: [Output]?
  }

  private struct Ready: Decodable {
    var type: String
    var outputs, plan: [String]
  }

  private func film(in folder: TemporaryFolder) throws -> String {
    try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
        "libx264", "-preset", "ultrafast", "-c:a", "aac",
      ])
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").dropFirst().map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test(
    "several outputs have the bytes of separate runs with one output each",
    arguments: [
      (["a.mov", "a.y4m"], ["-e", "separateRGB:amount=4"]), (["a.mkv", "null", "a.mov"], []),
      (["a-%02d.png", "b-%02d.png"], ["-e", "vignette", "--frames", "3"]),
      (["a.mov", "a.mp4"], ["--fps-mode", "cfr", "--fps", "30", "-t", "0.5"]),
      (["a.mp4", "a.y4m"], ["--frames", "7", "--pixel-format", "yuv444p", "--size", "64x"]),
    ])
  func same(_ outputs: [String], _ words: [String]) throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    mkdir(folder.file("single"), 0o755)
    let both = try KfrecProcess.run(
      ["-i", "in.mp4"] + outputs.flatMap { ["-o", $0] } + words, in: folder)
    #expect(both.exitCode == 0, "\(both)")
    for output in outputs where output != "null" {
      let single = try KfrecProcess.run(
        ["-i", "in.mp4", "-o", "single/\(output)"] + words, in: folder)
      #expect(single.exitCode == 0, "\(single)")
      let names = output.contains("%") ? (1...3).map { "\(output.prefix(2))0\($0).png" } : [output]
      for name in names {
        #expect(try readFile(folder.file(name)) == readFile(folder.file("single/\(name)")))
      }
    }
    #expect(!folder.names.contains { $0.hasSuffix(".part") })
  }

  @Test("the summary, the objects and the statistics have each output with its numbers")
  func reports() throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    let words = ["-y", "-i", "in.mp4", "-e", "vignette", "-o", "a.mov", "-o", "b.y4m", "--stats"]
    let plain = try KfrecProcess.run(words + ["--verbose", "--progress", "bar"], in: folder)
    for part in [
      "in.mp4 to a.mov and b.y4m, 128x96", "output: a.mov, yuv420p", "output: b.y4m, yuv420p",
      "kfrec: a.mov: 25 frames in, 25 out, 0 dropped, ", "kfrec: b.y4m: 25 frames, 0 dropped, ",
      "\nencode a.mov ", "\nencode b.y4m ", "\nfinished a.mov ", "\nfinished b.y4m ",
    ] { #expect(plain.errors.contains(part), "\(part): \(plain)") }
    let result = try KfrecProcess.run(words + ["--progress", "json"], in: folder)
    let first = try #require(result.text.split(separator: "\n").first)
    let ready = try JSONDecoder().decode(Ready.self, from: Data(first.utf8))
    #expect(ready.outputs == ["a.mov", "b.y4m"])
    let end = try #require(try lines(result.text).last)
    #expect(end.type == "end" && end.output == "a.mov" && end.framesOut == 25)
    let outputs = try #require(end.outputs)
    #expect(outputs.map(\.output) == ["a.mov", "b.y4m"] && outputs.allSatisfy { $0.frames == 25 })
    for output in outputs {
      #expect(try output.bytes == readFile(folder.file(output.output)).count)
    }
    // The audio goes to the output that takes it.
    #expect(try Probe.rows(folder.file("a.mov"), "stream=codec_type").count == 2)
  }

  @Test("an existing output is kept, replaced or refused, each by itself")
  func existing() throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    try folder.write([1, 2, 3], to: "a.mov")
    let words = ["-i", "in.mp4", "--frames", "2", "-o", "a.mov", "-o", "b.mov"]
    let refused = try KfrecProcess.run(words, in: folder)
    #expect(refused.exitCode == 2 && refused.errors.contains("a.mov exists already; add -y"))
    #expect(folder.names == ["a.mov", "in.mp4"])
    let skipped = try KfrecProcess.run(words + ["-n"], in: folder)
    #expect(skipped.exitCode == 0 && skipped.errors.contains("a.mov exists already and was left"))
    #expect(try readFile(folder.file("a.mov")) == [1, 2, 3])
    let other = try readFile(folder.file("b.mov"))
    let again = try KfrecProcess.run(words + ["-n"], in: folder)
    #expect(again.exitCode == 0 && again.errors.contains("b.mov exists already and was left"))
    let replaced = try KfrecProcess.run(words + ["-y"], in: folder)
    #expect(replaced.exitCode == 0)
    #expect(try readFile(folder.file("a.mov")) == other)
  }

  @Test(
    "outputs that do not go together are refused in a sentence, and no file is left",
    arguments: [
      (["a.mov", "a.mov"], 2, "-o a.mov was given twice: give each output its own name"),
      (["a.mov", "./a.mov"], 2, "a.mov and ./a.mov name the same place"),
      (["a.mov", "b-%04d.png"], 2, "a.mov takes yuv420p and b-%04d.png RGB"),
      (["a.mov", "in.mp4"], 2, "in.mp4 is both input and output"),
      (["a.mov", "b.xyz"], 2, "b.xyz has an extension that names no container"),
      (["a.mov", "nowhere/b.mov"], 1, "no folder nowhere"),
      (["a.mov", "/dev/video99"], 1, "/dev/video99 cannot be opened as a virtual camera"),
    ])
  func refusals(_ outputs: [String], _ exitCode: Int32, _ part: String) throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    let result = try KfrecProcess.run(
      ["-i", "in.mp4"] + outputs.flatMap { ["-o", $0] }, in: folder)
    #expect(result.exitCode == exitCode && result.errors.contains(part), "\(result)")
    #expect(folder.names == ["in.mp4"])
  }

  @Test("an output whose reader closes the pipe does not end the other")
  func lostReader() throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    mkfifo(folder.file("pipe"), 0o600)
    let reader = try ChildProcess(
      "sh", ["-c", "exec head -c 1000 \"$0\" >/dev/null", folder.file("pipe")])
    let result = try KfrecProcess.run(
      [
        "-i", "in.mp4", "-o", "pipe", "--container", "y4m", "-o", "a.mov", "--progress", "json",
      ], in: folder)
    #expect(reader.wait().exitCode == 0)
    #expect(result.exitCode == 3, "\(result)")
    #expect(try Probe.rows(folder.file("a.mov"), "frame=pts", of: "v:0").count == 25)
    let lines = try lines(result.text)
    let sentence = try #require(lines.last?.incomplete)
    #expect(
      sentence.hasPrefix("pipe: the reader has closed the pipe")
        && sentence.hasSuffix("the recording goes on without this output"))
    #expect(lines.contains { $0.type == "warning" && $0.message == sentence })
    let outputs = try #require(lines.last?.outputs)
    #expect(outputs.map { $0.incomplete } == [sentence, nil])
    #expect(outputs.last?.frames == 25)
  }

  @Test("standard output and a file go together")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    _ = try film(in: folder)
    let result = try KfrecProcess.run(
      ["-i", "in.mp4", "-o", "-", "-o", "a.mov", "--container", "mkv"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let piped = try folder.write(result.output, to: "piped.mkv")
    #expect(try Probe.rows(piped, "format=format_name").first?["format_name"] == "matroska,webm")
    #expect(try Probe.pixels(piped) == Probe.pixels(folder.file("a.mov")))
  }
}
