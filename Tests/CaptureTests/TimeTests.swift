import Frames
import TestSupport
import Testing

@testable import Capture

@Suite("Frame timestamps")
struct TimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A filter that keeps two of every three test frames, at varying intervals.
  private let variable = "settb=1/90000,select='mod(n,3)',setpts=N/30/TB+mod(N\\,2)*0.011/TB"

  @Test(
    "timestamps are those of ffprobe, one by one",
    arguments: [
      (name: "constant.mp4", rate: "25", words: ["-c:v", "libx264"]),
      ("ntsc.mp4", "30000/1001", ["-c:v", "libx264", "-bf", "3"]),
      ("film.mov", "24000/1001", ["-c:v", "mpeg4", "-bf", "2"]),
      ("ntsc.mkv", "30000/1001", ["-c:v", "libx264"]),
      ("ntsc.ts", "30000/1001", ["-c:v", "libx264", "-bf", "2"]),
      ("ntsc.avi", "30000/1001", ["-c:v", "mpeg4"]),
      ("ntsc.webm", "30000/1001", ["-c:v", "libvpx", "-deadline", "realtime"]),
      ("delayed.gif", "12.5", []),
      ("variable.mkv", "30", ["-c:v", "libx264", "-fps_mode", "vfr"]),
      (
        "variable.mp4", "30",
        ["-c:v", "libx264", "-fps_mode", "vfr", "-enc_time_base", "1/90000"]
      ),
      (
        "variable.mov", "30",
        ["-c:v", "libx264", "-fps_mode", "passthrough", "-enc_time_base", "1/90000"]
      ),
    ])
  func probed(_ file: (name: String, rate: String, words: [String])) throws {
    let path = folder.file(file.name)
    let filter = file.name.hasPrefix("variable") ? ["-vf", variable] : []
    try ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=s=64x48:r=\(file.rate)", "-frames:v", "30"] + filter
        + file.words + [path])
    let ticks = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp",
        "-of",
        "csv=p=0", path,
      ]
    ).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int64($0) }
    let read = try ReadSource(path)
    #expect(ticks.count >= 18)
    #expect(read.times == ticks.map { Rational($0) * read.description.timeBase })
    #expect(read.report.predictedTimes == 0)
    #expect(read.report.damaged == 0)
    if file.name.hasPrefix("variable") {
      #expect(Set(zip(read.times, read.times.dropFirst()).map { $1 - $0 }).count > 1)
    }
  }

  @Test("the nominal frame rate is kept")
  func nominalRate() throws {
    let path = folder.file("a.mp4")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=64x48:r=30000/1001", "-frames:v", "20", "-c:v", "libx264",
      path)
    #expect(try ReadSource(path).description.frameRate == Rational(30000, 1001))
  }

  @Test(
    "a timestamp that is missing, repeated or goes backward is predicted from the one before, and counted",
    arguments: [
      (
        stamps: [0, 10, 20] as [Int64?], durations: [10, 10, 10] as [Int64?],
        times: [0, 10, 20] as [Int64], predicted: 0
      ),
      ([0, nil, 20], [10, 10, 10], [0, 10, 20], 1),
      ([0, nil, nil], [nil, nil, nil], [0, 7, 14], 2),
      ([5, 5, 6], [3, 3, 3], [5, 6, 7], 2),
      ([0, 10, 10, 20, 30], [10, 10, 10, 10, 10], [0, 10, 15, 20, 30], 1),
      ([0, 10, 10, 10, 20], [10, 10, 10, 10, 10], [0, 10, 15, 17, 20], 2),
      ([20, 0, 10, 20, 30], [10, 10, 10, 10, 10], [20, 30, 40, 50, 60], 4),
      ([0, nil, 10, 10, 20], [10, 10, 10, 10, 10], [0, 10, 20, 30, 40], 4),
      ([100, 50, 120], [10, 10, 10], [100, 110, 120], 1),
      ([nil, 4], [4, 4], [0, 4], 1),
      ([-20, -10, nil], [10, 0, 0], [-20, -10, -3], 1),
      ([0, 1000, 1001], [10, 1, 1], [0, 1000, 1001], 0),
    ])
  func repaired(
    _ row: (stamps: [Int64?], durations: [Int64?], times: [Int64], predicted: Int)
  ) {
    var repair = TimestampRepair(nominalDuration: 7)
    let times = zip(row.stamps, row.durations).map { repair.repair(time: $0, duration: $1) }
    #expect(times == row.times)
    #expect(repair.predicted == row.predicted)
  }

  @Test("raw H.264 has no timestamps; they are predicted and rise evenly")
  func rawStream() throws {
    let path = folder.file("a.h264")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=64x48:r=25", "-frames:v", "20", "-c:v", "libx264", "-bf", "2",
      path)
    let read = try ReadSource(path)
    #expect(read.frames.count == 20)
    let steps = Set(zip(read.times, read.times.dropFirst()).map { $1 - $0 })
    #expect(steps.allSatisfy { $0 > .zero })
    #expect(steps == [Rational(1, 25)])
  }
}
