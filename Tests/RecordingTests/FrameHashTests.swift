import Glibc
import TestSupport
import Testing

/// Tests `--framehash` with the real program: a lossless movie holds the frames that were hashed.
@Suite struct FrameHashTests {
  private func lines(_ path: String) throws -> [String] {
    String(decoding: try readFile(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "ffmpeg prints the same lines for a lossless movie, apart from the software",
    arguments: [
      ("s=66x50:r=25", "yuv420p", "out.mkv --codec ffv1 -e invert"),
      ("s=66x50:r=24", "yuv420p", "out.mkv --crf 0"),
      ("s=66x50:r=60", "yuv420p", "out.mov --crf 0 -e invert"),
      ("s=65x49:r=30000/1001", "yuv422p", "out.mov --crf 0 --pixel-format yuv444p"),
      ("s=65x49:r=25", "yuv420p", "out.mp4 --crf 0"),
      ("s=66x50:r=25,setsar=16/11", "yuv422p10le", "out.mkv --codec ffv1"),
      ("s=65x49:r=25", "yuv420p", "out.mkv --codec ffv1 --pixel-format yuva444p10le"),
      ("s=66x50:r=30,select=not(eq(mod(n\\,3)\\,1))", "yuv420p", "out.mov --crf 0"),
      ("s=66x50:r=30,select=not(eq(mod(n\\,3)\\,1))", "yuv420p", "out.mkv --codec ffv1 --fps 30"),
      ("s=66x50:r=25", "yuv420p", "out.y4m"),
    ])
  func lossless(source: String, format: String, words: String) throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=\(source)", "-frames:v", "12", "-fps_mode", "passthrough",
        "-pix_fmt", format, "-c:v", "ffv1",
      ])
    if words.hasSuffix(" --codec ffv1") {
      // Copied AAC begins before the first frame.
      try make(
        "silent.mkv", in: folder, ["-i", folder.file("in.mkv"), "-c", "copy"])
      try make(
        "in.mkv", in: folder,
        [
          "-i", folder.file("silent.mkv"), "-f", "lavfi", "-i", "sine=d=0.5", "-c:v", "copy",
          "-c:a", "aac",
        ])
    }
    let typed = words.split(separator: " ").map(String.init)
    let result = try KfrecProcess.run(
      ["-i", "in.mkv", "--framehash", "frames", "-o"] + typed, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    func hash(_ base: String) throws {
      try make(
        "expected", in: folder,
        [
          "-copyts", "-i", folder.file(typed[0]), "-map", "0:v", "-fps_mode", "passthrough",
          "-enc_time_base", base, "-f", "framehash",
        ])
    }
    do { try hash("-1") } catch { try hash("demux") }
    let theirs = try lines(folder.file("expected"))
    // Versions before 6 give each frame its length at the nominal rate, as kfrec does.
    let isNewer = theirs.contains { $0.hasPrefix("#software: Lavf6") }
    func compared(_ lines: [String]) -> [String] {
      lines.filter { !$0.hasPrefix("#software") }.map { line in
        guard isNewer, !line.hasPrefix("#") else { return line }
        var fields = line.split(separator: ",")
        fields.remove(at: 3)
        return fields.joined(separator: ",")
      }
    }
    let own = try lines(folder.file("frames"))
    #expect(own.count >= 22 && own.contains("#software: kfrec"), "\(own)")
    #expect(compared(own) == compared(theirs))
    #expect(!folder.names.contains("frames.part"))
  }

  @Test("a name that ends in .framemd5 gets MD5, and only the first movie is hashed")
  func md5() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "--frames", "3", "-o", "a.mkv", "-o", "b.mov",
        "--framehash", "x.framemd5",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let lines = try lines(folder.file("x.framemd5"))
    #expect(lines.contains("#hash: MD5") && lines.contains("#tb 0: 1/1000"), "\(lines)")
    #expect(lines.filter { !$0.hasPrefix("#") }.count == 3)
  }

  @Test(
    "a wrong place for the hashes is refused before anything is written",
    arguments: [
      ("-o out.mov --framehash out.mov", "is the output itself"),
      ("-o out.mov --framehash taken", "taken exists already"),
      ("-o out.mov -y --framehash in.mkv", "written over the input in.mkv"),
      ("-o out.mov --framehash none/x", "there is no folder none"),
      ("-o out.png --framehash x", "out.png is none"),
      ("-o out.mov --framehash /dev/null", "is no regular file"),
    ])
  func mistakes(words: String, message: String) throws {
    let folder = try TemporaryFolder()
    try make("in.mkv", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2"])
    try folder.write("mine".utf8, to: "taken")
    let result = try KfrecProcess.run(
      ["-i", "in.mkv"] + words.split(separator: " ").map(String.init), in: folder)
    #expect([1, 2].contains(result.exitCode) && result.errors.contains(message), "\(result)")
    #expect(folder.names == ["in.mkv", "taken"])
    #expect(try readFile(folder.file("taken")) == [UInt8]("mine".utf8))
  }

  @Test("a batch does not take --framehash")
  func batch() throws {
    let result = try KfrecProcess.run(["batch", "--framehash", "x"])
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains("--framehash belongs to kfrec, not to kfrec batch"), "\(result)")
  }

  @Test("a killed recording leaves the hashes of its frames, and the next one keeps them")
  func killed() throws {
    let folder = try TemporaryFolder()
    let words = [
      "-i", "testsrc", "--size", "64x48", "--realtime", "-o", "a.mkv", "--framehash", "x",
    ]
    let child = try KfrecProcess.start(words, in: folder)
    var count = 0
    let isRecording = waitUntil(child) {
      count = (try? lines(folder.file("x.part")).count) ?? 0
      return count >= 13
    }
    #expect(isRecording)
    child.send(SIGKILL)
    _ = child.wait()
    let again = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "2", "-o", "b.mkv", "--framehash", "x"],
      in: folder)
    #expect(again.exitCode == 0 && again.errors.contains("kept as x.recovered"), "\(again)")
    #expect(try lines(folder.file("x.recovered")).count >= count)
    #expect(try lines(folder.file("x")).count == 12)
  }

  @Test(
    "hashes and an automation on a disk that is full leave a whole movie, with exit code 3",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullFromTheStart() throws {
    let folder = try TemporaryFolder()
    guard let disk = try SmallDisk(in: folder, size: "8k") else { return }
    let full = try KfrecProcess.shell("head -c 16k /dev/zero >disk/fill; df disk", in: folder)
    try #require(full.text.contains("100%"), "\(full)")
    for option in ["framehash", "automation"] {
      let result = try KfrecProcess.run(
        [
          "-i", "testsrc", "--size", "64x48", "--frames", "3", "-e", "vignette", "-o",
          option + ".mkv", "--" + option, "disk/x",
        ] + (option == "automation" ? ["--control", "-"] : []), in: folder)
      #expect(result.exitCode == 3, "\(result)")
      #expect(result.errors.contains("incomplete: disk/x: the file system is full"), "\(result)")
      let movie = folder.file(option + ".mkv")
      #expect(try Probe.rows(movie, "packet=pts", of: "v:0").count == 3)
    }
    #expect(namesInFolder(disk.path) == ["fill"])
  }

  @Test("hashes that cannot be written leave a whole movie, and exit code 3 says so")
  func fullDisk() throws {
    // A limit on the size of files is too small for the hashes and large enough for the movie.
    let folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder, ["-f", "lavfi", "-i", "color=s=16x16:r=100:d=40", "-c:v", "ffv1"])
    let words = "-i in.mkv --crf 51 --gop 9999 -o a.mkv --framehash x"
    let result = try KfrecProcess.shell("ulimit -f 375; exec \"$0\" \(words) --quiet", in: folder)
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("the hashes of the frames are incomplete: x: "), "\(result)")
    #expect(result.errors.contains("kept as x.part"), "\(result)")
    #expect(try Probe.rows(folder.file("a.mkv"), "packet=pts", of: "v:0").count == 4000)
  }
}
