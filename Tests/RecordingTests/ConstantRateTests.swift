import Frames
import TestSupport
import Testing

@testable import Recorder

@Suite("A constant rate")
struct ConstantRateTests {
  /// At which output times (in frames) which of the given frames (milliseconds) are shown.
  private func shown(
    _ times: [Int64], rate: Int64, lasting: Rational? = nil, duration: Rational? = nil
  ) -> (frames: [String], duplicated: Int, leftOut: Int) {
    var grid = ConstantRate(Rational(rate), duration: duration)
    var frames: [String] = []
    var (duplicated, leftOut) = (0, 0)
    func note(_ frame: Frame) {
      frames.append("\(frame.time * Rational(rate)):\(frame.format.width - 1)")
    }
    for time in times {
      let format = FrameFormat(width: Int(time) + 1, height: 1, pixelFormat: .gray, color: .sRGB)
      let frame = Frame(
        format: format, pixels: PixelBuffer(planes: []) {}, time: Rational(time, 1000),
        duration: lasting)
      let passed = grid.pass(frame, to: note)
      duplicated += passed.duplicated
      leftOut += passed.isLeftOut ? 1 : 0
    }
    duplicated += grid.finish(note)
    return (frames, duplicated, leftOut)
  }

  @Test("keeps frames that are near their places")
  func near() {
    let result = shown([0, 98, 204, 299], rate: 10)
    #expect(result.frames == ["0:0", "1:98", "2:204", "3:299"])
    #expect(result.duplicated == 0 && result.leftOut == 0)
  }

  @Test("repeats the frame before where there is a hole, and leaves out what is too much")
  func holesAndCrowds() {
    let hole = shown([0, 100, 400], rate: 10)
    #expect(hole.frames == ["0:0", "1:100", "2:100", "3:100", "4:400"] && hole.duplicated == 2)
    let crowd = shown([0, 40, 100, 130], rate: 10)
    #expect(crowd.frames == ["0:0", "1:100"] && crowd.leftOut == 2)
  }

  @Test("shows the last frame for as long as it lasts")
  func end() {
    #expect(shown([0, 500], rate: 10, lasting: Rational(1, 2)).frames.count == 10)
  }

  @Test("is not longer than is wanted, however frames fall on its places")
  func limited() {
    let half = Rational(1, 2)
    let late = shown([0, 200, 480], rate: 10, lasting: Rational(1, 5), duration: half)
    #expect(late.frames == ["0:0", "1:0", "2:200", "3:200", "4:200"] && late.leftOut == 1)
    #expect(shown([0], rate: 10, lasting: Rational(2), duration: half).frames.count == 5)
    #expect(shown([0, 470], rate: 3, duration: half).frames == ["0:0", "1:470"])
  }

  @Test("of a file is exact, with counts that add up", arguments: [(12, 25), (50, 100)])
  func file(_ rate: Int64, _ count: Int) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.mkv", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264", "-qp", "0"])
    let result = try KfrecProcess.run(
      ["-i", input, "--fps", "\(rate)", "-o", folder.file("out.mov")])
    #expect(result.exitCode == 0, "\(result)")
    let times = try Timeline(folder.file("out.mov")).times
    #expect(times == (0..<Int64(count)).map { Rational($0, rate) })
    let counts =
      count < 50 ? "50 frames in, 25 out, 25 dropped, 0 dup" : "100 out, 0 dropped, 50 dup"
    #expect(result.errors.contains(counts), "\(result)")
    let limited = try KfrecProcess.run(
      ["-y", "-i", input, "--fps", "\(rate)", "--frames", "7", "-o", folder.file("out.mov")])
    #expect(limited.exitCode == 0 && limited.errors.contains(" 7 out"), "\(limited)")
    #expect(try Timeline(folder.file("out.mov")).times.count == 7)
  }
}
