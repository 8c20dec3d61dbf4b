import Glibc
import TestSupport
import Testing

/// Tests that each failure gives one sentence that names the cause, its exit code, and no file.
@Suite struct FailureTests {
  /// Makes the files that the cases use.
  private static func inputs(in folder: TemporaryFolder) throws {
    try make(
      "good.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=4", "-c:v", "libx264", "-preset", "ultrafast"])
    try make("good.mkv", in: folder, ["-i", folder.file("good.mp4"), "-c", "copy"])
    try make(
      "fast.mp4", in: folder,
      ["-i", folder.file("good.mp4"), "-c", "copy", "-movflags", "faststart"])
    try make("audio.m4a", in: folder, ["-f", "lavfi", "-i", "sine=d=0.2", "-c:a", "aac"])
    try folder.write([], to: "empty.mp4")
    try folder.write(Array("Dear reader, this is a letter and no film.\n".utf8), to: "text.mp4")
    for name in ["good.mp4", "good.mkv", "fast.mp4"] {
      let bytes = try readFile(folder.file(name))
      try folder.write(bytes.prefix(bytes.count / 2), to: "cut-\(name)")
    }
    mkdir(folder.file("folder"), 0o755)
    symlink("good.mp4", folder.file("link.mp4"))
    link(folder.file("good.mp4"), folder.file("hard.mp4"))
    try folder.write(
      Array("/*{\"DESCRIPTION\": \"x\"}*/\nvec4 effect(vec2 uv) {\n  return nothing;\n}\n".utf8),
      to: "bad.comp")
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let exitCode: Int32
    /// The texts that the sentence must contain.
    let says: [String]
    var environment: [String: String] = [:]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String, _ exitCode: Int32, _ says: String..., environment: [String: String] = [:])
    {
      self.words = words.split(separator: " ").map(String.init)
      (self.exitCode, self.says, self.environment) = (exitCode, says, environment)
    }
  }

  static let cases = [
    Case("-i missing.mp4 -o out.mov", 1, "missing.mp4 does not exist"),
    Case("-i missing-%04d.png -o out.mov", 1, "missing-%04d.png"),
    Case("-i folder -o out.mov", 2, "folder is a folder; kfrec batch folder --output-dir out"),
    Case("-i empty.mp4 -o out.mov", 1, "empty.mp4 is empty"),
    Case("-i text.mp4 -o out.mov", 1, "text.mp4 is not a video"),
    Case("-i audio.m4a -o out.mov", 1, "audio.m4a has audio and no video"),
    Case("-i cut-good.mp4 -o out.mov", 1, "cut-good.mp4 has lost its index"),
    Case("-i good.mp4 -o nowhere/out.mov", 1, "no folder nowhere"),
    Case("-i good.mp4 -o nowhere/out-%04d.png", 1, "no folder nowhere"),
    Case("-i good.mp4 -o good.mkv/out.mov", 1, "good.mkv is not a folder"),
    Case("-i good.mp4 -o folder", 1, "folder is a folder"),
    Case("-i good.mp4 -o out.xyz", 2, "out.xyz", ".mov", "--container"),
    Case("-i good.mp4 -o out", 2, "out has no extension", "--container"),
    Case("-i good.mp4 -o out.mov --container avi", 2, "avi"),
    Case("-i good.mp4 -e seperateRGB -o out.mov", 2, "did you mean 'separateRGB'?"),
    Case("-i good.mp4 -e separateRGB:amont=1 -o out.mov", 2, "did you mean 'amount'?"),
    Case("-i good.mp4 -e separateRGB:amount=99 -o out.mov", 2, "amount", "from 0 to 10", "99"),
    Case("-i good.mp4 -e separateRGB:amount=red -o out.mov", 2, "amount", "a number", "red"),
    Case("-i good.mp4 -e separateRGB:mix=2 -o out.mov", 2, "mix", "2"),
    Case("-i good.mp4 -e ./missing.comp -o out.mov", 2, "./missing.comp"),
    Case(
      "-i good.mp4 -o out.mov --force-gpu", 1, "Vulkan driver", "install mesa-vulkan-drivers",
      environment: ["VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"]),
    Case("-i good.mp4 -o out.mov --force-gpu --gpu nosuch", 1, "nosuch"),
    Case("-i good.mp4 -o out.mov --codec nosuch", 2, "nosuch", "libx264"),
    Case("-i good.mp4 -o good.mp4", 2, "both input and output"),
    Case("-y -i good.mp4 -o ./good.mp4", 2, "both input and output"),
    Case("-y -i good.mp4 -o link.mp4", 2, "both input and output"),
    Case("-y -i link.mp4 -o good.mp4", 2, "both input and output"),
    Case("-y -i good.mp4 -o hard.mp4", 2, "both input and output"),
    Case("-i good.mp4 -o good.mkv", 2, "good.mkv exists already", "-y", "-n"),
    Case("-i good.mp4 -o /dev/full --container mkv", 1, "/dev/full", "the file system is full"),
    Case("-i good.mp4 -o /dev/full", 2, "/dev/full", "--container"),
  ]

  @Test("closed standard streams are never mistaken for the video file")
  func closedStreams() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out.mov")
    let words = "-i testsrc --size 64x48 --frames 5 --verbose -y -o \(output)"
    for closed in ["<&- >&- 2>&-", "2>&-", "<&-"] {
      let result = try KfrecProcess.shell("\"$0\" \(words) \(closed)")
      #expect(result.exitCode == 0, "\(closed): \(result)")
      #expect(try Timeline(output).times.count == 5)
      #expect(!(try readFile(output).map { String(UnicodeScalar($0)) }.joined()).contains("kfrec:"))
    }
    for (words, closed, sentence) in [
      ("-i - -o \(folder.file("none.mov"))", "<&-", "standard input cannot be opened"),
      ("-i testsrc --frames 2 -o -", ">&-", "-: writing failed (Bad file descriptor)"),
      ("effects", ">&-", "standard output cannot be written"),
    ] {
      let result = try KfrecProcess.shell("\"$0\" \(words) \(closed)")
      #expect(result.exitCode == 1 && result.errors.contains(sentence), "\(result)")
    }
  }

  @Test("a failure gives one sentence, an exit code, and no file")
  func table() throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    let before = folder.names
    for item in FailureTests.cases {
      let result = try KfrecProcess.run(
        item.words, in: folder, environment: item.environment.mapValues { $0 })
      #expect(result.exitCode == item.exitCode, "\(item.testDescription): \(result)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("kfrec: ") && result.errors.hasSuffix("\n"))
      #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(item.testDescription): \(result)")
      for part in item.says {
        #expect(result.errors.contains(part), "\(item.testDescription): \(result)")
      }
      #expect(folder.names == before, "\(item.testDescription)")
    }
  }

  @Test("an effect that does not compile is reported with its file, line, column and a caret")
  func badEffect() throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    let before = folder.names
    let result = try KfrecProcess.run(
      ["-i", "good.mp4", "-e", "./bad.comp", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 1)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains("./bad.comp:3:10: error: ") && $0.contains("'nothing'") })
    #expect(lines.contains("    return nothing;"))
    #expect(lines.contains("           ^"))
    #expect(folder.names == before)
  }

  @Test("an existing output is kept with -n, with exit code 0")
  func skip() throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    let bytes = try readFile(folder.file("good.mkv"))
    let result = try KfrecProcess.run(["-n", "-i", "good.mp4", "-o", "good.mkv"], in: folder)
    #expect(result.exitCode == 0)
    #expect(result.errors.contains("good.mkv exists already"))
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
    #expect(try readFile(folder.file("good.mkv")) == bytes)
    let replaced = try KfrecProcess.run(["-y", "-i", "good.mp4", "-o", "good.mkv"], in: folder)
    #expect(replaced.exitCode == 0)
    #expect(try readFile(folder.file("good.mkv")) != bytes)
  }

  @Test(
    "the rest of a truncated file is recorded, with exit code 3 and its length",
    arguments: ["cut-fast.mp4", "cut-good.mkv"])
  func truncated(_ name: String) throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    let before = folder.names
    let result = try KfrecProcess.run(["-i", name, "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 3, "\(result)")
    #expect(
      result.errors.contains("\(name) ends early: ") && result.errors.contains(" of 4.00 seconds"))
    #expect(folder.names == (before + ["out.mov"]).sorted())
    let frames = try Probe.rows(folder.file("out.mov"), "frame=pts", of: "v:0").count
    #expect(frames > 10 && frames < 90)
    #expect(result.errors.contains("\(frames) frames in, \(frames) out"))
  }

  @Test("a file that is damaged in the middle is recorded, and the loss is reported")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    let packets = try Probe.rows(folder.file("fast.mp4"), "packet=pos,size", of: "v:0")
    var bytes = try readFile(folder.file("fast.mp4"))
    let place = try #require(packets[50]["pos"].flatMap { Int($0) })
    let size = try #require(packets[50]["size"].flatMap { Int($0) })
    // A NAL unit longer than its packet.
    for index in place..<(place + size) { bytes[index] = 0x5a }
    try folder.write(bytes, to: "damaged.mp4")
    let result = try KfrecProcess.run(["-i", "damaged.mp4", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("damaged.mp4 is damaged: 1 of its packets or frames"))
    #expect(result.errors.contains("99 frames in, 99 out"))
  }

  @Test(
    "a folder without write permission is named", .enabled(if: getuid() != 0, "root may write"))
  func readOnlyFolder() throws {
    let folder = try TemporaryFolder()
    try FailureTests.inputs(in: folder)
    chmod(folder.file("folder"), 0o555)
    let result = try KfrecProcess.run(["-i", "good.mp4", "-o", "folder/out.mov"], in: folder)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("the folder folder is not writable"))
  }

  @Test(
    "a full disk keeps the encoded part, with exit code 3",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    guard let disk = try SmallDisk(in: folder, size: "256k") else { return }
    defer { withExtendedLifetime(disk) {} }
    let output = folder.file("disk/out.mov")
    let result = try KfrecProcess.run([
      "-i", "testsrc", "--size", "320x240", "--frames", "600", "--bitrate", "8M", "-o", output,
    ])
    #expect(result.exitCode == 3, "\(result)")
    #expect(
      result.errors.contains("disk/out.mov") && result.errors.contains("the file system is full"))
    #expect(!fileExists(output + ".part"))
    let frames = try Probe.rows(output, "frame=pts", of: "v:0").count
    #expect(frames > 5 && frames < 600)
  }

  @Test(
    "a disk that is full when the last frames are encoded keeps the encoded part too",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDiskAtEnd() throws {
    let folder = try TemporaryFolder()
    guard let disk = try SmallDisk(in: folder, size: "512k") else { return }
    defer { withExtendedLifetime(disk) {} }
    // The encoder holds these frames until there are no more, and noise needs all the bits that it may have.
    let noise = try make(
      "noise.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "color=gray:s=320x180:r=30:d=0.7,noise=alls=100:allf=t", "-pix_fmt",
        "yuv420p", "-c:v", "ffv1",
      ])
    let output = folder.file("disk/out.webm")
    let result = try KfrecProcess.run([
      "-i", noise, "--crf", "4", "--encoder-option", "cpu-used=8", "-o", output,
    ])
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("the file system is full"), "\(result)")
    #expect(!fileExists(output + ".part"))
    let frames = try Probe.rows(output, "frame=pts", of: "v:0").count
    #expect(frames > 0 && result.errors.contains("21 frames in, \(frames) out"), "\(result)")
  }
}
