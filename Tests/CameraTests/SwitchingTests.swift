import TestSupport
import Testing

@Suite(
  "A window's key for the next camera, pressed in a terminal",
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct SwitchingTests {
  @Test("a recording goes on with the next camera, in the same size and with later times")
  func switching() throws {
    #expect(try Machine.text("switching.status") == "0\n")
    let end = try Machine.text("switching.end")
    #expect(end.contains("camera /dev/video4"), "\(end)")
    let movie = try Machine.folder().file("switching.mov")
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "frame=width,height,pts_time", "-of", "csv=p=0", movie,
      ])
    let frames = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    #expect(frames.count > 5)
    #expect(frames.allSatisfy { $0.contains("320") && $0.contains("180") }, "\(text)")
    let times = frames.compactMap { $0.first { $0.contains(".") }.flatMap(Double.init) }
    #expect(times.count == frames.count, "\(text)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
    #expect(end.contains("saved kfrec-0001.mov: \(frames.count) frames"), "\(end)")
  }
}
