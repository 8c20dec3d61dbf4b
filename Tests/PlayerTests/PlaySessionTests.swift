import Encode
import Frames
import Synchronization
import Testing

@testable import Player

@Suite struct PlaySessionTests {
  private final class Links: Sendable {
    let places = Mutex<[[Rational]]>([])
  }

  private let followed = Links()
  private let format = FrameFormat(
    width: 16, height: 16, pixelFormat: .yuv420p,
    color: ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1))

  private func makeSession() -> PlaySession {
    let request = SinkRequest(format: format, frameRate: Rational(10), timeBase: Rational(1, 10))
    return PlaySession(request) { [followed] before, next in
      followed.places.withLock { $0.append([before, next]) }
    }
  }

  private func frame(_ number: Int64) throws -> Frame {
    let layout = BufferLayout(pixelFormat: format.pixelFormat, width: 16, height: 16)
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    return Frame(format: format, pixels: try pool.lease().freeze(), time: Rational(number, 10))
  }

  @Test("frames that are late because the source waits for its packets make the source slow")
  func slowSource() {
    let session = makeSession()
    #expect(!session.note(reading: 1, lateness: -0.02))
    #expect(!session.waiting.isSlow)
    // 0.2 s later, of which it waited 0.15 s.
    #expect(session.note(reading: 1.15, lateness: 0.2))
    #expect(session.waiting.isSlow)
    session.resume()
    #expect(!session.waiting.isSlow)
  }

  @Test("frames that are late because of the decoder do not make the source slow")
  func slowDecoder() {
    let session = makeSession()
    _ = session.note(reading: 1, lateness: 0)
    #expect(!session.note(reading: 1.01, lateness: 0.2))
    #expect(!session.waiting.isSlow)
  }

  @Test("steps back go from frame to frame, and not over one that was left out")
  func links() throws {
    let session = makeSession()
    try session.write(frame(0))
    try session.write(frame(1))
    // Frame 3 is left out while frame 2 is still being rendered.
    #expect(session.leavesOut(Rational(3, 10)))
    try session.write(frame(2))
    _ = session.takeFrame()
    try session.write(frame(4))
    let pairs = followed.places.withLock { $0 }
    #expect(pairs == [[.zero, Rational(1, 10)], [Rational(1, 10), Rational(2, 10)]])
  }
}
