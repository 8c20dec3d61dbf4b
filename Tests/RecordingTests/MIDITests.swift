import Glibc
import TestSupport
import Testing

/// Tests of `--midi` with the real program; a FIFO is the cable.
@Suite struct MIDIRecordingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    String(decoding: try readFile(folder.file(name)), as: UTF8.self)
  }

  @Test("knobs change parameters while kfrec records, and the changes are kept")
  func knobs() throws {
    try #require(mkfifo(folder.file("cable"), 0o600) == 0)
    // Opened for both, because opening it for writing alone would wait for the reader.
    let cable = open(folder.file("cable"), O_RDWR | O_CLOEXEC)
    defer { close(cable) }
    let bytes: [UInt8] = [0xb0, 21, 127, 0x99, 36, 127]
    try #require(write(cable, bytes, bytes.count) == bytes.count)
    try folder.write(
      Array("cc 1/21 -> effect 1 amount 0 0.5\nnote */36 -> effect vignette mix\n".utf8),
      to: "a.map")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x32", "--realtime", "-t", "2", "-e", "vignette",
        "--midi=./cable",
        "--midi-map", "a.map", "--automation", "moves", "-o", "out.mov",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let lines = try text("moves").split(separator: "\n")
    #expect(
      lines.contains { $0.contains("\"amount\"") && $0.contains("[0.5]") }, "\(lines) \(result)")
    #expect(lines.contains { $0.contains("\"mix\"") }, "\(lines)")
  }

  @Test(
    "a map with a mistake is told before anything is made",
    arguments: [
      ("cc 1/21 -> effect 2 amount", "a.map, line 2: there is no effect 2, but 1 in the chain"),
      (
        "cc 1/21 -> effect 1 amuont",
        "a.map, line 2: the effect 'vignette' has no parameter 'amuont'; it has "
      ), ("cc 1/21 effect 1 amount", "a.map, line 2: write a line such as"),
    ])
  func mistakes(_ line: String, _ sentence: String) throws {
    try folder.write(Array("# knobs\n\(line)\n".utf8), to: "a.map")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "-t", "1", "-e", "vignette", "--midi=./cable", "--midi-map", "a.map", "-o",
        "out.mov",
      ], in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains(sentence), "\(result)")
    #expect(folder.names == ["a.map"])
  }

  @Test("options that do not belong together, and a device that is not there, are told")
  func refused() throws {
    for (words, code, sentence) in [
      (["-e", "vignette", "--midi-map", "a.map"], 2, "--midi-map needs --midi"),
      (["--midi=./cable"], 2, "--midi has no effect to change"),
      (["-e", "vignette", "--midi=./cable"], 1, "./cable cannot be opened"),
      (["-e", "vignette", "--midi=./cable", "--midi-map", "none"], 1, "none cannot be read"),
    ] as [([String], Int32, String)] {
      let result = try KfrecProcess.run(
        ["-i", "testsrc", "-t", "1", "-o", "out.mov"] + words, in: folder)
      #expect(result.exitCode == code, "\(result)")
      #expect(result.errors.contains(sentence), "\(result)")
    }
    #expect(folder.names == [])
  }
}
