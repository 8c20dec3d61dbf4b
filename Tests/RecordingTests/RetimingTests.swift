import Frames
import TestSupport
import Testing

/// `--speed`, `--reverse`, `--loop`, `--boomerang` and the frame rates that show other frames, with the real program.
@Suite struct RetimingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes 3 seconds at 25 frames per second whose frame at 1 second is white, with a click of a millisecond there.
  private func makeFlash() throws {
    try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "color=black:s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc=0.9*between(t\\,1\\,1.001):s=48000:d=3", "-vf",
        "drawbox=c=white:t=fill:enable='eq(n,25)'", "-c:v", "libx264", "-preset", "ultrafast",
        "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
      ])
  }

  private func run(_ words: [String], to output: String = "out.mov") throws -> ChildResult {
    try KfrecProcess.run(["-i", "in.mov", "-y", "-o", output] + words, in: folder)
  }

  /// The times of white frames, and of samples that begin a click, in milliseconds.
  private func flashes(of path: String) throws -> (frames: [Double], clicks: [Double]) {
    let times = try Timeline(path).times
    let pixels = try Probe.pixels(path, "gray", filters: ["crop=2:2"])
    var frames: [Double] = []
    for (number, time) in times.enumerated()
    where pixels[4 * number] > 128 && (number == 0 || pixels[4 * number - 4] <= 128) {
      frames.append(time.doubleValue * 1000)
    }
    let raw = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-ac", "1", "-"]
    ).wait().output
    var clicks: [Double] = []
    var quietUntil = 0
    for place in 0..<raw.count / 2 where place >= quietUntil {
      let value = Int16(bitPattern: UInt16(raw[2 * place]) | UInt16(raw[2 * place + 1]) << 8)
      if abs(Int(value)) > 8000 {
        clicks.append(Double(place) / 48)
        quietUntil = place + 4800
      }
    }
    return (frames, clicks)
  }

  @Test(
    "the click stays with the flash",
    arguments: [
      // All frames are wanted, also those beyond the source's rate.
      (["--speed", "2", "--fps", "50"], [500.0], 8.0), (["--speed", "0.5"], [2000], 8),
      // The flash lasts from 1.00 to 1.04 seconds, and the click is its beginning.
      (["--reverse"], [1960], 41), (["--loop", "2"], [1000, 4000], 1),
      (["--boomerang"], [1000, 4920], 41),
      (["--reverse", "--speed", "0.5", "--loop", "2"], [3920, 9920], 82),
    ] as [([String], [Double], Double)])
  func sync(_ words: [String], _ expected: [Double], _ limit: Double) throws {
    try makeFlash()
    let result = try run(words)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let (frames, clicks) = try flashes(of: folder.file("out.mov"))
    #expect(frames.map { $0.rounded() } == expected)
    #expect(clicks.count == frames.count)
    for (frame, click) in zip(frames, clicks) {
      #expect(click - frame > -12 && click - frame < limit, "\(frame) \(click)")
    }
  }

  @Test("inputs follow each other with their audio in place")
  func joined() throws {
    try makeFlash()
    let result = try run(["-i", "in.mov", "-i", "in.mov"])
    #expect(result.exitCode == 0, "\(result)")
    let (frames, clicks) = try flashes(of: folder.file("out.mov"))
    #expect(frames == [1000, 4000, 7000])
    #expect(zip(frames, clicks).allSatisfy { abs($0 - $1) < 1 } && clicks.count == 3)
  }

  @Test(
    "--duration is the length of the output, whatever the time of the inputs does",
    arguments: [
      ["--speed", "2", "-t", "1.4"], ["--speed", "2", "-i", "in.mov", "-t", "2"],
      ["--loop", "3", "-t", "5"], ["--loop", "3", "--speed", "2", "-t", "4.2"],
      ["--reverse", "-t", "1.68"],
      ["--boomerang", "-t", "5.5"], ["--speed", "0.5", "-t", "5.1"],
      ["--loop", "3", "--fps", "50", "-t", "5"], ["-i", "in.mov", "-t", "4"],
    ])
  func durations(_ words: [String]) throws {
    try makeFlash()
    let result = try run(words + ["--audio-codec", "pcm"])
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let limit = try #require(words.last.flatMap { Double($0) })
    let frames = try Timeline(folder.file("out.mov")).times
    #expect(frames.allSatisfy { $0.doubleValue < limit })
    #expect((frames.last?.doubleValue ?? 0) >= limit - 0.0801)
    for stream in ["v:0", "a:0"] {
      let length = try Probe.stream(folder.file("out.mov"), "duration", of: stream)["duration"]
      #expect(
        abs((length.flatMap { Double($0) } ?? 0) - limit) < 0.0005, "\(stream) \(length ?? "")")
    }
  }

  @Test("a length that ends before --loop or --boomerang changes anything is told")
  func shortDuration() throws {
    try makeFlash()
    for option in [["--boomerang"], ["--loop", "2"]] {
      let result = try run(option + ["-t", "1"])
      #expect(
        result.exitCode == 0 && result.errors.contains("so \(option[0]) changes nothing"),
        "\(result)")
    }
    let part = try run(["--start", "1", "--end", "2", "--boomerang"])
    #expect(part.exitCode == 0 && !part.errors.contains("warning"), "\(part)")
    #expect(try Timeline(folder.file("out.mov")).times.count == 48)
  }

  @Test(
    "slides and bursts with pauses are not thinned by their average rate",
    arguments: ["mp4", "mkv"])
  func sparse(_ ending: String) throws {
    try make(
      "slides.\(ending)", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1/10:d=20", "-c:v", "libx264", "-preset",
        "ultrafast",
      ])
    try make(
      "bursts.\(ending)", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=12", "-vf", "select='lt(mod(n\\,60)\\,10)'",
        "-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0",
      ])
    for (name, counts) in [("slides", 2...2), ("bursts", 28...36)] {
      let result = try KfrecProcess.run(
        ["-i", "\(name).\(ending)", "--speed", "2", "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let times = try Timeline(folder.file("out.mov")).times
      #expect(counts.contains(times.count), "\(name): \(times.count)")
    }
  }

  @Test(
    "audio that begins before the video of a Matroska file is heard from the first frame on, in every turn"
  )
  func earlyAudio() throws {
    let film = try make(
      "film.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264", "-bf", "0"])
    try make(
      "in.mkv", in: folder,
      ["-itsoffset", "0.3", "-i", film, "-f", "lavfi", "-i"]
        + ["aevalsrc=0.5:s=48000:d=1.3", "-c:v", "copy", "-c:a", "flac"])
    let result = try KfrecProcess.run(
      ["-i", "in.mkv", "--loop", "2", "--audio-codec", "pcm", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let raw = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("out.mov"), "-map", "0:a", "-f", "u8", "-"]
    ).wait().output
    #expect(raw.count == 96_000 && raw.allSatisfy { $0 > 180 }, "\(raw.count { $0 <= 180 })")
  }

  @Test(
    "the audio of a Matroska file has every sample once backwards, although its times are whole milliseconds",
    arguments: ["pcm_s16le", "flac", "alac"])
  func reversedMatroska(codec: String) throws {
    let input = try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=17", "-f", "lavfi", "-i"]
        + ["anoisesrc=r=44100:d=17:seed=1,aformat=s16", "-ac", "1", "-g", "10", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-c:a", codec])
    let result = try KfrecProcess.run(
      ["-i", "in.mkv", "--reverse", "--audio-codec", "pcm", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    func samples(_ path: String) throws -> [Int16] {
      let raw = try ChildProcess(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]
      ).wait().output
      return raw.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }
    let (forwards, backwards) = (try samples(input), try samples(folder.file("out.mov")))
    #expect(forwards.count == 17 * 44_100 && backwards.elementsEqual(forwards.reversed()))
  }

  @Test("an AVI with an empty frame behind each one has all frames backwards, at the right times")
  func emptyFrames() throws {
    let film = try make(
      "film.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-c:v"]
        + ["libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "pcm_s16le"])
    try make("in.avi", in: folder, ["-i", film, "-c", "copy", "-bsf:v", "h264_mp4toannexb"])
    let result = try KfrecProcess.run(
      ["-i", "in.avi", "--reverse", "--no-audio", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let times = try Timeline(folder.file("out.mov")).times
    #expect(times.count == 75)
    #expect(zip(times, times.dropFirst()).dropFirst().allSatisfy { $1 - $0 == Rational(1, 25) })
  }

  @Test(
    "a faster source that comes to at most 25 frames a second keeps all of them",
    arguments: [("24", "25/24"), ("24000/1001", "25/24"), ("20", "1.25"), ("15", "1.6")])
  func fluent(_ rate: String, _ speed: String) throws {
    for ending in ["mov", "mkv"] {
      try make(
        "in.\(ending)", in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(rate):d=10", "-frames:v", "72", "-c:v"]
          + ["libx264", "-preset", "ultrafast"])
      let result = try KfrecProcess.run(
        ["-i", "in.\(ending)", "--speed", speed, "-y", "-o", "out.mov"], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      #expect(try Timeline(folder.file("out.mov")).times.count == 72)
    }
  }

  @Test("effects get the times of the output")
  func effectTime() throws {
    try folder.write(
      Array("vec4 effect(vec2 uv) { return vec4(vec3(TIME / 2.0), 1.0); }\n".utf8), to: "t.comp")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "16x16", "-t", "1", "--speed", "0.5", "-e", "./t.comp", "-o",
        "out-%02d.png",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    // 15 frames in a second: the last one is at 14/15 seconds.
    #expect(try Probe.pixels(folder.file("out-15.png"), "rgb24")[0] == 119)
  }

  @Test(
    "at a constant rate effects get the times of the output too, however the source runs",
    arguments: [
      (["--fps", "50"], 150, 50), (["--fps", "10"], 30, 10), (["--fps", "1"], 3, 1),
      (["--speed", "0.5", "--fps", "50"], 300, 50),
      (["--fps", "30", "--fps-mode", "nearest"], 90, 30),
      (["--fps", "50", "--frames", "7"], 7, 50),
    ] as [([String], Int, Int)])
  func effectTimeAtRate(_ words: [String], _ count: Int, _ rate: Int) throws {
    try makeFlash()
    try folder.write(
      Array("vec4 effect(vec2 uv) { return vec4(vec3(TIME / 8.0), 1.0); }\n".utf8), to: "t.comp")
    let result = try run(
      words + ["-e", "./t.comp", "--codec", "ffv1", "--pixel-format", "gbrp16le"], to: "out.mkv")
    #expect(result.exitCode == 0 && result.errors.contains(" \(count) out"), "\(result)")
    let bytes = try Probe.pixels(folder.file("out.mkv"), "rgb48le", filters: ["crop=1:1"])
    let times = stride(from: 0, to: bytes.count - 1, by: 6).map { place -> Double in
      let value = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
      return Double(value) * 8 / 65535
    }
    #expect(times.count == count)
    for (number, time) in times.enumerated() {
      #expect(abs(time - Double(number) / Double(rate)) < 0.005, "\(number): \(time)")
    }
  }

  @Test("blend mixes the frames before and after each time, nearest takes the nearer one")
  func frameRates() throws {
    // Gray levels 16, 56, 96 ... at 5 frames per second.
    try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "color=black:s=32x32:r=5:d=1,format=gray,geq=lum=16+40*N", "-c:v",
        "ffv1",
        "-f", "matroska",
      ])
    func levels(_ mode: String) throws -> [Int] {
      let result = try run(
        [
          "--fps", "20", "--fps-mode", mode, "--codec", "ffv1", "--range", "full",
          "--pixel-format", "yuv444p",
        ], to: "out.mkv")
      #expect(result.exitCode == 0, "\(result)")
      #expect(
        try Timeline(folder.file("out.mkv")).times == (0..<20).map { Rational($0, 20) })
      let pixels = try Probe.pixels(folder.file("out.mkv"), "yuv444p")
      return stride(from: 0, to: pixels.count, by: 32 * 32 * 3).map { Int(pixels[$0]) }
    }
    let source = try levels("cfr")
    let steps = (0..<5).map { source[4 * $0] }
    let blended = try levels("blend")
    for number in 0..<17 {
      let (low, share) = (number / 4, number % 4)
      let high = min(low + 1, 4)
      let expected = (steps[low] * (4 - share) + steps[high] * share + 2) / 4
      #expect(abs(blended[number] - expected) <= 1, "\(number): \(blended)")
    }
    #expect(blended[17...] == [steps[4], steps[4], steps[4]])
    let nearest = try levels("nearest")
    let nearer = (0..<20).map { (frame: Int) -> Int in steps[min((frame + 2) / 4, 4)] }
    #expect(nearest == nearer)
  }

  @Test("wrong words and what cannot be done are refused, and nothing is left")
  func refusals() throws {
    try makeFlash()
    for (words, sentence) in [
      (["--speed", "0"], "--speed takes a number from 0.1 to 100"),
      (["--speed", "101"], "--speed takes"), (["--loop", "0"], "--loop takes"),
      (["--reverse", "--frame-range", "1-2"], "contradict each other"),
      (["--reverse", "-i", "in.mov"], "--reverse is for one input"),
      (["--fps-mode", "blend", "-i", "in.mov"], "--fps-mode blend is for one input"),
    ] {
      let result = try KfrecProcess.run(["-i", "in.mov", "-o", "out.mov"] + words, in: folder)
      #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result)")
      #expect(folder.names == ["in.mov"])
    }
    let live = try KfrecProcess.run(
      ["-i", "/dev/video0", "--loop", "2", "-o", "out.mov"], in: folder)
    #expect(live.exitCode == 2 && live.errors.contains("is live"), "\(live)")
    let batch = try KfrecProcess.run(
      ["batch", "in.mov", "--output-dir", "out", "--chunks", "auto", "--reverse"], in: folder)
    #expect(batch.exitCode == 2 && batch.errors.contains("leave out --reverse, or"))
  }
}
