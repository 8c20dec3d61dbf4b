import Capture
import Frames
import TestSupport
import Testing

@Suite("The test pattern")
struct PatternTests {
  private func pattern(_ change: (inout SourceRequest) -> Void) throws -> ReadSource {
    try ReadSource("testsrc") {
      $0.size = (64, 48)
      change(&$0)
    }
  }

  @Test(
    "a frame is the same for the same index, wherever the source starts",
    arguments: [(1, 1), (3, 5), (641, 361), (64, 48)])
  func deterministic(width: Int, height: Int) throws {
    func read(from start: Rational?, frames: Int) throws -> ReadSource {
      try ReadSource("testsrc") {
        $0.size = (width, height)
        $0.start = start
        $0.frames = frames
      }
    }
    let whole = try read(from: nil, frames: 12)
    #expect(whole.frames.count == 12)
    #expect(whole.frames.allSatisfy { $0.format.width == width && $0.format.height == height })
    for number in [11, 0, 5] {
      let one = try read(from: Rational(Int64(number), 30), frames: 1)
      #expect(one.frames.first?.rawVideo == whole.frames[number].rawVideo)
      #expect(one.times == [whole.times[number]])
    }
    if width > 8 { #expect(Set(whole.frames.map { $0.rawVideo }).count == 12) }
  }

  @Test("the corners, bars and full range of the pattern are in place")
  func picture() throws {
    let frame = try #require(try pattern { $0.frames = 1 }.frames.first)
    #expect(frame.format.color == .sRGB)
    #expect(frame.format.pixelFormat == .rgb0)
    let bytes = frame.packed(plane: 0)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(bytes[(y * 64 + x) * 4..<(y * 64 + x) * 4 + 3])
    }
    #expect(pixel(0, 0) == [255, 255, 255])
    #expect(pixel(63, 0) == [255, 0, 0])
    #expect(pixel(63, 47) == [0, 255, 0])
    #expect(pixel(0, 47) == [0, 0, 255])
    #expect(pixel(12, 0) == [191, 191, 0])
    #expect(pixel(63, 34) == [255, 255, 255])
  }

  @Test("timestamps are exact, and there are as many frames as requested")
  func length() throws {
    let rate = Rational(30000, 1001)
    let seconds = try pattern {
      $0.frameRate = rate
      $0.duration = Rational(1)
    }
    // Frame 29 begins before the second is over.
    #expect(seconds.times == (0..<30).map { Rational($0 * 1001, 30000) })
    #expect(seconds.description.frameCount == 30)
    #expect(seconds.frames.allSatisfy { $0.duration == rate.reciprocal })
    let part = try pattern {
      $0.start = Rational(1, 100)
      $0.frames = 2
      $0.duration = Rational(10)
    }
    #expect(part.times == [Rational(1, 30), Rational(2, 30)])
    #expect(part.description.duration == Rational(2, 30))
  }

  @Test("the default is 1280x720 at 30 frames per second, without end until it is interrupted")
  func usual() throws {
    let request = SourceRequest(input: "testsrc")
    let source = try openSource(request)
    #expect(source.description.frameCount == nil)
    #expect(source.description.frameRate == Rational(30))
    guard case .frame(let frame) = try source.next() else {
      Issue.record("no frame")
      return
    }
    #expect(frame.format.width == 1280 && frame.format.height == 720)
    request.interruption.interrupt()
    #expect(try source.next() == nil)
  }
}
