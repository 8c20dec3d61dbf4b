import Frames
import Glibc
import TestSupport
import Testing

/// `--split`: a recording in several files.
@Suite struct SplitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Three seconds at 25 frames per second, with audio.
  private func makeInput(_ audio: [String] = ["-c:a", "pcm_s16le"]) throws -> String {
    try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc=0.4*sin(2*PI*t*(300+200*t)):s=44100:d=3", "-c:v", "mpeg4", "-g", "1", "-pix_fmt",
        "yuv420p",
      ] + audio)
  }

  private func samples(_ path: String) throws -> [UInt8] {
    let result = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]
    ).wait()
    guard result.exitCode == 0 else { throw TestSupportError("ffmpeg: \(result)") }
    return result.output
  }

  private func packets(_ path: String) throws -> [[String: String]] {
    try Probe.rows(path, "packet=pts_time,flags", of: "v:0")
  }

  @Test(
    "the files have every frame once, each begins at 0 with a key frame, and PCM audio goes on to the sample",
    arguments: [
      ("out.mov", "libx264"), ("out.mkv", "libx265"), ("out.mkv", "ffv1"), ("out.mov", "prores"),
      ("out.mp4", "libvpx-vp9"), ("out.webm", "libvpx-vp9"), ("out.m4v", "libx264"),
    ])
  func whole(_ name: String, _ codec: String) throws {
    let input = try makeInput()
    let audio = name.hasSuffix("mov") || name.hasSuffix("mkv") ? [] : ["--no-audio"]
    let words = ["-i", input, "--codec", codec] + audio
    let result = try KfrecProcess.run(
      words + ["--split", "00:00:01", "--verify", "full", "-o", name], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let (stem, ending) = (name.prefix(3), name.dropFirst(3))
    let names = (1...3).map { "\(stem)-00\($0)\(ending)" }
    #expect(folder.names == ["in.mov"] + names)
    #expect(result.errors.contains("\(names[0]) to \(names[2]): 75 frames in, 75 out"), "\(result)")
    for part in names {
      let packets = try packets(folder.file(part))
      #expect(packets.count == 25)
      #expect(packets.first?["flags"]?.hasPrefix("K") == true)
      let times = try Timeline(folder.file(part)).times
      #expect(times == (0..<25).map { Rational($0, 25) }, "\(part)")
      let played = try ChildProcess(
        "ffmpeg", ["-v", "error", "-i", folder.file(part), "-f", "null", "-"]
      ).wait()
      #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
    }
    guard audio.isEmpty else { return }
    let joined = try names.flatMap { try samples(folder.file($0)) }
    #expect(try joined == samples(input))
    guard codec == "ffv1" else { return }
    #expect(try names.flatMap { try Probe.pixels(folder.file($0)) } == Probe.pixels(input))
  }

  @Test(
    "encoded audio is heard in each file from its first frame on, as in the whole",
    arguments: ["mov", "mp4"])
  func encodedAudio(_ ending: String) throws {
    let input = try makeInput(["-c:a", "aac", "-aac_pns", "0"])
    let result = try KfrecProcess.run(
      ["-i", input, "--split", "1", "-o", "out.\(ending)"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let whole = try samples(input)
    let second = 44100 * 2
    for number in 1...3 {
      let part = try samples(folder.file("out-00\(number).\(ending)"))
      #expect(part.count >= second)
      #expect(
        part.prefix(second).elementsEqual(whole[(number - 1) * second..<number * second]),
        "file \(number)")
      let stream = try Probe.stream(
        folder.file("out-00\(number).\(ending)"), "duration,start_time", of: "a:0")
      #expect(stream["duration"].flatMap { Double($0) } == 1, "\(stream)")
    }
  }

  @Test("the files are joined again without a gap in audio or video")
  func joined() throws {
    let input = try makeInput(["-c:a", "aac", "-aac_pns", "0"])
    _ = try KfrecProcess.run(["-i", input, "--split", "1", "-o", "out-%d.mov"], in: folder)
    let result = try KfrecProcess.run(
      ["-i", "out-1.mov", "-i", "out-2.mov", "-i", "out-3.mov", "-o", "again.mov"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Timeline(folder.file("again.mov")).times == (0..<75).map { Rational($0, 25) })
  }

  @Test("files of a size stay below it where they can, and have every frame")
  func size() throws {
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "320x180", "--frames", "600", "--bitrate", "1M", "--split",
        "100K", "-o",
        "out.mp4",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let names = folder.names
    #expect(names.count > 2, "\(names)")
    #expect(try names.reduce(0) { try $0 + packets(folder.file($1)).count } == 600)
    for name in names {
      let bytes = try readFile(folder.file(name)).count
      #expect(bytes <= 100_000, "\(name): \(bytes)")
      if name != names.last { #expect(bytes > 60_000, "\(name): \(bytes)") }
    }
  }

  @Test("a file that exists is refused before anything is recorded, and replaced with -y")
  func existing() throws {
    try folder.write("mine".utf8, to: "out-002.mov")
    let words = ["-i", "testsrc", "--size", "64x48", "-t", "3", "--split", "1", "-o", "out.mov"]
    let refused = try KfrecProcess.run(words, in: folder)
    #expect(
      refused.exitCode == 2 && refused.errors.contains("out-002.mov exists already"), "\(refused)")
    #expect(folder.names == ["out-002.mov"])
    #expect(try readFile(folder.file("out-002.mov")) == Array("mine".utf8))
    let replaced = try KfrecProcess.run(words + ["-y"], in: folder)
    #expect(replaced.exitCode == 0, "\(replaced)")
    #expect(folder.names == ["out-001.mov", "out-002.mov", "out-003.mov"])
    #expect(try packets(folder.file("out-002.mov")).count == 30)
  }

  @Test(
    "what cannot be split is refused, and nothing is left",
    arguments: [
      ("-o out.y4m --split 1", "--split cuts movies in files, and out.y4m is none"),
      ("-o out-%d.png --split 1", "--split cuts movies in files"),
      ("-o - --container mkv --split 1", "--split cuts movies in files"),
      ("-o out.mov --split 0", "--split takes a length"),
      ("-o out.mov --split 10K", "--split takes a length"),
      ("-o out.mov --split 1x", "--split takes a length"),
      ("-o out.mov --split 1 --framehash h", "contradict"),
      ("-o a.mov -o a-%03d.mov --split 1", "the same place"),
      ("-o null --verify full", "--verify reads files"),
      ("-o out.yuv --verify full", "a raw video does not say what its frames are"),
      ("-o out.webp --verify fast", "FFmpeg does not decode animated WebP"),
    ])
  func refused(_ words: String, _ message: String) throws {
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--frames", "2"] + words.split(separator: " ").map(String.init), in: folder)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    #expect(folder.names == [])
    let batch = try KfrecProcess.run(
      ["batch", "in.mov", "--output-dir", "out", "--split", "1"], in: folder)
    #expect(batch.exitCode == 2 && batch.errors.contains("--split belongs to"), "\(batch)")
  }

  @Test(
    "after a kill the finished files are complete, and the last one can be played and is kept",
    .timeLimit(.minutes(15)))
  func killed() throws {
    let words = [
      "-i", "testsrc", "--size", "64x48", "--realtime", "--split", "1", "-o", "out.mov",
    ]
    let child = try KfrecProcess.start(words + ["--progress", "bar"], in: folder)
    waitUntil(child) {
      folder.names.contains("out-003.mov.part") && folder.names.contains("out-002.mov")
    }
    // The first fragment of the third file.
    try waitUntil(child) { try readFile(folder.file("out-003.mov.part")).count >= 2000 }
    child.send(SIGKILL)
    _ = child.wait()
    for name in ["out-001.mov", "out-002.mov"] {
      #expect(frameCount(of: folder.file(name)) == 30)
    }
    #expect((frameCount(of: folder.file("out-003.mov.part")) ?? 0) > 0)
    let again = try KfrecProcess.run(words + ["-t", "3", "-y"], in: folder)
    #expect(
      again.exitCode == 0 && again.errors.contains("kept as out-003.recovered.mov"), "\(again)")
    #expect((frameCount(of: folder.file("out-003.recovered.mov")) ?? 0) > 0)
  }

  @Test(
    "a full disk keeps the files that are finished, and ends the last one",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDisk() throws {
    guard let disk = try SmallDisk(in: folder, size: "192k") else { return }
    defer { withExtendedLifetime(disk) {} }
    let result = try KfrecProcess.run([
      "-i", "testsrc", "--size", "320x240", "--frames", "300", "--bitrate", "2M", "--split", "1",
      "-o",
      folder.file("disk/out.mov"),
    ])
    #expect(result.exitCode == 3 && result.errors.contains("the file system is full"), "\(result)")
    let names = namesInFolder(folder.file("disk"))
    #expect(names.count > 1 && !names.contains { $0.hasSuffix(".part") }, "\(names)")
    #expect(result.errors.contains("out-001.mov to \(folder.file("disk/out-00"))"), "\(result)")
    for name in names.dropLast() {
      #expect(frameCount(of: folder.file("disk/\(name)")) == 30, "\(name)")
    }
  }

  @Test("--verify reads files back, and programs are told", arguments: ["fast", "full"])
  func readBack(_ how: String) throws {
    let good = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "-t", "3", "--verify", how, "-o", "out.mov", "-o",
        "out.mkv", "-o",
        "out.y4m", "--progress", "json",
      ], in: folder)
    #expect(good.exitCode == 0, "\(good)")
    #expect(good.text.split(separator: "\"verified\":true").count == 4, "\(good)")
  }

  @Test(
    "--verify names what it cannot read back beside a file that it reads, and reads a single WebP")
  func notReadBack() throws {
    let words = ["-i", "testsrc", "--size", "64x48", "--verify", "full", "--progress", "json"]
    let both = try KfrecProcess.run(
      words + ["--frames", "3", "-o", "out.mov", "-o", "out.yuv"], in: folder)
    #expect(both.exitCode == 0 && both.text.contains("\"id\":\"output-unread\""), "\(both)")
    #expect(both.text.contains("out.yuv is not read back"), "\(both)")
    #expect(both.text.split(separator: "\"verified\":true").count == 2, "\(both)")
    let single = try KfrecProcess.run(words + ["--frames", "1", "-o", "out.webp"], in: folder)
    #expect(single.exitCode == 0 && single.text.contains("\"verified\":true"), "\(single)")
  }
}
