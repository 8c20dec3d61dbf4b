import Glibc
import TestSupport
import Testing

/// The speakers of audio: what is heard from one speaker of the input is heard from the same one of the output.
@Suite struct SpeakerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with a tone in one of its speakers.
  private func input(
    _ layout: String, _ channel: Int, _ count: Int, name: String = "in.mkv", codec: String = "flac"
  ) throws -> String {
    let channels = (0..<count).map { $0 == channel ? "0.3*sin(2*PI*440*t)" : "0" }
    return try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.5", "-f", "lavfi", "-i",
        "aevalsrc=\(channels.joined(separator: "|")):s=48000:d=0.5:c=\(layout)", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:a", codec,
      ])
  }

  /// The mean of the squares of each channel.
  private func power(_ path: String, channels: Int) throws -> [Float] {
    let result = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"]
    ).wait()
    let samples = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return (0..<channels).map { channel in
      let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
      return own.reduce(0) { $0 + $1 * $1 } / Float(max(own.count, 1))
    }
  }

  @Test(
    "a speaker keeps its sound with every codec",
    arguments: [
      ("3.0", 2, 3, "out.mp4", "aac", "3.0", 2), ("3.0", 2, 3, "out.webm", "opus", "3.0", 2),
      ("3.0", 2, 3, "out.mkv", "ac3", "3.0", 2), ("3.0", 2, 3, "out.mkv", "vorbis", "3.0", 2),
      ("quad", 2, 4, "out.mp4", "aac", "quad", 2), ("quad", 2, 4, "out.webm", "opus", "quad", 2),
      ("quad", 2, 4, "out.mov", "pcm", "quad", 2), ("quad", 3, 4, "out.mov", "alac", "5.0", 4),
      ("quad", 3, 4, "out.mkv", "flac", "quad", 3),
      ("5.1(side)", 4, 6, "out.webm", "opus", "5.1", 4),
      ("5.1(side)", 5, 6, "out.mp4", "aac", "5.1", 5),
      ("5.0(side)", 3, 5, "out.mkv", "vorbis", "5.0", 3),
    ])
  func kept(
    _ layout: String, _ channel: Int, _ count: Int, _ file: String, _ codec: String,
    _ expected: String, _ place: Int
  ) throws {
    let output = folder.file(file)
    let result = try KfrecProcess.run([
      "-i", try input(layout, channel, count), "--volume", "90%", "--audio-codec", codec, "-o",
      output,
    ])
    #expect(result.exitCode == 0, "\(result)")
    let found = try Probe.stream(output, "channels,channel_layout", of: "a:0")
    #expect(found["channel_layout"] == expected)
    let power = try power(output, channels: Int(found["channels"] ?? "") ?? 1)
    #expect(power.indices.max { power[$0] < power[$1] } == place, "\(power)")
    #expect(power.indices.allSatisfy { $0 == place || power[$0] < 0.0001 }, "\(power)")
    #expect((power.max() ?? 0) > 0.02, "\(power)")
  }

  @Test(
    "a speaker keeps its sound without loss, copied or encoded, where readers count channels alone",
    arguments: [
      ("5.1(side)", 4, 6, "in.mkv", [], "out.mp4", "flac", 4),
      ("5.1(side)", 4, 6, "in.mkv", ["--volume", "90%"], "out.mp4", "flac", 4),
      ("5.0(side)", 3, 5, "in.mov", [], "out.mp4", "flac", 3),
      ("6.1(back)", 4, 7, "in.mkv", [], "out.mp4", "flac", 5),
      ("6.1(back)", 6, 7, "in.mov", [], "out.mkv", "pcm_s16le", 4),
    ])
  func lossless(
    _ layout: String, _ channel: Int, _ count: Int, _ name: String, _ words: [String],
    _ file: String, _ codec: String, _ place: Int
  ) throws {
    let input = try input(
      layout, channel, count, name: name, codec: name == "in.mov" ? "pcm_s16le" : "flac")
    let output = folder.file(file)
    let result = try KfrecProcess.run(["-i", input, "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.stream(output, "codec_name", of: "a:0") == ["codec_name": codec], "\(result)")
    let power = try power(output, channels: count)
    #expect(power.indices.allSatisfy { ($0 == place) == (power[$0] > 0.02) }, "\(power)")
  }

  /// FFmpeg's layouts and their speakers.
  private static let layouts: [String: [String]] = {
    let text = try? ChildProcess("ffmpeg", ["-hide_banner", "-layouts"]).wait().output
    var layouts: [String: [String]] = [:]
    for line in String(decoding: text ?? [], as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2 else { continue }
      layouts[String(words[0])] = words[1].split(separator: "+").map(String.init)
    }
    return layouts
  }()

  /// A speaker's name, with the one at the back for one at the side.
  private static func atBack(_ speaker: String) -> String {
    ["SL": "BL", "SR": "BR"][speaker] ?? speaker
  }

  /// The amplitude of a tone in the middle of some samples.
  private static func amplitude(_ samples: ArraySlice<Float>, frequency: Double) -> Double {
    let count = Double(samples.count)
    let (real, imaginary) = samples.enumerated().reduce(into: (0.0, 0.0)) { sum, sample in
      let place = Double(sample.offset) / count
      let window = 1 - cos(2 * Double.pi * place)
      let angle = 2 * Double.pi * frequency * Double(sample.offset) / 48_000
      sum.0 += Double(sample.element) * window * cos(angle)
      sum.1 += Double(sample.element) * window * sin(angle)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / count
  }

  @Test(
    "every layout into every codec is right, or told, and never permuted",
    arguments: [
      "2.1", "3.0(back)", "4.0", "quad(side)", "3.1", "5.0", "5.1(side)", "6.0", "6.1", "6.1(back)",
      "7.0", "7.1", "7.1(wide)", "3.0", "4.1", "quad", "6.0(front)", "hexagonal", "6.1(front)",
      "7.0(front)", "octagonal",
    ])
  func layouts(_ layout: String) throws {
    let speakers = try #require(Self.layouts[layout])
    let tones = speakers.enumerated().map { $1 == "LFE" ? 60.0 : 300 + 170 * Double($0) }
    try make(
      "in.wav", in: folder,
      [
        "-f", "lavfi", "-i",
        "aevalsrc=\(tones.map { "0.9*sin(2*PI*\($0)*t)" }.joined(separator: "|")):s=48000:d=0.5:c=\(layout)",
        "-c:a", "pcm_f32le",
      ])
    let codecs = [
      ("vorbis", "out.mkv"), ("flac", "out.mp4"), ("pcm", "out.mkv"), ("aac", "out.mkv"),
      ("opus", "out.mkv"), ("mp3", "out.mkv"), ("ac3", "out.mkv"), ("flac", "out.mkv"),
      ("alac", "out.mov"),
    ]
    // Where the container counts channels alone, or the codec has a list of its own, each layout is another case.
    let isRare =
      ["3.0", "4.1", "quad", "hexagonal", "octagonal"].contains(layout)
      || layout.hasSuffix("(front)")
    for (codec, name) in codecs.prefix(isRare ? 3 : codecs.count) {
      let result = try KfrecProcess.run(
        [
          "-y", "-i", "testsrc", "--size", "64x48", "-t", "0.5", "--audio-in", "in.wav",
          "--audio-codec", codec, "-o", name,
        ], in: folder)
      #expect(result.exitCode == 0, "\(result)")
      let stored = try Probe.stream(folder.file(name), "channels,channel_layout", of: "a:0")
      // Where none is stored, FFmpeg decodes with its own default.
      let defaults = ["mono", "stereo", "2.1", "4.0", "5.0", "5.1", "6.1", "7.1"]
      let count = try #require(stored["channels"].flatMap { Int($0) })
      let found = stored["channel_layout"].flatMap { Self.layouts[$0] == nil ? nil : $0 }
      // FFmpeg 7.1 decodes AAC of such a layout, which 5.1 reads from the same file, as channels without speakers.
      let isUnknown =
        codec == "aac" && layout == "quad(side)" && stored["channel_layout"] == "unknown"
      let read = found ?? (isUnknown ? layout : defaults[count - 1])
      let places = try #require(read == "mono" ? ["FC"] : Self.layouts[read])
      let decoded = try ChildProcess(
        "ffmpeg", ["-v", "error", "-i", folder.file(name), "-map", "0:a", "-f", "f32le", "-"]
      ).wait()
      let samples = decoded.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let isReported = result.errors.contains("does not store \(layout) audio, so it is mixed to")
      for (channel, place) in places.enumerated() {
        let own = stride(from: channel, to: samples.count, by: places.count).map { samples[$0] }
        let middle = own.dropFirst(6_000).prefix(9_600)
        if isReported { #expect(middle.allSatisfy { abs($0) < 1.1 }, "\(codec): \(place)") }
        for (speaker, tone) in zip(speakers, tones) {
          let found = Self.amplitude(middle, frequency: tone)
          let isOwn =
            speaker == place
            || !places.contains(speaker) && !speakers.contains(place)
              && Self.atBack(speaker) == Self.atBack(place)
          if isOwn, speaker != "LFE" {
            #expect(found > (isReported ? 0.2 : 0.75), "\(codec): \(speaker) in \(place): \(found)")
          } else if !isReported {
            #expect(isOwn || found < 0.1, "\(codec): \(speaker) in \(place): \(found)")
          } else if places.contains(speaker), !isOwn {
            #expect(found < 0.1, "\(codec): \(speaker) in \(place): \(found)")
          }
        }
      }
    }
  }

  @Test(
    "sound of more bits than are stored is not said to lose nothing",
    arguments: [
      ("pcm_f32le", "out.mp4", "24 bits of its floating-point numbers of 32 bits"),
      ("pcm_s32le", "out.mp4", "24 bits of its 32 bits"),
      ("pcm_s32le", "out.mkv", "24 bits of its 32 bits"),
    ])
  func depth(_ codec: String, _ file: String, _ sentence: String) throws {
    let input = try input("stereo", 0, 2, codec: codec)
    let result = try KfrecProcess.run(
      ["-i", input, "--volume", "90%", "-o", folder.file(file)])
    #expect(result.exitCode == 0 && result.errors.contains(sentence), "\(result)")
    #expect(!result.errors.contains("loses nothing"), "\(result)")
  }

  @Test(
    "lossless sound stays lossless where the container can",
    arguments: [
      ("flac", "out.mov", "alac", "s16p"), ("flac", "out.mp4", "flac", "s16"),
      ("flac", "out.mkv", "flac", "s16"), ("pcm_s16le", "out.mp4", "flac", "s16"),
      ("pcm_s24le", "out.mp4", "flac", "s32"), ("alac", "out.mkv", "alac", "s16p"),
    ])
  func lossless(_ codec: String, _ file: String, _ stored: String, _ samples: String) throws {
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i",
        "anoisesrc=r=48000:d=0.4:seed=7,aformat=\(codec == "pcm_s24le" ? "s32" : "s16")", "-c:v",
        "libx264", "-preset", "ultrafast", "-c:a", codec,
      ])
    let result = try KfrecProcess.run(["-i", "in.mkv", "-o", file], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let found = try Probe.stream(folder.file(file), "codec_name,sample_fmt", of: "a:0")
    #expect(found == ["codec_name": stored, "sample_fmt": samples], "\(result)")
    #expect(result.errors.contains("which loses nothing") == (codec != stored), "\(result)")
    func decoded(_ name: String) throws -> [UInt8] {
      try ChildProcess(
        "ffmpeg",
        [
          "-v", "error", "-i", folder.file(name), "-map", "0:a", "-f", "s32le", "-c:a", "pcm_s32le",
          "-",
        ]
      ).wait().output
    }
    let (own, kept) = (try decoded("in.mkv"), try decoded(file))
    #expect(own.count > 70_000 && kept.prefix(own.count).elementsEqual(own))
  }
}
