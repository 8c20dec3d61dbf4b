import FoundationEssentials
import TestSupport
import Testing

/// Files whose time has a gap of minutes or hours: audio that is decoded takes no memory for it, and loses no frame.
@Suite struct LongGapTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file of twice two seconds, the second time so many seconds after the first.
  private func input(gap seconds: Int) throws -> String {
    try make(
      "part.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "sine=r=8000:d=2",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac",
      ])
    let list = "file part.mkv\nduration \(seconds)\nfile part.mkv\n"
    try list.write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
    return try make(
      "gap.mkv", in: folder, ["-f", "concat", "-i", folder.file("list.txt"), "-c", "copy"])
  }

  /// Seconds of the last packet of a stream.
  private func last(_ path: String, _ stream: String) throws -> Double {
    try Probe.rows(path, "packet=pts_time", of: stream).compactMap {
      $0["pts_time"].flatMap(Double.init)
    }.max() ?? 0
  }

  @Test("two hours of silence are encoded, block by block")
  func hours() throws {
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run([
      "-i", try input(gap: 7200), "--volume", "50%", "--audio-codec", "flac", "-o", output,
      "--stats", "--progress", "json",
    ])
    #expect(result.exitCode == 0 && result.text.contains("\"framesOut\":100,"), "\(result)")
    // Half of the samples of the gap would need 115 MB.
    let peak = try #require(result.peakMemory)
    #expect(peak < 200 << 20, "\(peak >> 20) MiB")
    #expect(try abs(last(output, "v:0") - 7201.96) < 0.01)
    #expect(try abs(last(output, "a:0") - 7201.9) < 0.6)
  }

  @Test(
    "a constant rate cuts the gap, however the audio comes",
    arguments: [
      [], ["--volume", "50%"], ["--audio-in", "song.wav~loop"],
      ["--audio-in", "song.wav~loop~mix"],
      ["--loop", "2"],
    ])
  func cut(_ words: [String]) throws {
    try make("song.wav", in: folder, ["-f", "lavfi", "-i", "sine=880:r=8000:d=3"])
    let words = words.map { $0.hasPrefix("song") ? folder.file($0) : $0 }
    let end = words.first == "--loop" ? 7.96 : 3.96
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      ["-i", try input(gap: 1000), "--fps-mode", "cfr", "-o", output] + words)
    #expect(result.exitCode == 0 && result.errors.contains("were cut"), "\(result)")
    // Of sound that is read again the silence of a few packets may stay.
    #expect(try abs(last(output, "v:0") - end) < 0.7)
    #expect(try abs(last(output, "a:0") - end) < 0.7)
  }
}
