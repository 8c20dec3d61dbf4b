import Frames
import Synchronization
import Testing

@testable import Encode
@testable import Window

@Suite struct WindowPartTests {
  private final class Parameters: WindowParameters {
    let moves = Mutex<[String]>([])
    let count: Int

    init(_ count: Int) { self.count = count }

    var rows: [WindowParameter] {
      (0..<count).map { WindowParameter(name: "p\($0)", value: "\($0 * 10)", range: "0 to 9") }
    }

    func move(_ row: Int, by steps: Int) { moves.withLock { $0.append("\(row) by \(steps)") } }
    func learn(_ row: Int) -> String { "row \(row)" }
    func reset(_ row: Int) { moves.withLock { $0.append("\(row) back") } }
  }

  @Test("the list of parameters is hidden until a row is chosen, and its ends meet")
  func list() {
    let parameters = Parameters(3)
    var list = ParameterList(parameters)
    #expect(list.lines == [])
    list.move(by: 1)
    #expect(parameters.moves.withLock { $0 } == [])
    list.choose(1)
    #expect(list.lines == ["> p0  0   0 to 9", "  p1  10  0 to 9", "  p2  20  0 to 9"])
    list.choose(-1)
    list.move(by: -10)
    list.choose(1)
    list.reset()
    #expect(parameters.moves.withLock { $0 } == ["2 by -10", "0 back"])
    list.toggle()
    #expect(list.lines == [])
  }

  @Test(
    "of many parameters those around the chosen one are shown",
    arguments: [(1, 0, 0...8), (6, 5, 1...9), (20, 19, 11...19)])
  func window(_ presses: Int, _ chosen: Int, _ shown: ClosedRange<Int>) {
    var list = ParameterList(Parameters(20))
    for _ in 0..<presses { list.choose(1) }
    let names = list.lines.map { $0.dropFirst(2).split(separator: " ")[0] }
    #expect(names == shown.map { "p\($0)" })
    #expect(list.lines.filter { $0.hasPrefix(">") }.count == 1)
    #expect(list.lines.contains { $0.hasPrefix("> p\(chosen) ") })
  }

  @Test("a failure of a view is thrown once: by the next frame, or at the end")
  func failure() throws {
    let frame = Frame(
      format: FrameFormat(width: 2, height: 2, pixelFormat: .rgba, color: .sRGB),
      pixels: PixelBuffer(planes: [], release: {}), time: .zero)
    for isLast in [false, true] {
      let feed = ViewFeed()
      try feed.put(frame)
      try feed.checkEnd()
      feed.fail(WindowError("it has gone away"))
      if !isLast { #expect(throws: WindowError.self) { try feed.put(frame) } }
      if isLast {
        #expect(throws: WindowError.self) { try feed.checkEnd() }
      } else {
        try feed.checkEnd()
      }
    }
  }

  @Test("without parameters there is nothing to choose", arguments: [nil, 0])
  func none(_ count: Int?) {
    var list = ParameterList(count.map(Parameters.init))
    list.choose(1)
    list.move(by: 1)
    list.reset()
    #expect(list.lines == [])
  }

  @Test("the median is that of all frames with a time of capture, and the longest is exact")
  func latency() throws {
    var latency = PresentationLatency()
    #expect(latency.latency == nil)
    let format = FrameFormat(width: 2, height: 2, pixelFormat: .gray, color: .sRGB)
    let start = MonotonicTime.now
    for milliseconds in [10, 20, 30, 7000, 20] {
      var frame = Frame(
        format: format, pixels: PixelBuffer(planes: []) {}, time: .zero)
      latency.note(frame, shown: start)
      frame.captured = start
      latency.note(frame, shown: start + Rational(Int64(milliseconds), 1000))
    }
    let measured = try #require(latency.latency)
    #expect(abs(try #require(measured.median) - 0.020) <= 0.0005)
    #expect(abs(measured.longest - 7) < 0.000001)
    #expect(abs(measured.mean - 7.08 / 5) < 0.000001)
  }

  /// A view that nobody opens in these tests.
  private struct View: FrameView {
    var name: String { "the view" }
    var wantsOriginals: Bool { false }
    var movies: MovieSwitch?
    func open(_ request: SinkRequest) throws -> sending any MediaSink {
      throw EncodeError("it is not opened")
    }
  }

  @Test("a view alone gives the source its pace, and beside a file it only looks on")
  func pace() throws {
    let alone = try OutputSet([], view: View())
    #expect(alone.isPaced && !alone.hasBestEffortOutput && alone.name == "the view")
    #expect(!alone.takesAudio)
    let beside = try OutputSet(["out.mov"], view: View())
    #expect(!beside.isPaced && beside.hasBestEffortOutput)
    #expect(beside.outputs.map(\.isBestEffort) == [false, true])
    let camera = MovieSwitch(settings: EncodeSettings(), nextName: { nil }, say: { _ in })
    #expect(try OutputSet([], view: View(movies: camera)).takesAudio)
  }

  @Test("a movie that has no name is told, and the switch is off again")
  func noName() throws {
    let said = Mutex<[String]>([])
    let movies = MovieSwitch(settings: EncodeSettings(), nextName: { nil }) { sentence in
      said.withLock { $0.append(sentence) }
    }
    let format = FrameFormat(
      width: 2, height: 2, pixelFormat: .yuv420p, color: .sRGB)
    let request = SinkRequest(format: format, frameRate: Rational(25), timeBase: Rational(1, 25))
    let sink = SwitchedSink(
      NullSink(name: "null", frameRate: Rational(25)), movies, request: request)
    movies.toggle()
    for time in 0..<2 {
      try sink.write(
        Frame(
          format: format, pixels: PixelBuffer(planes: []) {}, time: Rational(Int64(time), 25)))
    }
    #expect(said.withLock { $0.count } == 1)
    #expect(movies.name == nil)
    let report = try sink.finish()
    #expect(report.frames == 2)
    #expect(report.shortfall?.message == said.withLock { $0.first })
  }
}
