import Frames
import Glibc
import TestSupport
import Testing

/// Tests of two or more inputs, one after the other, with transitions between them.
@Suite struct TransitionTests {
  /// An ISF transition that mixes its two images by `progress`.
  private static let fade = """
    /*{"INPUTS": [{"NAME": "startImage", "TYPE": "image"}, {"NAME": "endImage", "TYPE": "image"},
      {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1}]}*/
    void main() {
      gl_FragColor = mix(IMG_THIS_PIXEL(startImage), IMG_THIS_PIXEL(endImage), progress);
    }
    """
  private static let exact = ["--crf", "0", "--pixel-format", "yuv444p"]

  private func clip(
    _ name: String, _ picture: String, in folder: TemporaryFolder, _ more: [String] = []
  ) throws {
    try make(
      name, in: folder,
      ["-f", "lavfi", "-i", picture] + more
        + ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "1", "-pix_fmt", "yuv420p"])
  }

  /// Makes 2 seconds of red at 30 frames per second, and 3 of blue, of another size and rate.
  private func twoClips(_ folder: TemporaryFolder) throws {
    try folder.write(Self.fade.utf8, to: "fade.fs")
    try clip("a.mov", "color=red:s=64x48:r=30:d=2", in: folder)
    try clip("b.mov", "color=blue:s=96x40:r=25:d=3", in: folder)
  }

  private func join(_ folder: TemporaryFolder, _ words: [String]) throws -> ChildResult {
    try KfrecProcess.run(
      ["-y", "-i", "a.mov", "-i", "b.mov", "-o", "t.mov"] + Self.exact + words, in: folder)
  }

  /// Returns the pixel in the middle of each frame.
  private func colors(_ path: String, width: Int, height: Int) throws -> [[Int]] {
    let pixels = try Probe.pixels(
      path, "rgb24", filters: ["crop=1:1:\(width / 2):\(height / 2):exact=1"])
    return stride(from: 0, to: pixels.count, by: 3).map { pixels[$0..<$0 + 3].map(Int.init) }
  }

  private func isNear(_ a: [Int], _ b: [Int], _ limit: Int = 3) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) <= limit }
  }

  @Test(
    "parts of two inputs are joined, with their audio, and a generated input ends with the output")
  func joinedParts() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    let result = try KfrecProcess.run(
      [
        "-i", "a.mov~start=0.5~duration=1", "-i", "b.mov~start=1~end=2.2", "-i", "color:00ff00",
        "-e",
        "crossfade", "--overlap", "0.4,0.2", "-t", "2.5", "-y", "-o", "t.mov",
      ] + Self.exact, in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let output = folder.file("t.mov")
    let times = try Timeline(output).times
    // a until 1 s, b from 0.6 to 1.8 s, green from 1.6 s on.
    #expect(times.count { $0 < .one } == 30)
    #expect(times.last.map { $0 < Rational(5, 2) && $0 > Rational(12, 5) } == true)
    let colors = try colors(output, width: 64, height: 48)
    func color(at time: Rational) -> [Int] { colors[times.lastIndex { $0 <= time } ?? 0] }
    #expect(isNear(color(at: Rational(1, 2)), [254, 0, 0], 6))
    #expect(isNear(color(at: Rational(13, 10)), [0, 0, 254], 6))
    #expect(isNear(color(at: Rational(12, 5)), [0, 255, 0], 6))
  }

  @Test("--scale and --pad-color count for every input")
  func scaled() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    for (words, corner) in [
      (["--scale", "fill"], [0, 0, 254]), (["--scale", "stretch"], [0, 0, 254]),
      (["--pad-color", "lime"], [0, 255, 0]), ([], [0, 0, 0]),
    ] {
      let result = try join(folder, ["--size", "64x64"] + words)
      #expect(result.exitCode == 0, "\(result)")
      let pixels = try Probe.pixels(
        folder.file("t.mov"), "rgb24", filters: ["crop=1:1:2:2:exact=1"])
      #expect(isNear(pixels.suffix(3).map(Int.init), corner, 6), "\(words): \(pixels.suffix(3))")
    }
  }

  @Test("Clips of other shapes have bars on two sides at most, and effects see clips of one size")
  func shapesShareCanvas() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.fade.utf8, to: "fade.fs")
    try clip("wide.mov", "color=red:s=64x32:r=25:d=0.4", in: folder)
    try clip("tall.mov", "color=blue:s=32x64:r=25:d=0.4", in: folder)
    try clip("other.mov", "color=lime:s=96x48:r=25:d=0.4", in: folder)
    let red = [254, 0, 0]
    let blue = [0, 0, 254]
    let lime = [0, 255, 0]
    let bar = [0, 0, 0]
    /// Renders, and looks at the middle, the middle of the upper edge, and the middle of the left edge of each frame.
    func look(_ words: [String], at offset: Int = 0) throws -> [[[Int]]] {
      let result = try KfrecProcess.run(
        ["-y", "-i", "wide.mov", "-i", "tall.mov", "-i", "other.mov", "--size", "64x64"] + words
          + ["-o", "t.mov"] + Self.exact, in: folder)
      #expect(result.exitCode == 0, "\(words): \(result)")
      return try [(32, 32), (32, 4), (4, 32)].map { x, y in
        let pixels = try Probe.pixels(
          folder.file("t.mov"), "rgb24", filters: ["crop=1:1:\(x + offset):\(y):exact=1"])
        return stride(from: 0, to: pixels.count, by: 3).map { pixels[$0..<$0 + 3].map(Int.init) }
      }
    }
    func expect(_ seen: [[[Int]]], _ frame: Int, _ colors: [[Int]]) {
      for (place, color) in colors.enumerated() {
        #expect(isNear(seen[place][frame], color, 6), "frame \(frame), place \(place)")
      }
    }
    let seen = try look(["--overlap", "0"])
    #expect(seen[0].count == 30)
    expect(seen, 5, [red, bar, red])
    expect(seen, 15, [blue, blue, bar])
    expect(seen, 25, [lime, bar, lime])
    let faded = try look(["-e", "./fade.fs", "--overlap", "0.2"])
    expect(faded, 2, [red, bar, red])
    // Frames 5 to 9 and 10 to 14 are the fades, whose third frames have a share of 0.4.
    expect(faded, 7, [[152, 0, 102], [0, 0, 102], [152, 0, 0]])
    expect(faded, 12, [[0, 102, 153], [0, 0, 153], [0, 102, 0]])
    // Beside the result, the pictures of the inputs have the same places.
    let compared = try look(["--overlap", "0", "-e", "invert", "--compare", "side"])
    expect(compared, 5, [red, bar, red])
    expect(compared, 15, [blue, blue, bar])
    let inverted = try look(["--overlap", "0", "-e", "invert", "--compare", "side"], at: 64)
    expect(inverted, 15, [[255, 255, 0], [255, 255, 0], [255, 255, 255]])
    // One shape needs no bars in the picture, which effects then do not change.
    let alike = try KfrecProcess.run(
      [
        "-y", "-i", "wide.mov", "-i", "other.mov", "--size", "64x64", "--overlap", "0", "-e",
        "invert",
        "-o", "t.mov",
      ] + Self.exact, in: folder)
    #expect(alike.exitCode == 0, "\(alike)")
    let edge = try Probe.pixels(folder.file("t.mov"), "rgb24", filters: ["crop=1:1:32:4:exact=1"])
    #expect(edge.allSatisfy { $0 <= 3 })
  }

  @Test("The first input plays with its times, fades into the second, and the second continues")
  func fades() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    let result = try join(folder, ["-e", "./fade.fs", "--overlap", "1"])
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let output = folder.file("t.mov")
    // The first second of b overlaps the end of a.
    let times =
      (0..<60).map { Rational($0, 30) } + (25..<75).map { Rational(1) + Rational($0, 25) }
    #expect(try Timeline(output).times == times)
    #expect(try Timeline(output).withoutGaps.last?.duration == Rational(1, 25))
    let stream = try Probe.stream(output, "width,height")
    #expect(stream == ["width": "64", "height": "48"])
    let colors = try colors(output, width: 64, height: 48)
    #expect(colors.count == 110)
    for (index, color) in colors.enumerated() {
      let share = min(max((times[index].doubleValue - 1), 0), 1)
      let mix = [254 * (1 - share), 0, 255 * share].map { Int($0.rounded()) }
      #expect(isNear(color, mix), "frame \(index): \(color), not \(mix)")
    }
  }

  @Test("Outside the overlap frames are unchanged, and the second input is whole with bars")
  func untouched() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.fade.utf8, to: "fade.fs")
    try clip("a.mov", "testsrc2=s=64x48:r=30:d=1", in: folder)
    try clip("b.mov", "testsrc2=s=64x48:r=30:d=1,negate", in: folder)
    try clip("wide.mov", "color=white:s=64x24:r=30:d=1", in: folder)
    let pixels = { (name: String) in try Probe.pixels(folder.file(name)) }
    let output = ["--crf", "0", "-o", "t.mov", "--overlap", "0.5", "-e", "./fade.fs"]
    let same = try KfrecProcess.run(["-y", "-i", "a.mov", "-i", "b.mov"] + output, in: folder)
    #expect(same.exitCode == 0, "\(same)")
    let frame = 64 * 48 * 3 / 2
    let (a, b, joined) = (try pixels("a.mov"), try pixels("b.mov"), try pixels("t.mov"))
    #expect(joined.count == 45 * frame)
    #expect(joined[..<(15 * frame)] == a[..<(15 * frame)])
    #expect(joined[(30 * frame)...] == b[(15 * frame)...])
    let wide = try KfrecProcess.run(["-y", "-i", "a.mov", "-i", "wide.mov"] + output, in: folder)
    #expect(wide.exitCode == 0, "\(wide)")
    let last = try pixels("t.mov").suffix(frame).prefix(64 * 48).map(Int.init)
    for row in 0..<48 {
      let expected = (12..<36).contains(row) ? 235 : 16
      #expect(last[row * 64..<row * 64 + 64].allSatisfy { abs($0 - expected) <= 1 }, "row \(row)")
    }
  }

  @Test("Effects before the transition act on the first input alone, those after it on all")
  func chain() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    try folder.write(
      "vec4 effect(vec2 uv) { return framePixel() * vec4(0.5, 1.0, 0.5, 1.0); }".utf8,
      to: "half.comp")
    func middle(_ words: [String]) throws -> [[Int]] {
      let result = try join(folder, words)
      #expect(result.exitCode == 0, "\(result)")
      let all = try colors(folder.file("t.mov"), width: 64, height: 48)
      return [0, 45, 100].map { all[$0] }
    }
    let before = try middle(["-e", "./half.comp", "-e", "./fade.fs"])
    #expect(isNear(before[0], [127, 0, 0]) && isNear(before[1], [64, 0, 127]))
    #expect(isNear(before[2], [0, 0, 255]))
    let after = try middle(["-e", "./fade.fs", "-e", "./half.comp"])
    #expect(isNear(after[0], [127, 0, 0]) && isNear(after[1], [64, 0, 64]))
    #expect(isNear(after[2], [0, 0, 127]))
    let given = try middle(["-e", "./fade.fs:progress=0.25"])
    #expect(isNear(given[1], [191, 0, 64]))
  }

  @Test("Frames and duration count output, ~start the first input; a still may be the second")
  func parts() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    #expect(try join(folder, ["-e", "crossfade", "--frames", "70"]).exitCode == 0)
    #expect(try Timeline(folder.file("t.mov")).times.count == 70)
    #expect(try join(folder, ["-e", "crossfade", "-t", "2.5"]).exitCode == 0)
    #expect(try Timeline(folder.file("t.mov")).times.last == Rational(62, 25))
    let late = ["-y", "-i", "a.mov~start=0.5", "-i", "b.mov", "-e", "crossfade", "-o", "t.mov"]
    #expect(try KfrecProcess.run(late + Self.exact, in: folder).exitCode == 0)
    let times = try Timeline(folder.file("t.mov")).times
    #expect(times.count == 45 + 50)
    #expect(times[44] == Rational(44, 30) && times[45] == Rational(3, 2))
    try make("end.png", in: folder, ["-f", "lavfi", "-i", "color=lime:s=64x48", "-frames:v", "1"])
    let still = try KfrecProcess.run(
      ["-y", "-i", "a.mov", "-i", "end.png", "-o", "t.mov", "-e", "crossfade"] + Self.exact,
      in: folder)
    #expect(still.exitCode == 0, "\(still)")
    let colors = try colors(folder.file("t.mov"), width: 64, height: 48)
    #expect(colors.count == 60 && isNear(colors[45], [127, 127, 0], 4))
  }

  /// Returns the loudness of a tone in the 0.05 s after a time, in the mean of the channels.
  private func loudness(_ samples: [Float], of frequency: Double, at time: Double) -> Double {
    let first = Int(time * 44100)
    let count = 44100 / 20
    var (real, imaginary) = (0.0, 0.0)
    for index in first..<first + count where index < samples.count {
      let angle = 2 * Double.pi * frequency * Double(index) / 44100
      real += Double(samples[index]) * cos(angle)
      imaginary += Double(samples[index]) * sin(angle)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
  }

  private func samples(_ path: String) throws -> [Float] {
    let bytes = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", path, "-vn", "-ac", "1", "-ar", "44100", "-f", "f32le", "-"]
    ).wait().output
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test("Audio crossfades with equal power, whatever the codecs, rates and channels are")
  func audio() throws {
    let folder = try TemporaryFolder()
    try clip(
      "a.mov", "color=red:s=64x48:r=30:d=2", in: folder,
      ["-f", "lavfi", "-i", "sine=f=440:r=44100:d=2", "-c:a", "aac"])
    try clip(
      "b.mov", "color=blue:s=64x48:r=25:d=3", in: folder,
      ["-f", "lavfi", "-i", "sine=f=2000:r=48000:d=3", "-ac", "2", "-c:a", "pcm_s16le"])
    try clip("mute.mov", "color=blue:s=64x48:r=25:d=3", in: folder)
    func join(_ first: String, _ second: String, _ more: [String] = []) throws -> String {
      let result = try KfrecProcess.run(
        ["-y", "-i", first, "-i", second, "-e", "crossfade", "-o", "t.mov"] + more, in: folder)
      #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
      return folder.file("t.mov")
    }
    // FFmpeg's sine has an amplitude of 1/8.
    let moments: [(time: Double, a: Double, b: Double)] = [
      (0.1, 1, 0), (0.9, 1, 0), (1.475, 0.5.squareRoot(), 0.5.squareRoot()), (2.05, 0, 1),
      (3.8, 0, 1),
    ]
    let both = try join("a.mov", "b.mov")
    let stream = try Probe.stream(both, "codec_name,sample_rate,channels,start_time", of: "a:0")
    // The sound of one clip is lossless, and stays so: the higher rate is that of the second one.
    #expect(stream["codec_name"] == "pcm_s16le" && stream["sample_rate"] == "48000")
    #expect(stream["channels"] == "2")
    let mixed = try samples(both)
    // The last packet is whole.
    #expect(abs(mixed.count - 4 * 44100) <= 1024)
    let alone = try samples(try join("a.mov", "mute.mov"))
    let late = try samples(try join("mute.mov", "a.mov", ["--overlap", "0.5"]))
    for (time, a, b) in moments {
      #expect(abs(loudness(mixed, of: 440, at: time) * 8 - a) < 0.08, "\(time)")
      #expect(abs(loudness(mixed, of: 2000, at: time) * 8 - b) < 0.08, "\(time)")
      #expect(abs(loudness(alone, of: 440, at: time) * 8 - a) < 0.08, "\(time)")
    }
    #expect(loudness(late, of: 440, at: 2.4) < 0.001)
    #expect(abs(loudness(late, of: 440, at: 3.2) * 8 - 1) < 0.08)
    let silent = try join("a.mov", "b.mov", ["--no-audio"])
    #expect(try Probe.rows(silent, "stream=codec_type") == [["codec_type": "video"]])
  }

  /// Makes a second of red at 30 frames per second, one of green at 25 and one of blue at 20, in three
  /// sizes.
  private func threeClips(_ folder: TemporaryFolder) throws {
    try folder.write(Self.fade.utf8, to: "fade.fs")
    try clip("a.mov", "color=red:s=64x48:r=30:d=1", in: folder)
    try clip("b.mov", "color=lime:s=32x24:r=25:d=1", in: folder)
    try clip("c.mov", "color=blue:s=96x72:r=20:d=1", in: folder)
  }

  /// Returns the times of the output, and its colours.
  private func joinThree(
    _ folder: TemporaryFolder, _ words: [String]
  ) throws -> (times: [Rational], colors: [[Int]]) {
    let result = try KfrecProcess.run(
      ["-y", "-i", "a.mov", "-i", "b.mov", "-i", "c.mov", "-o", "t.mov"] + Self.exact + words,
      in: folder)
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let output = folder.file("t.mov")
    return (try Timeline(output).times, try colors(output, width: 64, height: 48))
  }

  @Test("One transition joins any number of inputs, each at its own times")
  func three() throws {
    let folder = try TemporaryFolder()
    try threeClips(folder)
    let (times, colors) = try joinThree(folder, ["-e", "./fade.fs", "--overlap", "0.5"])
    let expected =
      (0..<30).map { Rational($0, 30) } + (13..<25).map { Rational(1, 2) + Rational($0, 25) }
      + (10..<20).map { Rational(1) + Rational($0, 20) }
    #expect(times == expected)
    for (time, color) in zip(times, colors) {
      let first = min(max((time.doubleValue - 0.5) * 2, 0), 1)
      let second = min(max((time.doubleValue - 1) * 2, 0), 1)
      let mix = [254 * (1 - first), 255 * first * (1 - second), 255 * second]
      #expect(isNear(color, mix.map { Int($0.rounded()) }, 4), "\(time): \(color), not \(mix)")
    }
  }

  @Test("Inputs without a transition, or with an overlap of 0, follow each other by a cut")
  func cuts() throws {
    let folder = try TemporaryFolder()
    try threeClips(folder)
    let whole =
      (0..<30).map { Rational($0, 30) } + (0..<25).map { Rational(1) + Rational($0, 25) }
      + (0..<20).map { Rational(2) + Rational($0, 20) }
    let (times, colors) = try joinThree(folder, [])
    #expect(times == whole)
    for (time, color) in zip(times, colors) {
      let clip = Int(time.floor)
      #expect(isNear(color, (0..<3).map { $0 == clip ? 255 : 0 }, 4), "\(time): \(color)")
    }
    let (mixed, mixedColors) = try joinThree(folder, ["-e", "./fade.fs", "--overlap", "0,0.5"])
    #expect(
      mixed
        == whole[..<55]
        + (10..<20).map { Rational(3, 2) + Rational($0, 20) })
    #expect(isNear(mixedColors[30], [0, 255, 0], 4))
    // 0.24 s into half a second.
    #expect(isNear(mixedColors[30 + 18 + 1], [0, 133, 122], 12), "\(mixedColors[49])")
    let (limited, _) = try joinThree(folder, ["--frames", "40"])
    #expect(limited == Array(whole[..<40]))
  }

  @Test("A chain is read from the left: effects before a transition do not act on later inputs")
  func chainOfThree() throws {
    let folder = try TemporaryFolder()
    try threeClips(folder)
    try folder.write(
      "vec4 effect(vec2 uv) { return vec4(framePixel().rgb * 0.5, 1.0); }".utf8, to: "half.comp")
    let (_, colors) = try joinThree(
      folder,
      [
        "-e", "./half.comp", "-e", "./fade.fs", "-e", "./half.comp", "-e", "./fade.fs",
        "--overlap", "0.25",
      ])
    #expect(isNear(colors[0], [64, 0, 0], 4) && isNear(colors[30], [0, 127, 0], 4))
    #expect(isNear(colors[colors.count - 1], [0, 0, 255], 4))
  }

  @Test("Audio continues through any number of inputs, and a cut in it is a cut")
  func audioOfThree() throws {
    let folder = try TemporaryFolder()
    for (name, frequency) in [("a.mov", 440), ("b.mov", 1000), ("c.mov", 2000)] {
      try clip(
        name, "color=red:s=64x48:r=30:d=2", in: folder,
        ["-f", "lavfi", "-i", "sine=f=\(frequency):r=44100:d=2", "-c:a", "pcm_s16le"])
    }
    let result = try KfrecProcess.run(
      [
        "-i", "a.mov", "-i", "b.mov", "-i", "c.mov", "-e", "crossfade", "--overlap", "0,1", "-o",
        "t.mov",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let samples = try samples(folder.file("t.mov"))
    #expect(abs(samples.count - 5 * 44100) <= 1024)
    let half = 0.5.squareRoot()
    for (time, shares) in [
      (0.5, [1, 0, 0]), (1.9, [1, 0, 0]), (2.1, [0, 1, 0]), (2.9, [0, 1, 0]),
      (3.475, [0, half, half]), (4.5, [0, 0, 1]),
    ] {
      for (frequency, share) in zip([440.0, 1000, 2000], shares) {
        #expect(
          abs(loudness(samples, of: frequency, at: time) * 8 - share) < 0.08,
          "\(frequency) at \(time)")
      }
    }
  }

  @Test("Mixed audio has no clicks where the container rounds timestamps to milliseconds")
  func audioOfMatroska() throws {
    let folder = try TemporaryFolder()
    try clip(
      "a.mkv", "color=red:s=64x48:r=30:d=2", in: folder,
      ["-f", "lavfi", "-i", "aevalsrc=exprs=0.5*cos(2*PI*20*t):s=44100:d=2", "-c:a", "pcm_s16le"])
    let result = try KfrecProcess.run(
      ["-i", "a.mkv", "-i", "a.mkv", "-o", "t.mov"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let heard = try samples(folder.file("t.mov"))[4410..<80000]
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    // The tone's own steps are 0.0015.
    #expect(steps.max() ?? 9 < 0.01)
  }

  @Test("Impossible combinations of two inputs are refused before any file is made")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try twoClips(folder)
    let pair = ["-i", "a.mov", "-i", "b.mov"]
    let cases: [([String], Int32, String)] = [
      (pair + ["-e", "vignette", "--overlap", "1"], 2, "two inputs that overlap need an effect"),
      (
        pair + ["-e", "wipe", "--overlap", "1,1"], 2, "--overlap has 2 values, but 2 inputs need 1"
      ),
      (
        pair + pair + ["-e", "wipe", "-e", "crossfade", "--overlap", "0.5"], 2,
        "'wipe' and 'crossfade' are 2 transitions; 4 inputs that overlap 3 times take as many"
      ),
      (pair + ["-e", "wipe", "-e", "crossfade"], 2, "'wipe' and 'crossfade' are both transitions"),
      (["-i", "a.mov", "-e", "./fade.fs"], 2, "give a second -i, or an image with endImage=FILE"),
      (
        pair + ["-e", "crossfade", "--overlap", "2.5"], 2,
        "--overlap 2.5 is longer than the inputs allow: a.mov lasts 2 seconds, b.mov lasts 3 seconds"
      ),
      (["-i", "testsrc", "-i", "b.mov", "-e", "wipe"], 2, "testsrc has no end of its own"),
      (["-i", "a.mov", "-i", "none.mov", "-e", "wipe"], 1, "none.mov"),
    ]
    for (words, code, message) in cases {
      let result = try KfrecProcess.run(words + ["-o", "t.mov"], in: folder)
      #expect(result.exitCode == code, "\(words): \(result)")
      #expect(result.errors.contains(message), "\(words): \(result.errors)")
      #expect(!fileExists(folder.file("t.mov")) && !fileExists(folder.file("t.mov.part")))
    }
  }
}
