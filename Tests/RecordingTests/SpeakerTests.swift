import TestSupport
import Testing

/// The speakers of audio: what is heard from one speaker of the input is heard from the same one of the output.
@Suite struct SpeakerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with a tone in one of its speakers.
  private func input(_ layout: String, _ channel: Int, _ count: Int) throws -> String {
    let channels = (0..<count).map { $0 == channel ? "0.3*sin(2*PI*440*t)" : "0" }
    return try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.5", "-f", "lavfi", "-i",
        "aevalsrc=\(channels.joined(separator: "|")):s=48000:d=0.5:c=\(layout)", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:a", "flac",
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
}
