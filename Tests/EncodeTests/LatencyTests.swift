import Frames
import Testing

@testable import Encode

@Suite("Latency")
struct LatencyTests {
  @Test("latency is measured from each frame's capture to its own packet, in any packet order")
  func reordered() throws {
    var meter = LatencyMeter()
    #expect(meter.latency == nil)
    for tick in Int64(0)..<4 { meter.enter(tick * 10, captured: moment(tick)) }
    #expect(meter.latency == nil)
    meter.leave(0, at: moment(1))
    meter.leave(30, at: moment(5))
    meter.leave(10, at: moment(6))
    #expect(meter.latency == Latency(mean: (1 + 2 + 5) / 3.0, longest: 5))
    // A packet before its frame's capture has latency 0; a frame that never entered or has no capture
    // time does not count.
    meter.leave(20, at: moment(1))
    meter.leave(20, at: moment(100))
    meter.enter(50, captured: nil)
    meter.leave(50, at: moment(100))
    #expect(meter.latency == Latency(mean: 2, longest: 5))
  }

  @Test("every kind of output reports latency, for all frames with a capture time")
  func outputs() throws {
    let folder = TestFolder()
    for name in ["out.mov", "out.mkv", "out.png", "out-%d.png", "null"] {
      let word = name == "null" ? name : folder.file(name)
      #expect(try report(word, captured: .now + Rational(-7)).latency != nil)
      let untimed = try report(word, captured: nil)
      #expect(untimed.frames > 0 && untimed.latency == nil)
    }
  }

  @Test("latency counts from the capture and not from the arrival at the encoder")
  func age() throws {
    let latency = try #require(try report("null", captured: .now + Rational(-1000)).latency)
    #expect(latency.mean >= 1000 && latency.longest >= latency.mean)
  }

  private func report(_ word: String, captured: MonotonicTime?) throws -> SinkReport {
    let output = try Output(word)
    let format = output.frameFormat(width: 32, height: 32, color: .hd)
    var request = SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 1000))
    request.replacesExisting = true
    let sink = try output.open(request)
    let frames = TestFrames(format)
    for index in 0..<(output.frameLimit ?? 30) {
      var frame = try frames.frame(index, at: Rational(Int64(index), 25))
      frame.captured = captured
      try sink.write(frame)
    }
    return try sink.finish()
  }

  private func moment(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 * (seconds + 50))
  }
}
