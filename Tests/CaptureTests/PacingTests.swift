import Frames
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// The clock of these tests advances only in sleeps, so that no result depends on the machine's speed.
@Suite("A paced source")
struct PacingTests {
  @Test("each frame is delivered at its time from the first frame, which comes at once")
  func pace() throws {
    let clock = TestClock()
    let source = try paced(times: [5, 5.5, 5.75, 9], by: clock)
    #expect(source.description.isLive && !source.description.firstFrameIsStale)
    var frames: [Frame] = []
    var moments: [Double] = []
    while let frame = try frame(source) {
      frames.append(frame)
      moments.append(clock.seconds)
      // The preparation of the first frame takes longer than all other frames last.
      if frames.count == 1 { clock.pass(100) }
    }
    #expect(moments == [0, 100.5, 100.75, 104])
    #expect(frames.map(\.time.doubleValue) == [5, 5.5, 5.75, 9])
    #expect(frames[0].captured == nil)
    #expect(frames.dropFirst().map { $0.captured.map(clock.seconds) } == [100.5, 100.75, 104])
    #expect(source.report.lateness == 0)
  }

  @Test("a slow source delivers late, drops nothing, catches up, and reports the largest delay")
  func slow() throws {
    let clock = TestClock()
    // The third frame takes 3 seconds to read, the others none.
    let source = try paced(times: [0, 1, 2, 3, 4, 5, 6], by: clock) { index in
      if index == 2 { clock.pass(3) }
    }
    var moments: [Double] = []
    var captured: [Double?] = []
    while let frame = try frame(source) {
      moments.append(clock.seconds)
      captured.append(frame.captured.map(clock.seconds))
    }
    #expect(moments == [0, 1, 4, 4, 4, 5, 6])
    // Latency is measured from the times at which the frames were due.
    #expect(captured == [nil, 1, 2, 3, 4, 5, 6])
    #expect(source.report.lateness == 2)
  }

  @Test("a speed that changes counts from the frame before, and stays within its limits")
  func speed() throws {
    let clock = TestClock()
    let pace = PaceControl()
    let source = PacedSource(
      TimedSource(times: [0, 1, 2, 3, 4, 5]) { _ in }, interruption: Interruption(), pace: pace,
      clock: clock.pacing)
    var moments: [Double] = []
    var times: [Double] = []
    while let frame = try frame(source) {
      moments.append(clock.seconds)
      times.append(frame.time.doubleValue)
      if frame.time == Rational(1) { #expect(pace.change(by: 1) == Rational(2)) }
      if frame.time == Rational(3) { #expect(pace.change(by: -3) == Rational(1, 4)) }
    }
    #expect(moments == [0, 1, 1.5, 2, 6, 10])
    #expect(times == [0, 1, 2, 3, 4, 5])
    #expect(pace.change(by: -9) == Rational(1, 4) && pace.change(by: 9) == Rational(4))
  }

  @Test("a source that must keep every frame is not live, and its clock waits with it")
  func waiting() throws {
    let clock = TestClock()
    let source = PacedSource(
      TimedSource(times: [0, 1, 2, 3, 4]) { index in if index == 2 { clock.pass(3) } },
      interruption: Interruption(), isLive: false, clock: clock.pacing)
    #expect(!source.description.isLive)
    var moments: [Double] = []
    while let frame = try frame(source) {
      moments.append(clock.seconds)
      // The stage after the source takes time too.
      if frame.time == Rational(3) { clock.pass(5) }
    }
    #expect(moments == [0, 1, 4, 5, 10])
    #expect(source.report.lateness == 0)
  }

  @Test("no frame is read ahead of the one that is due")
  func readsNoFurther() throws {
    let clock = TestClock()
    let log = Mutex<[Int]>([])
    let source = try paced(times: [0, 1, 2, 3], by: clock) { index in
      log.withLock { $0.append(index) }
    }
    for expected in 0..<4 {
      _ = try frame(source)
      #expect(log.withLock { $0 } == Array(0...expected))
    }
  }

  @Test("audio passes in its stored order without a wait, and none is lost")
  func audio() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("in.mkv")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=3", "-f", "lavfi", "-i", "sine=d=3", "-c:v",
      "mpeg4", "-c:a", "aac", path)
    let plain = try ReadSource(path)
    let clock = TestClock()
    let request = SourceRequest(input: path)
    let source = PacedSource(
      try openSource(request), interruption: request.interruption, clock: clock.pacing)
    var (order, packets, last) = ("", 0, 0.0)
    while let sample = try source.next() {
      switch sample {
      case .frame: (order, last) = (order + "F", clock.seconds)
      case .subtitle, .audioForEffects: order += "H"
      case .codedAudio, .audio:
        order += "S"
        packets += 1
        #expect(clock.seconds == last)
      }
    }
    #expect(order == plain.order && packets == plain.audio.count && packets > 100)
    #expect(source.description.codedAudio.count == 1)
    #expect(abs(last - 2.9) < 0.001)
  }

  @Test("a wait of any length is interrupted")
  func interrupted() throws {
    let request = SourceRequest(input: "times")
    let source = PacedSource(
      TimedSource(times: [0, 1_000_000], onRead: { _ in }), interruption: request.interruption)
    #expect(try source.next() != nil)
    let ended = Mutex(false)
    let handover = Handover(source)
    let reader = try WorkerThread(name: "reader") {
      let sample = handover.use { try? $0.next() } ?? nil
      ended.withLock { $0 = sample == nil }
    }
    request.interruption.interrupt()
    reader.join()
    #expect(ended.withLock { $0 })
    #expect(try handover.take()?.next() == nil)
  }

  @Test("openSource gives a paced source on request")
  func opened() throws {
    var request = SourceRequest(input: "testsrc")
    request.size = (16, 16)
    request.frameRate = Rational(1000)
    request.frames = 5
    #expect(try !openSource(request).description.isLive)
    request.isPaced = true
    let source = try openSource(request)
    #expect(source.description.isLive && source.description.frameCount == 5)
    var last = MonotonicTime.now
    var count = 0
    while let frame = try frame(source) {
      count += 1
      if let captured = frame.captured {
        #expect(captured <= .now && captured > last)
        last = captured
      }
    }
    #expect(count == 5)
  }

  private func paced(
    times: [Double], by clock: TestClock, onRead: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> PacedSource {
    PacedSource(
      TimedSource(times: times, onRead: onRead), interruption: Interruption(), clock: clock.pacing)
  }

  private func frame(_ source: any MediaSource) throws -> Frame? {
    guard case .frame(let frame)? = try source.next() else { return nil }
    return frame
  }
}

/// A source of frames with given timestamps; `onRead` receives the index of each frame as it is read.
private final class TimedSource: MediaSource {
  let description = SourceDescription(
    name: "times", frameRate: Rational(1), timeBase: Rational(1, 4))
  let report = SourceReport()
  private let times: [Double]
  private let onRead: @Sendable (Int) -> Void
  private var index = 0

  init(times: [Double], onRead: @escaping @Sendable (Int) -> Void) {
    self.times = times
    self.onRead = onRead
  }

  func next() -> MediaSample? {
    guard index < times.count else { return nil }
    onRead(index)
    index += 1
    return .frame(
      Frame(
        format: FrameFormat(width: 1, height: 1, pixelFormat: .gray, color: .sRGB),
        pixels: PixelBuffer(planes: [], release: {}),
        time: Rational(seconds: times[index - 1])))
  }
}

/// A clock that advances only when a caller sleeps.
private final class TestClock: Sendable {
  private let moment = Mutex(MonotonicTime(nanoseconds: 7_000_000_000))
  private let start = MonotonicTime(nanoseconds: 7_000_000_000)

  var pacing: PacingClock {
    PacingClock(
      now: { self.moment.withLock { $0 } },
      sleep: { until in self.moment.withLock { $0 = max($0, until) } })
  }

  /// The seconds since the clock was made.
  var seconds: Double { moment.withLock { $0 }.seconds(since: start) }

  func seconds(_ moment: MonotonicTime) -> Double { moment.seconds(since: start) }

  func pass(_ seconds: Int64) { moment.withLock { $0 = $0 + Rational(seconds) } }
}
