import Frames
import Glibc
import TestSupport
import Testing

/// Tests of every kind of source and output, by its name on the command line.
@Suite struct SourceAndSinkTests {
  private func film(_ name: String, in folder: TemporaryFolder, _ words: [String] = []) throws
    -> String
  {
    try make(
      name, in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.4", "-c:v", "libx264", "-preset", "ultrafast"]
        + words)
  }

  private func frameCount(_ path: String) throws -> Int {
    try Probe.rows(path, "frame=pts", of: "v:0").count
  }

  @Test("a still at one effect time: equal times give equal images, and others differ")
  func still() throws {
    let folder = try TemporaryFolder()
    for format in ["png", "jpg"] {
      let input = try make(
        "in.\(format)", in: folder, ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"])
      var pictures: [[UInt8]] = []
      for time in ["0.5", "1.5", "1.5"] {
        let output = folder.file("out.png")
        let result = try KfrecProcess.run(
          ["-y", "-i", input, "-e", "separateRGB:amount=4", "--time", time, "-o", output])
        #expect(result.exitCode == 0, "\(result)")
        pictures.append(try readFile(output))
      }
      #expect(pictures[0] != pictures[1])
      #expect(pictures[1] == pictures[2])
    }
  }

  @Test("--time sets the effect time of the first frame, wherever a part begins")
  func timeOfFilm() throws {
    let folder = try TemporaryFolder()
    let input = try film("in.mp4", in: folder)
    let words = ["-y", "-e", "separateRGB:amount=9", "-i", input]
    #expect(
      try KfrecProcess.run(words + ["-o", folder.file("a-%d.png"), "--frames", "4"]).exitCode == 0)
    let later = ["--start", "0.12", "--time", "0.12", "-o", folder.file("b.png")]
    #expect(try KfrecProcess.run(words + later).exitCode == 0)
    #expect(try readFile(folder.file("a-4.png")) == readFile(folder.file("b.png")))
  }

  @Test("a video file becomes images from 1, and numbered images a video file at their rate")
  func sequences() throws {
    let folder = try TemporaryFolder()
    let input = try film("in.mp4", in: folder)
    let out = try KfrecProcess.run(["-i", input, "-o", "p-%04d.png", "--frames", "3"], in: folder)
    #expect(out.exitCode == 0, "\(out)")
    #expect(folder.names == ["in.mp4", "p-0001.png", "p-0002.png", "p-0003.png"])
    for (words, duration) in [([], "0.120000"), (["--fps", "10"], "0.300000")] {
      let back = try KfrecProcess.run(
        ["-y", "-i", "p-%04d.png", "-o", "out.mov"] + words, in: folder)
      #expect(back.exitCode == 0, "\(back)")
      #expect(try frameCount(folder.file("out.mov")) == 3)
      let format = try Probe.rows(folder.file("out.mov"), "format=duration").first
      #expect(format?["duration"] == duration)
    }
    let again = try KfrecProcess.run(["-i", input, "-o", "p-%04d.png"], in: folder)
    #expect(again.exitCode == 2)
    #expect(again.errors.contains("p-0001.png exists already"))
  }

  @Test("testsrc is the same each time, with the requested size, rate and length")
  func pattern() throws {
    let folder = try TemporaryFolder()
    for name in ["a.mov", "b.mov"] {
      let result = try KfrecProcess.run([
        "-i", "testsrc", "--size", "96x64", "--fps", "30000/1001", "--duration", "0.5", "-o",
        folder.file(name),
      ])
      #expect(result.exitCode == 0, "\(result)")
    }
    #expect(try readFile(folder.file("a.mov")) == readFile(folder.file("b.mov")))
    let stream = try Probe.stream(folder.file("a.mov"), "width,height,r_frame_rate,nb_frames")
    #expect(
      stream == ["width": "96", "height": "64", "r_frame_rate": "30000/1001", "nb_frames": "15"])
    let pixels = try Probe.pixels(folder.file("a.mov"), "gray")
    #expect(pixels[..<6144] != pixels[6144..<12288])
    let whole = try KfrecProcess.run(["-i", "testsrc", "--frames", "2", "-o", "c.mov"], in: folder)
    #expect(whole.exitCode == 0)
    #expect(
      try Probe.stream(folder.file("c.mov"), "width,height") == ["width": "1280", "height": "720"])
  }

  @Test(
    "standard input is read to its end, from containers that need no seeking",
    arguments: ["in.mkv", "in.ts", "fast.mp4", "in.mp4"])
  func standardInput(_ name: String) throws {
    let folder = try TemporaryFolder()
    let input = try film(name, in: folder, name == "fast.mp4" ? ["-movflags", "faststart"] : [])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", "-", "-o", output], input: .bytes(readFile(input)))
    #expect(result.exitCode == 0, "\(result)")
    #expect(try frameCount(output) == 10)
  }

  @Test(
    "standard output has only the video: y4m, or the container of --container",
    arguments: [([], "y4m"), (["--container", "mkv"], "mkv"), (["--container", "mov"], "mov")])
  func standardOutput(_ words: [String], _ kind: String) throws {
    let folder = try TemporaryFolder()
    let input = try film("in.mp4", in: folder)
    let result = try KfrecProcess.run(["-i", input, "-o", "-", "--progress", "json"] + words)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"type\":") })
    let output = try folder.write(result.output, to: "out.\(kind)")
    #expect(try frameCount(output) == 10)
    #expect(try Timeline(output).times == Timeline(input).times)
    if kind == "y4m" { #expect(result.text.hasPrefix("YUV4MPEG2 W64 H48 F25:1")) }
  }

  @Test("named pipes are read and written, and stay pipes")
  func namedPipes() throws {
    let folder = try TemporaryFolder()
    let input = try film("in.mkv", in: folder)
    let (source, sink) = (folder.file("source"), folder.file("sink"))
    mkfifo(source, 0o600)
    mkfifo(sink, 0o600)
    let writer = try ChildProcess("sh", ["-c", "exec cat \"$0\" > \"$1\"", input, source])
    let reader = try ChildProcess(
      "sh", ["-c", "exec cat \"$0\" > \"$1\"", sink, folder.file("out.mkv")])
    let result = try KfrecProcess.run(
      ["-i", source, "-o", sink, "--container", "mkv"])
    #expect(result.exitCode == 0, "\(result)")
    #expect(writer.wait().exitCode == 0)
    #expect(reader.wait().exitCode == 0)
    #expect(try frameCount(folder.file("out.mkv")) == 10)
    #expect(folder.names == ["in.mkv", "out.mkv", "sink", "source"])
    var status = stat()
    #expect(lstat(sink, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test("null does everything except encoding and writes nothing")
  func null() throws {
    let folder = try TemporaryFolder()
    _ = try film("in.mp4", in: folder)
    let result = try KfrecProcess.run(["-i", "in.mp4", "-o", "null"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("10 frames in, 10 out"))
    #expect(folder.names == ["in.mp4"])
  }

  @Test("the main use: the sample through separateRGB has its audio and other images")
  func mainJob() throws {
    let folder = try TemporaryFolder()
    let sample = repositoryRoot + "/samples/big-buck-bunny.mp4"
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(
      ["-i", sample, "-e", "separateRGB", "-o", output, "--frames", "4"])
    #expect(result.exitCode == 0, "\(result)")
    let streams = try Probe.rows(output, "stream=codec_name").map { $0["codec_name"] }
    #expect(streams == ["h264", "aac"])
    #expect(try frameCount(output) == 4)
  }

  @Test("A still has the requested duration and rate, and effects move in it")
  func standingStill() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "a.png", in: folder, ["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"])
    for words in [["--frames", "7"], ["-t", "0.11"]] {
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "--fps", "60", "-e", "invert:mix=0@0..1@0.1"] + words + [
          "--crf", "0", "-o", folder.file("out.mov"),
        ])
      #expect(result.exitCode == 0, "\(result)")
      #expect(
        try Timeline(folder.file("out.mov")).entries.map(\.time)
          == (0..<7).map { Rational($0, 60) })
      let bytes = try Probe.pixels(folder.file("out.mov"))
      let pictures = Set(stride(from: 0, to: bytes.count, by: bytes.count / 7).map { bytes[$0] })
      #expect(pictures.count > 3)
    }
  }

  @Test(
    "a video file of a still needs a duration, and an image or y4m of it does not",
    arguments: [
      (["-o", "out.mov"], 2), (["-o", "-", "--container", "mkv"], 2), (["-o", "out.y4m"], 0),
      (["-o", "out.png"], 0), (["-o", "p-%d.png"], 0), (["-o", "null"], 0),
      (["-o", "out.mov", "--frames", "1"], 0), (["-o", "out.mov", "-t", "0.01"], 0),
    ] as [([String], Int32)])
  func lengthOfStill(_ words: [String], exitCode: Int32) throws {
    let folder = try TemporaryFolder()
    _ = try make(
      "a.png", in: folder, ["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"])
    let result = try KfrecProcess.run(["-i", "a.png"] + words, in: folder)
    #expect(result.exitCode == exitCode, "\(result)")
    guard exitCode == 2 else { return }
    #expect(result.errors.contains("a.png is a single image: give the length"), "\(result)")
    #expect(result.errors.contains("with -t, such as -t 5"), "\(result)")
    #expect(folder.names == ["a.png"])
  }

  @Test("a request that is probably a mistake gives a warning, and is carried out")
  func doubts() throws {
    let folder = try TemporaryFolder()
    let source = ["-y", "-i", "testsrc", "--size", "64x48", "--frames", "3"]
    for (words, sentence) in [
      (["-o", "out.mov", "--bitrate", "4000"], "--bitrate 4000 is very low"),
      (["-o", "out.mov", "--bitrate", "100k"], nil),
      (["-o", "one.png"], "one.png holds one image: only the first of 3 frames is written"),
      (["-o", "p-%d.png"], nil),
    ] {
      let result = try KfrecProcess.run(source + words, in: folder)
      #expect(result.exitCode == 0, "\(result)")
      #expect(result.errors.contains(sentence ?? "warning") == (sentence != nil), "\(result)")
    }
  }
}
