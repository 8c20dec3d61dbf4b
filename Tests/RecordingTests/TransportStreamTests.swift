import Frames
import TestSupport
import Testing

/// Tests of transport streams as receivers store them: concatenated, and with losses.
@Suite struct TransportStreamTests {
  private static let words = [
    "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1",
    "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-muxdelay", "0",
  ]

  private func part(_ name: String, at offset: Int, in folder: TemporaryFolder) throws -> [UInt8] {
    try readFile(
      make(name, in: folder, TransportStreamTests.words + ["-output_ts_offset", "\(offset)"]))
  }

  /// Records two concatenated parts that begin at these seconds; expects no gap in video and audio, and
  /// a message about the jump.
  ///
  /// - Returns: The times between successive audio packets, in seconds.
  private func audioSteps(
    joining first: Int, _ second: Int, saying sentence: String
  ) throws -> [Double] {
    let folder = try TemporaryFolder()
    let bytes =
      try part("a.ts", at: first, in: folder) + part("b.ts", at: second, in: folder)
    let input = try folder.write(bytes, to: "both.ts")
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0 && result.errors.contains(sentence), "\(result)")
    let times = try Timeline(output).times
    #expect(times.count == 50)
    #expect(
      zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).doubleValue - 0.04) < 0.025 })
    let audio = try Timeline(output, of: "a:0").entries
    #expect(audio.count >= 90)
    let steps = zip(audio, audio.dropFirst()).map { ($1.time - $0.time).doubleValue }
    #expect(steps.allSatisfy { $0 < 0.1 }, "\(steps)")
    return steps
  }

  @Test(
    "concatenated recordings continue without a jump, video and audio",
    arguments: [(3, 0), (100, 0), (0, 0)])
  func joined(_ first: Int, _ second: Int) throws {
    let steps = try audioSteps(joining: first, second, saying: "jump back once")
    // A packet is 21 ms long; where the parts meet, one may be missing or overlap.
    #expect(steps.count { abs($0 - 1024.0 / 48000) > 0.002 } <= 2, "\(steps)")
  }

  @Test(
    "a place of concatenated recordings is the place in the whole",
    arguments: [
      (["--start", "3"], 75..<150), (["--start", "4.2", "-t", "1"], 105..<130),
      (["--reverse"], 0..<150), (["--boomerang"], 0..<150), (["--loop", "2"], 0..<150),
    ])
  func places(_ words: [String], _ range: Range<Int>) throws {
    try checkPlaces(words, range, in: "ts", codec: "libx264")
  }

  @Test(
    "so it is in an MPEG-PS, which shows its streams only while it is read",
    arguments: [(["--start", "3"], 75..<150), (["--reverse"], 0..<150)])
  func placesOfPS(_ words: [String], _ range: Range<Int>) throws {
    try checkPlaces(words, range, in: "vob", codec: "mpeg2video")
  }

  private func checkPlaces(
    _ words: [String], _ range: Range<Int>, in container: String, codec: String
  ) throws {
    let folder = try TemporaryFolder()
    // The second part is shorter, so that the last times are not the largest, and differs from the others.
    let bytes = try [("testsrc2", "2.4"), ("mandelbrot", "1.2"), ("testsrc", "2.4")].flatMap {
      try readFile(
        make(
          "\($0).\(container)", in: folder,
          ["-f", "lavfi", "-i", "\($0)=s=64x48:r=25", "-t", $1, "-g", "12", "-c:v", codec]
            + ["-pix_fmt", "yuv420p", "-muxdelay", "0"]))
    }
    let input = try folder.write(bytes, to: "all." + container)
    func frames(_ words: [String]) throws -> [Substring] {
      let output = folder.file("out.md5")
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "--codec", "ffv1", "-o", folder.file("out.mkv")] + words)
      #expect(result.exitCode == 0 && result.errors.contains("jump back 2 times"), "\(result)")
      try make(
        "out.md5", in: folder, ["-i", folder.file("out.mkv"), "-map", "0:v", "-f", "framemd5"])
      return try String(decoding: readFile(output), as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }
    let whole = try frames([])
    #expect(whole.count == 150)
    let part = Array(whole[range])
    let expected =
      switch words[0] {
      case "--reverse": Array(part.reversed())
      case "--boomerang": part + part.dropLast().dropFirst().reversed()
      case "--loop": part + part
      default: part
      }
    #expect(try frames(words) == expected)
  }

  @Test("sound of concatenated recordings begins at its place in the whole")
  func soundPlaces() throws {
    let folder = try TemporaryFolder()
    let bytes = try [300, 3000].flatMap {
      try readFile(
        make(
          "\($0).ts", in: folder,
          ["-f", "lavfi", "-i", "sine=\($0):r=48000:d=4", "-c:a", "aac", "-muxdelay", "0"]))
    }
    try folder.write(bytes, to: "both.ts")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "-t", "4", "--audio-in", "both.ts~start=3",
        "--audio-codec", "pcm", "-o", "o.mov",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let bytes32 = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("o.mov"), "-vn", "-ac", "1", "-f", "f32le", "-"]
    ).wait().output
    let samples = bytes32.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    try #require(samples.count > 150_000)
    // Crossings of zero in half a second.
    func crossings(_ start: Double) -> Int {
      let part = samples[Int(start * 48000)..<Int((start + 0.5) * 48000)]
      return zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    }
    #expect(abs(crossings(0.2) - 300) < 20 && abs(crossings(2) - 3000) < 60)
  }

  @Test("bytes behind a whole stream are no sign that it was cut off")
  func padded() throws {
    let folder = try TemporaryFolder()
    let whole = try part("a.ts", at: 0, in: folder)
    for (rest, code) in [
      ([UInt8](repeating: 0, count: 100), 0), (Array("\n".utf8), 0), (Array(whole[..<90]), 3),
    ] as [([UInt8], Int32)] {
      let input = try folder.write(whole + rest, to: "padded.ts")
      let result = try KfrecProcess.run(["-y", "-i", input, "-o", folder.file("o.mov")])
      #expect(result.exitCode == code, "\(result)")
      #expect(try Timeline(folder.file("o.mov")).times.count == 25)
    }
  }

  @Test("a gap of up to ten seconds stays")
  func gap() throws {
    let folder = try TemporaryFolder()
    let bytes = try part("a.ts", at: 0, in: folder) + part("b.ts", at: 8, in: folder)
    let input = try folder.write(bytes, to: "both.ts")
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0 && !result.errors.contains("jump"), "\(result)")
    let times = try Timeline(output).times
    #expect(times.count == 50 && times[25] - times[24] > Rational(6))
  }

  @Test("a jump ahead is closed, video and audio, and reported", arguments: [20, 5000])
  func ahead(_ second: Int) throws {
    _ = try audioSteps(joining: 0, second, saying: "jump ahead once")
  }

  @Test(
    "all turns of recordings whose times jump ahead are recorded, and a part of them",
    arguments: [
      ("--loop 3", 150...150), ("--loop 2 --end 0.5", 24...26), ("--boomerang", 98...98),
      ("--reverse", 50...50),
    ])
  func turnsAhead(_ words: String, _ counts: ClosedRange<Int>) throws {
    let folder = try TemporaryFolder()
    let bytes = try part("a.ts", at: 0, in: folder) + part("b.ts", at: 100, in: folder)
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(
      ["-i", try folder.write(bytes, to: "both.ts"), "-o", output]
        + words.split(separator: " ").map(String.init))
    #expect(result.exitCode == 0, "\(result)")
    let times = try Timeline(output).times
    #expect(counts.contains(times.count), "\(times.count)")
    #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0).doubleValue < 0.1 }, "\(times)")
  }

  @Test("a gap in the audio alone stays, however long")
  func silence() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.ts", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=14", "-f", "lavfi", "-i",
        "sine=r=48000:d=14", "-af", "aselect='lt(t,1)+gt(t,13)'", "-c:v", "libx264", "-preset",
        "ultrafast", "-c:a", "aac", "-muxdelay", "0",
      ])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "-o", output])
    #expect(result.exitCode == 0 && !result.errors.contains("jump"), "\(result)")
    let times = try Timeline(output).times
    #expect(times.count == 70 && times[69] - times[0] > Rational(13))
    let entries = try Timeline(output, of: "a:0").entries
    let steps = zip(entries, entries.dropFirst()).map { ($1.time - $0.time).doubleValue }
    #expect(steps.max() ?? 0 > 11, "\(steps)")
  }

  @Test("a single damaged timestamp does not move the frames after it")
  func damagedTime() throws {
    let folder = try TemporaryFolder()
    var bytes = try part("a.ts", at: 5, in: folder)
    // The timestamp of the twelfth frame becomes 0.
    let mark: [UInt8] = [0, 0, 1, 0xE0]
    var headers: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: 188) where bytes[start + 1] == 0x41 {
      for place in start..<(start + 184) where Array(bytes[place..<(place + 4)]) == mark {
        headers.append(place)
      }
    }
    try #require(headers.count == 25)
    let header = headers[11]
    try #require(bytes[header + 7] & 0xC0 == 0x80)
    bytes.replaceSubrange((header + 9)..<(header + 14), with: [0x21, 0, 1, 0, 1])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(
      ["-i", try folder.write(bytes, to: "bad.ts"), "-o", output])
    #expect(result.exitCode == 0 && !result.errors.contains("jump"), "\(result)")
    let times = try Timeline(output).times
    #expect(times.count == 25)
    #expect(abs((times[24] - times[0]).doubleValue - 0.96) < 0.05, "\(times)")
    #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0).doubleValue < 0.1 }, "\(times)")
  }

  @Test(
    "audio with ADTS headers is the same in every container, as a file, live and through a pipe",
    arguments: ["mov", "mp4", "mkv"], ["file", "live", "pipe"])
  func headers(_ container: String, _ way: String) throws {
    let folder = try TemporaryFolder()
    let input = folder.file("a.ts")
    let bytes = try part("a.ts", at: 0, in: folder)
    let output = folder.file("out.\(container)")
    switch way {
    case "pipe":
      // Neither end can seek.
      let result = try KfrecProcess.run(
        ["-i", "-", "-o", "-", "--container", container], input: .bytes(bytes))
      #expect(result.exitCode == 0, "\(result)")
      try folder.write(result.output, to: "out.\(container)")
    default:
      let result = try KfrecProcess.run(
        ["-i", input, "-o", output] + (way == "live" ? ["--realtime"] : []))
      #expect(result.exitCode == 0, "\(result)")
    }
    // FFmpeg's own copy removes the headers too.
    let copy = try make("copy.mkv", in: folder, ["-i", input, "-c", "copy"])
    let whole = container == "mkv" ? [] : ["-ignore_editlist", "1"]
    for form in [["-c", "copy"], ["-c", "pcm_s16le"]] {
      let sums = try [([], copy), (whole, output)].map { words, path in
        try runTool(
          "ffmpeg",
          ["-v", "error", "-xerror"] + words + ["-i", path, "-map", "0:a"] + form
            + ["-f", "md5", "-"])
      }
      #expect(sums[0].hasPrefix("MD5=") && sums[0] == sums[1], "\(form)")
    }
    #expect(try Probe.stream(output, "extradata_size", of: "a:0") == ["extradata_size": "2"])
    #expect(try Timeline(output).times.count == 25)
  }

  @Test("damaged audio loses only its own packets", arguments: [[], ["--realtime"]])
  func damagedAudio(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let whole = try part("a.ts", at: 0, in: folder)
    var kept: [UInt8] = []
    var count = 0
    for start in stride(from: 0, to: whole.count, by: 188) {
      // FFmpeg's second stream; each third packet of it is lost.
      if Int(whole[start + 1] & 31) << 8 | Int(whole[start + 2]) == 0x101 {
        count += 1
        if count % 3 == 0 { continue }
      }
      kept += whole[start..<(start + 188)]
    }
    #expect(count > 20)
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(
      ["-i", try folder.write(kept, to: "loss.ts"), "-o", output] + words)
    #expect(result.exitCode == 3, "\(result)")
    // Once: it is the reason, and no warning beside it.
    #expect(
      result.errors.split(separator: "of audio were damaged and are").count == 2, "\(result)")
    #expect(try Timeline(output).times.count == 25)
    #expect(try Timeline(output, of: "a:0").entries.count > 5)
  }
}
