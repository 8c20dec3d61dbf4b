import Capture
import Frames
import Glibc
import TestSupport
import Testing

@Suite("Sound that effects see")
struct SoundFollowerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 3000 Hz at half of full scale on the left, nothing on the right, six seconds.
  private func tone(_ name: String, _ codec: String, before: [String] = []) throws -> SoundFollower?
  {
    let path = folder.file(name)
    try runTool(
      "ffmpeg",
      ["-v", "error"] + before + [
        "-f", "lavfi", "-i", "aevalsrc=exprs=0.5*sin(2*PI*3000*t)|0:s=48000:d=6", "-c:a", codec,
        path,
      ])
    return SoundFollower(SourceRequest(input: path))
  }

  private func read(
    _ follower: SoundFollower, _ channel: Int, before time: Rational, count: Int = 256
  ) -> [Float] {
    var samples = [Float](repeating: 9, count: count)
    samples.withUnsafeMutableBufferPointer {
      follower.read(channel: channel, before: time, into: $0)
    }
    return samples
  }

  private func sine(before time: Rational, count: Int = 256) -> [Float] {
    let end = Int((time * Rational(48000)).floor)
    return (end - count..<end).map { place in
      place < 0 || place >= 6 * 48000
        ? 0 : Float(0.5 * sin(2 * Double.pi * 3000 * Double(place) / 48000))
    }
  }

  private func expect(_ found: [Float], _ expected: [Float], within limit: Float) {
    let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? 9
    #expect(worst <= limit)
  }

  @Test(
    "is what was there before the moment, in whatever order the moments come",
    arguments: ["pcm_u8", "pcm_s16le", "pcm_s32le", "pcm_f32le", "pcm_f64le"])
  func samples(codec: String) throws {
    let follower = try #require(try tone("a.wav", codec))
    #expect(follower.channels == 2 && follower.rate == 48000)
    for time in [
      Rational.zero, Rational(1, 1000), Rational(2, 5), .one, Rational(51, 10),
      Rational(1, 2), Rational(3), Rational(6001, 1000), Rational(20), Rational(1, 2),
    ] {
      expect(
        read(follower, 0, before: time), sine(before: time),
        within: codec == "pcm_u8" ? 0.012 : 0.0001)
      expect(
        read(follower, 1, before: time), sine(before: Rational(-1)),
        within: codec == "pcm_u8" ? 0.012 : 0)
    }
  }

  @Test("gives the same samples by a leap as step by step, of compressed sound too")
  func leaps() throws {
    let follower = try #require(try tone("a.m4a", "aac"))
    var steps: [Float] = []
    for frame in 0...120 { steps = read(follower, 0, before: Rational(Int64(frame), 25)) }
    let other = try #require(SoundFollower(SourceRequest(input: folder.file("a.m4a"))))
    expect(read(other, 0, before: Rational(120, 25)), steps, within: 0.0001)
    expect(steps, sine(before: Rational(24, 5)), within: 0.03)
  }

  @Test("begins when the file says so")
  func late() throws {
    let path = folder.file("late.mkv")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:d=2", "-itsoffset", "0.5", "-f",
        "lavfi",
        "-i", "aevalsrc=exprs=0.25:s=8000:d=1", "-c:a", "pcm_s16le", "-c:v", "ffv1", path,
      ])
    let follower = try #require(SoundFollower(SourceRequest(input: path)))
    func level(_ time: Rational) -> Float { read(follower, 0, before: time, count: 1)[0] }
    #expect(level(Rational(49, 100)) == 0 && level(Rational(51, 100)) == 0.25)
    #expect(level(Rational(149, 100)) == 0.25 && level(Rational(151, 100)) == 0)
  }

  @Test("goes on where the times of a transport stream jump", arguments: [0, 5000])
  func jump(second: Int) throws {
    let parts = try [100, second].map { offset in
      let path = folder.file("\(offset).ts")
      try ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-muxdelay", "0",
        "-output_ts_offset", "\(offset)", path)
      return try readFile(path)
    }
    let path = try folder.write(parts[0] + parts[1], to: "both.ts")
    let follower = try #require(SoundFollower(SourceRequest(input: path)))
    for time in [Rational(1002, 10), Rational(1008, 10), Rational(1016, 10)] {
      #expect(read(follower, 0, before: time).contains { abs($0) > 0.05 }, "\(time)")
    }
  }

  @Test("has its tones in the columns of their frequencies, a full tone with the magnitude 1")
  func spectrum() throws {
    let follower = try #require(try tone("a.wav", "pcm_s16le"))
    for columns in [16, 256, 300, 4096] {
      let spectrum = try SoundSpectrum(columns: columns)
      #expect(spectrum.count == max(2048, columns * 2))
      for channel in 0..<2 {
        var samples = read(follower, channel, before: .one, count: spectrum.count)
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
        // Nothing two columns away.
        let far = found.enumerated().filter { abs($0.offset - 3000 * columns / 24000) > 2 }
        #expect((far.map(\.element).max() ?? 9) < 0.001)
      }
    }
  }

  @Test("is nothing where there is no file or no sound in it")
  func nothing() throws {
    let silent = folder.file("silent.mkv")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=16x16:d=1", "-c:v", "ffv1", silent])
    let text = try folder.write("no sound".utf8, to: "text.wav")
    for input in [
      silent, text, folder.file("none.wav"), "testsrc", "-", "/dev/video0", folder.path,
    ] {
      #expect(SoundFollower(SourceRequest(input: input)) == nil, "\(input)")
    }
  }
}
