import Encode
import Frames
import TestSupport
import Testing

@testable import Recorder

/// What `--verify` finds in a file.
@Suite struct OutputCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Four seconds at 25 frames per second.
  private func makeFile() throws -> String {
    let path = folder.file("out.mov")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-c:v", "mpeg4",
        "-video_track_timescale", "12800", path,
      ])
    return path
  }

  private func report(_ path: String, frames: Int = 100, late: Rational = .zero) -> SinkReport {
    var report = SinkReport(
      output: path, frames: frames, bytes: nil, duration: Rational(Int64(frames), 25))
    var times = TimesDigest(timeBase: Rational(1, 12800))
    for frame in 0..<frames {
      times.add(Rational(Int64(frame), 25) + (frame == 50 ? late : .zero))
    }
    report.times = times
    return report
  }

  private func fault(_ report: SinkReport, _ verification: Verification) -> String? {
    do {
      try OutputCheck(path: report.output, report: report, verification: verification).run()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("a file with the frames and times that were encoded passes")
  func same() throws {
    let path = try makeFile()
    #expect(fault(report(path), .full) == nil)
    #expect(fault(report(path), .fast) == nil)
  }

  @Test("other numbers of frames, other times and damage are found")
  func differs() throws {
    let path = try makeFile()
    #expect(fault(report(path, frames: 99), .full)?.contains("100 frames, and 99") == true)
    #expect(
      fault(report(path, late: Rational(1, 12800)), .full)?.contains("at other times") == true)
    #expect(fault(report(path, frames: 300), .fast) != nil)
    var bytes = try readFile(path)
    for place in bytes.count / 3..<bytes.count / 3 + 3000 { bytes[place] = 0x55 }
    try folder.write(bytes, to: "out.mov")
    #expect(fault(report(path), .full)?.contains("not what was encoded") == true)
  }
}
