import Frames
import TestSupport
import Testing

@testable import Recorder

@Suite("A constant rate")
struct ConstantRateTests {
  /// Returns the output times (in frames) with the input frame (milliseconds) shown at each.
  private func shown(
    _ times: [Int64], rate: Int64, lasting: Rational? = nil, duration: Rational? = nil,
    showsNearest: Bool = false
  ) -> (frames: [String], duplicated: Int, leftOut: Int) {
    var grid = ConstantRate(Rational(rate), duration: duration, showsNearest: showsNearest)
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
    let ended = grid.finish(note)
    duplicated += ended.duplicated
    leftOut += ended.isLeftOut ? 1 : 0
    return (frames, duplicated, leftOut)
  }

  @Test("frames near their places in the grid are kept")
  func near() {
    let result = shown([0, 98, 204, 299], rate: 10)
    #expect(result.frames == ["0:0", "1:98", "2:204", "3:299"])
    #expect(result.duplicated == 0 && result.leftOut == 0)
  }

  @Test("a hole is filled with the frame before, and frames beyond the rate are left out")
  func holesAndCrowds() {
    let hole = shown([0, 100, 400], rate: 10)
    #expect(hole.frames == ["0:0", "1:100", "2:100", "3:100", "4:400"] && hole.duplicated == 2)
    let crowd = shown([0, 40, 100, 130], rate: 10)
    #expect(crowd.frames == ["0:0", "1:100"] && crowd.leftOut == 2)
  }

  @Test(
    "from any rate to any other the length stays within half a frame, and halving takes every second frame"
  )
  func lengths() {
    for source: Int64 in [1, 5, 10, 12, 24, 25, 30, 48, 50, 60, 90, 120, 240] {
      for rate: Int64 in [1, 10, 15, 24, 25, 30, 50, 60] {
        for count: Int64 in [1, 2, 3, 7, 60, 61] {
          var grid = ConstantRate(Rational(rate))
          var times: [Rational] = []
          for number in 0..<count {
            _ = grid.pass(frame(at: Rational(number, source), lasting: Rational(1, source))) {
              times.append($0.time)
            }
          }
          _ = grid.finish { times.append($0.time) }
          let error = Rational(Int64(times.count), rate) - Rational(count, source)
          #expect(
            max(error, -error) <= Rational(1, 2 * rate) || times.count == 1,
            "\(count) frames from \(source) to \(rate)")
          #expect(times == times.indices.map { Rational(Int64($0), rate) })
        }
      }
    }
    let sixty = (0..<60).map { Int64($0) * 50 }
    let half = shown(sixty, rate: 10, lasting: Rational(1, 20))
    #expect(half.frames == (0..<30).map { "\($0):\($0 * 100)" } && half.leftOut == 30)
    let seconds = shown((0..<150).map { Int64($0) * 40 }, rate: 1, lasting: Rational(1, 25))
    #expect(seconds.frames == (0..<6).map { "\($0):\($0 * 1000)" })
  }

  @Test("each place can show the frame that is nearest to it, of two equally near ones the later")
  func nearest() {
    let crowd = shown([0, 40, 100, 130], rate: 10, showsNearest: true)
    #expect(crowd.frames == ["0:0", "1:100"] && crowd.leftOut == 1)
    let hole = shown([0, 300, 340], rate: 10, lasting: Rational(1, 5), showsNearest: true)
    #expect(hole.frames == ["0:0", "1:0", "2:300", "3:300", "4:340"])
    #expect(hole.duplicated == 2 && hole.leftOut == 0)
    #expect(shown([0, 100, 250], rate: 10, showsNearest: true).frames.last == "3:250")
    #expect(shown([0, 50], rate: 10, showsNearest: true).frames == ["0:0", "1:50"])
  }

  @Test("the last frame is shown for its whole duration")
  func end() {
    #expect(shown([0, 500], rate: 10, lasting: Rational(1, 2)).frames.count == 10)
  }

  @Test("the output is not longer than requested, wherever the frames fall in the grid")
  func limited() {
    let half = Rational(1, 2)
    let late = shown([0, 200, 480], rate: 10, lasting: Rational(1, 5), duration: half)
    #expect(late.frames == ["0:0", "1:0", "2:200", "3:200", "4:200"] && late.leftOut == 1)
    #expect(shown([0], rate: 10, lasting: Rational(2), duration: half).frames.count == 5)
    #expect(shown([0, 470], rate: 3, duration: half).frames == ["0:0", "1:470"])
  }

  /// Makes a frame with a timestamp and a duration.
  private func frame(at time: Rational, lasting: Rational? = nil) -> Frame {
    let format = FrameFormat(width: 1, height: 1, pixelFormat: .gray, color: .sRGB)
    return Frame(
      format: format, pixels: PixelBuffer(planes: []) {}, time: time, duration: lasting)
  }

  @Test("a file's gap of more than ten minutes is cut, and a shorter one is filled")
  func gaps() {
    var grid = ConstantRate(Rational(10), cutsGaps: true)
    var times: [Rational] = []
    for time in [Rational(0), Rational(1, 10), Rational(500), Rational(5500), Rational(55001, 10)] {
      _ = grid.pass(frame(at: time)) { times.append($0.time) }
    }
    // The latest frame waits for the one after it.
    #expect(times.count == 5002 && times.last == Rational(5001, 10))
    #expect(grid.gaps?.count == 1)
    // From the end of the frame at 500 s.
    #expect(grid.gaps?.removed == Rational(49999, 10))
    // Audio on both sides of the gap moves with its frames.
    #expect(grid.time(ofAudio: Rational(5500), lasting: Rational(1, 50)) == Rational(5001, 10))
    #expect(grid.time(ofAudio: Rational(500), lasting: Rational(1, 50)) == Rational(500))
    // A duration of many years in a frame is not believed.
    _ = grid.pass(frame(at: Rational(5501), lasting: Rational(1_000_000_000))) { _ in }
    var count = 0
    let ended = grid.finish { _ in count += 1 }
    #expect(count == ended.duplicated + 1 && count < 12 && grid.gaps?.count == 2)
  }

  @Test("a subtitle moves with the frames of its time, waits for them, and cuts no gap")
  func subtitles() {
    var grid = ConstantRate(Rational(10), cutsGaps: true)
    #expect(grid.time(ofSubtitle: .zero, isOver: false) == .zero)
    _ = grid.pass(frame(at: .zero)) { _ in }
    for time in [Rational(500), Rational(5500), Rational(5501)] {
      #expect(grid.time(ofSubtitle: time, isOver: false) == nil)
    }
    _ = grid.pass(frame(at: Rational(5500))) { _ in }
    // The first frame ends at 0.1 s.
    #expect(grid.time(ofSubtitle: Rational(5500), isOver: false) == Rational(1, 10))
    #expect(grid.time(ofSubtitle: Rational(500), isOver: false) == Rational(1, 10))
    #expect(grid.time(ofSubtitle: Rational(5501), isOver: false) == nil)
    #expect(grid.time(ofSubtitle: Rational(5501), isOver: true) == Rational(11, 10))
    #expect(grid.gaps?.count == 1)
  }

  @Test("a gap is filled where audio continues, and in a live source")
  func noGaps() {
    var heard = ConstantRate(Rational(1), cutsGaps: true)
    var count = 0
    _ = heard.pass(frame(at: .zero)) { _ in count += 1 }
    for second in 0..<2000 { _ = heard.time(ofAudio: Rational(Int64(second)), lasting: .one) }
    _ = heard.pass(frame(at: Rational(2000))) { _ in count += 1 }
    _ = heard.finish { _ in count += 1 }
    #expect(count == 2001 && heard.gaps?.count == 0)
    var live = ConstantRate(Rational(1), isLive: true)
    count = 0
    _ = live.pass(frame(at: .zero)) { _ in count += 1 }
    _ = live.pass(frame(at: Rational(5000))) { _ in count += 1 }
    #expect(count == 5001)
  }

  @Test("a stop ends the repetition of a frame")
  func stopped() {
    var grid = ConstantRate(Rational(10), isLive: true)
    var count = 0
    _ = grid.pass(frame(at: .zero)) { _ in count += 1 }
    let far = grid.pass(frame(at: Rational(1_000_000)), unless: { count >= 100 }) { _ in
      count += 1
    }
    #expect(count == 100 && far.isLeftOut && far.duplicated == 99)
    #expect(grid.pass(frame(at: Rational(1_000_001))) { _ in count += 1 }.isLeftOut)
    #expect(grid.finish { _ in count += 1 }.duplicated == 0 && count == 100)
  }

  @Test("a file with a far timestamp ends with a warning, and its audio stays in sync")
  func farTime() throws {
    let folder = try TemporaryFolder()
    let far = "setpts='PTS+gt(N,4)*5000/TB'"
    let input = try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=r=8000:d=1",
        "-vf", far, "-af", "asetpts='PTS+gt(T,0.5)*5000/TB'", "-fps_mode", "passthrough", "-c:v",
        "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le",
      ])
    let output = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", input, "--fps-mode", "cfr", "-o", output])
    #expect(result.exitCode == 0 && result.errors.contains("a gap of more than ten"), "\(result)")
    let times = try Timeline(output).times
    #expect(times.count == 10 && times.last == Rational(9, 10), "\(times)")
    let audio = try Timeline(output, of: "a:0").entries
    #expect(audio.allSatisfy { $0.time < Rational(2) })
    let whole = try KfrecProcess.run(["-y", "-i", input, "-o", output])
    #expect(whole.exitCode == 0 && !whole.errors.contains("gap"), "\(whole)")
    #expect(try Timeline(output).times.last ?? .zero > Rational(5000))
  }

  @Test("a file's output is exact, with counts that add up", arguments: [(12, 24), (50, 100)])
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
      count < 50 ? "50 frames in, 24 out, 26 dropped, 0 dup" : "100 out, 0 dropped, 50 dup"
    #expect(result.errors.contains(counts), "\(result)")
    let limited = try KfrecProcess.run(
      ["-y", "-i", input, "--fps", "\(rate)", "--frames", "7", "-o", folder.file("out.mov")])
    #expect(limited.exitCode == 0 && limited.errors.contains(" 7 out"), "\(limited)")
    #expect(try Timeline(folder.file("out.mov")).times.count == 7)
  }
}
