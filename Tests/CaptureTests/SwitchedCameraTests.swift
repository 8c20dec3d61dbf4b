import CFFmpeg
import Frames
import Glibc
import Synchronization
import Testing

@testable import Capture

@Suite("Cameras that follow each other") struct SwitchedCameraTests {
  /// A camera that gives frames of one grey, whose times go on with those of all cameras.
  private final class FakeCamera: MediaSource {
    let description: SourceDescription
    var report = SourceReport()
    private let format: FrameFormat
    private let grey: UInt8
    private let clock: Clock
    /// What comes in the place of a frame; nil for one more frame.
    private let end: @Sendable () throws(CaptureError) -> Bool

    /// The clock of all cameras, in frames.
    final class Clock: Sendable {
      private let time = Atomic<Int>(0)
      func tick() -> Rational {
        Rational(Int64(time.add(1, ordering: .relaxed).newValue), 30)
      }
    }

    init(
      _ path: String, _ format: FrameFormat, grey: UInt8, clock: Clock,
      end: @escaping @Sendable () throws(CaptureError) -> Bool = { () throws(CaptureError) in false
      }
    ) {
      (self.format, self.grey, self.clock, self.end) = (format, grey, clock, end)
      description = SourceDescription(
        name: path, frameRate: Rational(30), timeBase: Rational(1, 1_000_000))
    }

    func next() throws(CaptureError) -> MediaSample? {
      if try end() { return nil }
      report.frames += 1
      let layout = BufferLayout(
        pixelFormat: format.pixelFormat, width: format.width, height: format.height)
      let memory = HeapMemory(byteCount: layout.byteCount)
      memory.baseAddress.initializeMemory(as: UInt8.self, repeating: grey, count: layout.byteCount)
      if format.pixelFormat == .yuv420p {
        for plane in layout.planes.dropFirst() {
          (memory.baseAddress + plane.offset).initializeMemory(
            as: UInt8.self, repeating: 128, count: plane.byteCount)
        }
      }
      let pixels = PixelBuffer(
        planes: layout.planes.map {
          PixelBuffer.Plane(
            baseAddress: memory.baseAddress + $0.offset, stride: $0.stride,
            byteCount: $0.byteCount)
        }, release: { withExtendedLifetime(memory) {} })
      return .frame(Frame(format: format, pixels: pixels, time: clock.tick()))
    }
  }

  private static let first = FrameFormat(
    width: 64, height: 32, pixelFormat: .yuv420p,
    color: ColorDescription(matrix: .smpte170m, range: .limited, primaries: 6, transfer: 6))
  private static let second = FrameFormat(
    width: 90, height: 90, pixelFormat: .rgb0, color: .sRGB)

  private let control = CameraSwitch()
  private let said = Said()

  private final class Said: Sendable {
    let sentences = Mutex<[String]>([])
  }

  private func source(
    _ others: [(path: String, format: FrameFormat?)], first: FrameFormat = first,
    opening: @escaping @Sendable () -> Void = {},
    end: @escaping @Sendable () throws(CaptureError) -> Bool = { () throws(CaptureError) in false }
  ) -> SwitchedCamera {
    let clock = FakeCamera.Clock()
    control.onResult { [said] sentence in said.sentences.withLock { $0.append(sentence) } }
    return SwitchedCamera(
      FakeCamera("/dev/video0", first, grey: 100, clock: clock, end: end), path: "/dev/video0",
      cameras: SwitchedCamera.Cameras(
        list: { ([("/dev/video0", nil)] + others).map { ($0.path, "the camera \($0.path)") } },
        open: { path throws(CaptureError) in
          opening()
          if path == "/dev/video0" {
            return FakeCamera(path, first, grey: 100, clock: clock)
          }
          guard let format = others.first(where: { $0.path == path })?.format else {
            throw CaptureError("\(path) is in use")
          }
          return FakeCamera(path, format, grey: 255, clock: clock)
        }), control: control, interruption: Interruption())
  }

  /// Reads until something is said, and the frame after it.
  private func readOn(
    _ source: SwitchedCamera, _ last: inout Rational, first: FrameFormat = first
  ) throws -> Frame {
    let count = said.sentences.withLock { $0.count }
    while true {
      guard case .frame(let frame)? = try source.next() else {
        throw CaptureError("there are no frames any more")
      }
      #expect(frame.format == first)
      #expect(frame.time > last)
      last = frame.time
      // Bounded by the thread that opens.
      if said.sentences.withLock({ $0.count }) > count { return frame }
      usleep(100)
    }
  }

  /// The value of a pixel in the first plane.
  private func luma(_ frame: Frame, _ x: Int, _ y: Int) -> UInt8 {
    let stride = frame.pixels.planes[0].stride
    return frame.pixels.bytes(ofPlane: 0).unsafeLoad(
      fromByteOffset: y * stride + x, as: UInt8.self)
  }

  @Test("the next camera's frames have the first one's format, fitted, and later times")
  func next() throws {
    let source = source([("/dev/video2", Self.second)])
    var last = Rational(-1)
    guard case .frame(let frame)? = try source.next() else {
      Issue.record("no frame")
      return
    }
    #expect(luma(frame, 32, 16) == 100)
    control.next()
    let other = try readOn(source, &last)
    #expect(said.sentences.withLock { $0.last } == "camera the camera /dev/video2")
    // A white square in the middle, as limited codes, and black bars beside it.
    #expect(luma(other, 32, 16) == 235)
    #expect(luma(other, 32, 0) == 235)
    #expect(luma(other, 4, 16) == 16)
    #expect(luma(other, 60, 16) == 16)
    control.next()
    let back = try readOn(source, &last)
    #expect(luma(back, 32, 16) == 100)
    #expect(source.report.frames > 3)
  }

  @Test("a camera that cannot be opened leaves the one that is there, and so does a single camera")
  func refused() throws {
    for (others, sentence) in [
      ([("/dev/video2", nil)], "/dev/video2 is in use"), ([], "there is no other camera"),
    ] as [([(path: String, format: FrameFormat?)], String)] {
      let source = source(others)
      var last = Rational(-1)
      _ = try source.next()
      control.next()
      let frame = try readOn(source, &last)
      #expect(luma(frame, 32, 16) == 100)
      #expect(said.sentences.withLock { $0.last } == sentence)
    }
  }

  @Test(
    "a camera that ends or fails while another one was asked for leaves the recording to that one",
    arguments: [false, true], [false, true])
  func end(_ fails: Bool, _ isOpening: Bool) throws {
    let ending = Ending()
    let source = source(
      [("/dev/video2", Self.second)],
      opening: {
        while isOpening, !ending.isThere.load(ordering: .acquiring) { usleep(100) }
      },
      end: { () throws(CaptureError) in try ending.comes(fails: fails) })
    _ = try source.next()
    control.next()
    if isOpening { _ = try source.next() }
    ending.isDue.store(true, ordering: .releasing)
    guard case .frame(let frame)? = try source.next() else {
      Issue.record("no frame")
      return
    }
    #expect(luma(frame, 32, 16) == 235)
    #expect(said.sentences.withLock { $0 } == ["camera the camera /dev/video2"])
  }

  @Test(
    "a camera that ends or fails ends the recording if no other one can be used",
    arguments: [false, true], [false, true])
  func lastEnd(_ fails: Bool, _ isAsked: Bool) throws {
    let ending = Ending()
    let source = source(
      [("/dev/video2", nil)],
      end: { () throws(CaptureError) in try ending.comes(fails: fails) })
    _ = try source.next()
    ending.isDue.store(true, ordering: .releasing)
    if isAsked { control.next() }
    if fails {
      #expect(throws: CaptureError.self) { try source.next() }
    } else {
      #expect(try source.next().map { _ in true } == nil)
    }
    #expect(said.sentences.withLock { $0 } == (isAsked ? ["/dev/video2 is in use"] : []))
  }

  /// The end of the first camera.
  private final class Ending: Sendable {
    let isDue = Atomic<Bool>(false)
    let isThere = Atomic<Bool>(false)

    /// Whether the camera gives no more frames.
    func comes(fails: Bool) throws(CaptureError) -> Bool {
      guard isDue.load(ordering: .acquiring) else { return false }
      isThere.store(true, ordering: .releasing)
      if fails { throw CaptureError("the camera was unplugged") }
      return true
    }
  }

  @Test("the camera behind one that cannot be opened can be reached")
  func behind() throws {
    let source = source([("/dev/video2", nil), ("/dev/video4", Self.second)])
    var last = Rational(-1)
    _ = try source.next()
    for sentence in [
      "/dev/video2 is in use", "camera the camera /dev/video4", "camera the camera /dev/video0",
    ] {
      control.next()
      _ = try readOn(source, &last)
      #expect(said.sentences.withLock { $0.last } == sentence)
    }
  }

  @Test(
    "a camera whose frames cannot be converted is not taken",
    .enabled(if: sws_isSupportedOutput(AV_PIX_FMT_NV16) == 0, "newer FFmpegs convert everything"))
  func inconvertible() throws {
    // What the swscale of FFmpeg 5.1 does not make.
    var first = Self.first
    first.pixelFormat = .nv16
    let source = source([("/dev/video2", Self.second)], first: first)
    var last = Rational(-1)
    _ = try source.next()
    control.next()
    #expect(luma(try readOn(source, &last, first: first), 32, 16) == 100)
    #expect(
      said.sentences.withLock { $0.last }
        == "the camera /dev/video2 gives rgb0, which cannot be converted to nv16")
  }

  @Test(
    "frames are fitted from every layout into every layout of a camera",
    arguments: [
      PixelFormat.yuv420p, .yuv422p, .nv12, .nv21, .yuyv422, .uyvy422, .yvyu422, .rgb0, .bgr0,
      .gray, .p010le,
    ])
  func layouts(_ target: PixelFormat) throws {
    var format = Self.first
    format.pixelFormat = target
    if target.layout.model == .rgb { format.color = .sRGB }
    for source in [PixelFormat.yuv420p, .yuyv422, .nv12, .rgb0, .gray] {
      var given = Self.second
      given.pixelFormat = source
      if source != .rgb0 { given.color = Self.first.color }
      let camera = FakeCamera("a", given, grey: 235, clock: FakeCamera.Clock())
      guard case .frame(let frame)? = try camera.next() else { continue }
      let fitted = try Letterbox(from: given, to: format, name: "a").fit(frame)
      #expect(fitted.format == format)
      #expect(fitted.time == frame.time)
      #expect(fitted.pixels.planes.count == target.layout.planes.count, "\(source)")
    }
  }
}
