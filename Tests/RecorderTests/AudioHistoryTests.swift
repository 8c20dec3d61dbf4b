import Capture
import Frames
import Glibc
import TestSupport
import Testing

@testable import Recorder

@Suite("Audio that effects read")
struct AudioHistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes three seconds of video with 3000 Hz at half of full scale on the left and silence on the
  /// right.
  private func tone(_ name: String, _ words: String...) throws -> String {
    let path = folder.file(name)
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc=exprs=0.5*sin(2*PI*3000*t)|0:s=48000:d=3", "-c:v", "libx264", "-preset",
        "ultrafast",
      ] + words + [path])
    return path
  }

  /// Opens a source for effects' audio and returns it with its audio history, in the source's timestamps.
  private func open(_ path: String, from start: Rational? = nil) throws -> (
    SingleClip, AudioHistory?
  ) {
    var request = SourceRequest(input: path)
    (request.feedsEffects, request.start) = (true, start)
    let clip = SingleClip(try OpenedSource(request, control: RecordingControl()))
    return (clip, AudioHistory(clip.audioForEffects, zero: clip.firstTime))
  }

  /// Returns the samples of a channel before each frame, with the frame's own timestamp.
  private func samples(
    _ path: String, from start: Rational? = nil, channel: Int = 0, count: Int = 256
  ) throws -> [(time: Rational, samples: [Float])] {
    let (clip, audio) = try open(path, from: start)
    let history = try #require(audio)
    var found: [(Rational, [Float])] = []
    while let item = try clip.next() {
      switch item {
      case .audioForEffects(let packet): try history.add(packet)
      case .frame(let set):
        var samples = [Float](repeating: 9, count: count)
        samples.withUnsafeMutableBufferPointer {
          history.read(channel: channel, before: set.time, into: $0)
        }
        found.append((clip.firstTime + set.time, samples))
      case .codedAudio, .audio, .subtitle: break
      }
    }
    return found
  }

  private func sine(before time: Rational, count: Int = 256) -> [Float] {
    let end = Int((time * Rational(48000)).floor)
    return (end - count..<end).map { place -> Float in
      guard (0..<3 * 48000).contains(place) else { return 0 }
      let angle = 2 * Double.pi * 3000 * Double(place) / 48000
      return Float(0.5 * sin(angle))
    }
  }

  private func distance(_ found: [Float], _ expected: [Float]) -> Float {
    zip(found, expected).map { abs($0 - $1) }.max() ?? 9
  }

  @Test(
    "the samples before each frame are exact in every stored sample format",
    arguments: ["pcm_u8", "pcm_s16le", "pcm_s32le", "pcm_f32le", "pcm_f64le"])
  func samples(codec: String) throws {
    let path = try tone("a.mov", "-c:a", codec)
    for channel in 0..<2 {
      let frames = try samples(path, channel: channel)
      #expect(frames.count == 75)
      for (time, samples) in frames {
        let expected = channel == 0 ? sine(before: time) : sine(before: Rational(-1))
        #expect(distance(samples, expected) < (codec == "pcm_u8" ? 0.012 : 0.0001), "\(time)")
      }
    }
  }

  @Test(
    "the samples before a frame are the same wherever the recording starts",
    arguments: [["-c:a", "aac"], ["-c:a", "libmp3lame"], ["-c:a", "pcm_s16le", "-g", "5"]])
  func starts(words: [String]) throws {
    let path = folder.file("a.mov")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc=exprs=0.5*sin(2*PI*3000*t):s=48000:d=3", "-c:v", "libx264",
      ] + words + [path])
    let whole = try samples(path, count: 4096)
    for start in [Rational(1, 25), Rational(7, 5), Rational(14, 5)] {
      let part = try samples(path, from: start, count: 4096)
      #expect(part.count == whole.filter { $0.time >= part[0].time }.count)
      for (time, samples) in part {
        let other = try #require(whole.first { $0.time == time })
        #expect(distance(samples, other.samples) < 0.0001, "\(time) from \(start)")
      }
    }
  }

  @Test("audio has no gaps and no clicks where the container rounds timestamps to milliseconds")
  func rounding() throws {
    let path = folder.file("a.mkv")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i",
        "aevalsrc=exprs=0.5*cos(2*PI*20*t):s=44100:d=3", "-c:v", "libx264", "-c:a", "pcm_s16le",
        path,
      ])
    for (time, samples) in try samples(path, count: 4096).dropFirst(5) {
      let bends = samples.indices.dropFirst().dropLast().map {
        abs(samples[$0 - 1] - 2 * samples[$0] + samples[$0 + 1])
      }
      // A 20 Hz tone bends by 4e-6 from sample to sample, and whole codes by 6e-5; a repeated or a dropped sample is a
      // bend of 1.4e-3.
      #expect(bends.max() ?? 9 < 0.0003, "\(time)")
    }
  }

  @Test("audio begins at its timestamp in the file")
  func late() throws {
    let path = folder.file("late.mkv")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:d=2:r=100", "-itsoffset", "0.5", "-f",
        "lavfi", "-i", "aevalsrc=exprs=0.25:s=8000:d=1", "-c:a", "pcm_s16le", "-c:v", "ffv1", path,
      ])
    let levels = try samples(path, count: 1)
    func level(_ time: Rational) -> Float? { levels.first { $0.time == time }?.samples[0] }
    #expect(level(Rational(1, 2)) == 0 && level(Rational(51, 100)) == 0.25)
    #expect(level(Rational(3, 2)) == 0.25 && level(Rational(151, 100)) == 0)
  }

  @Test("audio continues where the timestamps of a transport stream jump", arguments: [0, 5000])
  func jump(second: Int) throws {
    let parts = try [100, second].map { offset in
      let path = folder.file("\(offset).ts")
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i",
          "sine=r=48000:d=1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-muxdelay",
          "0", "-output_ts_offset", "\(offset)", path,
        ])
      return try readFile(path)
    }
    let frames = try samples(try folder.write(parts[0] + parts[1], to: "both.ts"))
    // The first packets of each part may come after the first frame.
    for time in [1, 4, 20, 30, 45] {
      #expect(frames[time].samples.contains { abs($0) > 0.05 }, "frame \(time)")
    }
  }

  @Test("a tone is in the column of its frequency, and full scale has magnitude 1")
  func spectrum() throws {
    let path = try tone("a.mov", "-c:a", "pcm_s16le")
    for columns in [16, 256, 300, 4096] {
      let spectrum = try AudioSpectrum(columns: columns)
      #expect(spectrum.count == max(2048, columns * 2))
      for channel in 0..<2 {
        var samples = try samples(path, channel: channel, count: spectrum.count)[25].samples
        var found = [Float](repeating: 9, count: columns)
        samples.withUnsafeMutableBufferPointer { samples in
          found.withUnsafeMutableBufferPointer { spectrum.fill($0, from: samples) }
        }
        let strongest = found.max() ?? 9
        guard channel == 0 else {
          #expect(strongest == 0)
          continue
        }
        #expect(abs(strongest - 0.5) < 0.001)
        #expect(found.firstIndex(of: strongest) == 3000 * columns / 24000)
        // There is nothing from three columns away on.
        let far = found.enumerated().filter { abs($0.offset - 3000 * columns / 24000) > 2 }
        #expect((far.map(\.element).max() ?? 9) < 0.001)
      }
    }
  }

  @Test("a source without audio has none")
  func nothing() throws {
    let silent = folder.file("silent.mkv")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:d=1", "-c:v", "ffv1", silent])
    for input in [silent, "testsrc"] { #expect(try open(input).1 == nil, "\(input)") }
  }

  @Test("the latest audio is used where a microphone's audio comes after its frame")
  func microphone() throws {
    let format = AudioFormat(rate: 8000, channels: 1)
    let pool = AudioBlockPool(format, capacity: 100)
    let audio = try #require(AudioHistory(.blocks(format), zero: .zero, isLive: true))
    audio.add(
      pool.block(time: .zero, count: 100) { _, samples in
        for number in samples.indices { samples[number] = Float(number) / 100 }
      })
    var samples = [Float](repeating: 9, count: 50)
    samples.withUnsafeMutableBufferPointer { audio.read(channel: 0, before: .one, into: $0) }
    #expect(samples == (50..<100).map { Float($0) / 100 })
  }

  @Test("audio takes no memory where no effect uses it")
  func none() async {
    await #expect(processExitsWith: .success) {
      #expect(AudioHistory(nil, zero: .zero) == nil)
      let before = try pagesOfThisProcess()
      for _ in 0..<1000 { _ = AudioHistory(nil, zero: .zero) }
      // A thousand times its buffers would be 131 MB.
      #expect(try pagesOfThisProcess() - before < 4000)
    }
  }
}

/// Returns the first number of /proc/self/statm, which also counts untouched pages.
private func pagesOfThisProcess() throws -> Int {
  let file = try #require(fopen("/proc/self/statm", "r"))
  defer { fclose(file) }
  var text = [UInt8](repeating: 0, count: 32)
  let length = fread(&text, 1, 32, file)
  let digits = String(decoding: text.prefix(length).prefix { $0 != 32 }, as: UTF8.self)
  return try #require(Int(digits))
}
