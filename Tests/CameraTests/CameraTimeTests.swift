import Frames
import TestSupport
import Testing

@Suite(
  "The timestamps of cameras, with the kernel's test driver", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct CameraTimeTests {
  @Test("timestamps are the driver's to 1/90000 of a second, as strace shows them")
  func stamps() throws {
    let scene = try Scene("stamps")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectTimesOfDriver()
    #expect(try scene.times().count >= 30)
  }

  @Test("the video file's creation time is the moment at which the timestamps start")
  func moment() throws {
    let scene = try Scene("stamps")
    let path = try scene.path(".mov")
    let tag = try runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags=creation_time", "-of", "csv=p=0", path])
    let date = try runTool("date", ["-d", tag.filter { !$0.isWhitespace }, "+%s"])
    let reported = try #require(Int(date.filter(\.isNumber)), "\(date)")
    let after = try Machine.text("stamps.date")
    let written = try #require(Int(after.filter(\.isNumber)), "\(after)")
    // The recording lasts some seconds.
    #expect(reported <= written + 2 && reported > written - 120, "\(tag), written at \(written)")
  }

  @Test("timestamps continue where the driver's frame counter wraps around")
  func wrappedCount() throws {
    let scene = try Scene("wrapped")
    #expect(scene.status == 0, "\(scene)")
    // The counter includes frames that the machine lost; a wrong difference would be billions.
    let lost = try #require(scene.end.lostByDriver)
    #expect(lost < 100)
  }

  @Test("with absurd timestamps of the driver the arrival times are used, with a warning")
  func absurd() throws {
    let scene = try Scene("absurd")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("no usable timestamps"), "\(scene)")
    let times = try scene.times()
    #expect(times.first == .zero && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // 30 frames at 30 per second; the machine may be slow.
    #expect(try #require(times.last) < Rational(30))
  }

  @Test("the frames that the driver lost are counted by its frame counter")
  func drops() throws {
    let scene = try Scene("drops")
    #expect(scene.status == 0, "\(scene)")
    let end = try scene.end
    let lost = try #require(end.lostByDriver)
    #expect(lost > 10)
    #expect(scene.said.contains("lost \(lost) frames by the count of its driver"))
    // At 30 frames per second the recorded and the lost frames together fill the time.
    let times = try scene.times()
    let last = try #require(times.last)
    let slots = (last * Rational(30) + Rational(1, 2)).floor + 1
    let counted = try #require(end.framesIn) + lost
    // A busy machine delays some frames of the driver.
    #expect(abs(Int(slots) - counted) <= 5, "\(slots) frame times, \(counted) frames")
  }

  @Test("a pause of the recording leaves no gap in the timestamps")
  func pause() throws {
    let scene = try Scene("pause")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("paused; send SIGUSR2 again to resume"), "\(scene)")
    #expect(try scene.end.framesOut == 150)
    let times = try scene.times()
    // The pause was 2 seconds long.
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < Rational(1) })
  }
}
