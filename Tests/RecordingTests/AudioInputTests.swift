import TestSupport
import Testing

/// Tests of effects that read the audio of their frames.
@Suite struct AudioInputTests {
  /// An effect with a row of pixels for each channel and a pixel for each of 64 columns.
  private static let effect = """
    /*{"INPUTS": [{"NAME": "wave", "TYPE": "audio", "MAX": 64},
      {"NAME": "tones", "TYPE": "audioFFT", "MAX": 64}]}*/
    vec4 effect(vec2 uv) {
      int channel = PIXEL.y / 24 % tonesSize().y;
      return vec4(tonesPixel(ivec2(PIXEL.x, channel)).r, wavePixel(ivec2(PIXEL.x, channel)).r,
        float(tonesSize().y) / 255.0, 1.0);
    }
    """

  /// 3000 Hz on the left; on the right silence for a second, then 6000 Hz.
  private static let tones =
    "aevalsrc=exprs=0.9*sin(2*PI*3000*t)|if(lt(t\\,1)\\,0\\,0.9*sin(2*PI*6000*t)):s=48000:d=2"

  private struct Shown {
    var tones: [Int]
    var wave: [Int]
    var channels: Int
  }

  /// Returns what a frame shows of a channel.
  private func shown(_ folder: TemporaryFolder, _ frame: Int, channel: Int) throws -> Shown {
    let pixels = try Probe.pixels(folder.file("out-\(frame).png"), "rgb24")
    let row = (24 * channel * 64)..<(24 * channel * 64 + 64)
    return Shown(
      tones: row.map { Int(pixels[3 * $0]) }, wave: row.map { Int(pixels[3 * $0 + 1]) },
      channels: Int(pixels[2]))
  }

  private func peak(_ values: [Int]) -> Int? {
    values.max().flatMap { $0 > 100 ? values.firstIndex(of: $0) : nil }
  }

  private func record(
    _ folder: TemporaryFolder, audio: [String], _ words: [String] = []
  ) throws {
    let input = folder.file("in.mkv")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"] + audio
        + ["-c:v", "libx264", "-preset", "ultrafast", input])
    let effect = try folder.write(Self.effect.utf8, to: "see.comp")
    let result = try KfrecProcess.run(
      ["-i", input, "-e", effect, "-o", folder.file("out-%d.png")] + words)
    #expect(result.exitCode == 0, "\(result)")
  }

  private static let stereo = ["-f", "lavfi", "-i", tones, "-c:a", "pcm_s16le"]

  @Test("A tone is in the column of its frequency and the row of its channel, at its time")
  func tonesOfChannels() throws {
    let folder = try TemporaryFolder()
    try record(folder, audio: Self.stereo)
    let first = folder.names.filter { $0.hasSuffix(".png") }.count == 50 ? 1 : 0
    // There is no audio before the first frame.
    let silent = try shown(folder, first, channel: 0)
    #expect(silent.channels == 2 && silent.tones.allSatisfy { $0 == 0 })
    #expect(silent.wave.allSatisfy { $0 == 128 })
    // At 0.6 s and at 1.6 s; a column is 375 Hz wide.
    #expect(peak(try shown(folder, first + 15, channel: 0).tones) == 8)
    #expect(peak(try shown(folder, first + 15, channel: 1).tones) == nil)
    #expect(peak(try shown(folder, first + 40, channel: 0).tones) == 8)
    #expect(peak(try shown(folder, first + 40, channel: 1).tones) == 16)
    // 3000 Hz has 16 samples per period, so the wave before 0.6 s ends with a whole period.
    let wave = try shown(folder, first + 15, channel: 0).wave
    #expect(abs(wave[0] - 128) <= 1 && abs(wave[4] - 242) <= 2 && abs(wave[12] - 13) <= 2)
    #expect(wave[0..<48] == wave[16..<64])
  }

  @Test("An effect reads the audio of the recorded part, whether it is in the output or not")
  func part() throws {
    let folder = try TemporaryFolder()
    try record(folder, audio: Self.stereo, ["--start", "1.4", "--frames", "3", "--no-audio"])
    let first = try #require(folder.names.filter { $0.hasSuffix(".png") }.min())
    let number = try #require(Int(first.dropFirst(4).dropLast(4)))
    #expect(peak(try shown(folder, number, channel: 1).tones) == 16)
  }

  @Test("A pipe gives the same audio as a file, although the audio is stored behind the frames")
  func pipe() throws {
    let folder = try TemporaryFolder()
    // In a pipe a fragment has all its video first, then its audio.
    try record(folder, audio: Self.stereo)
    let effect = folder.file("see.comp")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-i", folder.file("in.mkv"), "-c:v", "copy", "-c:a", "aac", "-movflags",
        "frag_every_frame+empty_moov+default_base_moof", "-frag_duration", "1000000",
        folder.file("in.mp4"),
      ])
    func hashes(_ input: String, _ bytes: ChildProcess.Input) throws -> String {
      let result = try KfrecProcess.run(
        ["-y", "-i", input, "-e", effect, "--codec", "ffv1", "-o", folder.file("out.mkv")],
        input: bytes)
      #expect(result.exitCode == 0, "\(result)")
      return try runTool(
        "ffmpeg", ["-v", "error", "-i", folder.file("out.mkv"), "-an", "-f", "framemd5", "-"])
    }
    let file = try hashes(folder.file("in.mp4"), .nothing)
    #expect(file.split(separator: "\n").count > 50)
    #expect(try hashes("-", .bytes(readFile(folder.file("in.mp4")))) == file)
  }

  @Test("With several clips an effect reads their mix, exact to the sample")
  func clips() throws {
    let folder = try TemporaryFolder()
    try record(folder, audio: Self.stereo)
    let effect = folder.file("see.comp")
    // The second clip begins at 2 s with its 3000 Hz; its 6000 Hz on the right start at 3 s.
    let result = try KfrecProcess.run(
      [
        "-y", "-i", "in.mkv", "-i", "in.mkv", "-e", effect, "--no-audio", "-o", "clips-%03d.png",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    func tones(_ frame: Int, channel: Int) throws -> Int? {
      let name = folder.names.filter { $0.hasPrefix("clips-") }.sorted()[frame]
      try runTool("cp", [folder.file(name), folder.file("out-1000.png")])
      return peak(try shown(folder, 1000, channel: channel).tones)
    }
    for (frame, right) in [(15, nil), (40, 16), (65, nil), (90, 16)] as [(Int, Int?)] {
      #expect(try tones(frame, channel: 0) == 8, "frame \(frame)")
      #expect(try tones(frame, channel: 1) == right, "frame \(frame)")
    }
  }

  @Test("A source without audio is silent")
  func silence() throws {
    let folder = try TemporaryFolder()
    try record(folder, audio: [], ["--frames", "20"])
    let names = folder.names.filter { $0.hasSuffix(".png") }
    #expect(names.count == 20)
    let last = try shown(folder, 19, channel: 0)
    #expect(last.channels == 1)
    #expect(last.tones.allSatisfy { $0 == 0 } && last.wave.allSatisfy { $0 == 128 })
  }
}
