import Frames

/// A picture that kfrec draws itself: `testsrc` moves, `blank` is transparent black.
///
/// The same numbers give the same bytes.
final class PatternSource: MediaSource, @unchecked Sendable {
  // @unchecked: all but `interruption`, which is atomic, is one thread's business by the protocol.
  let description: SourceDescription
  let report = SourceReport()

  /// Nil for a blank one.
  private let picture: PatternPicture?
  private let pool: PixelBufferPool<HeapMemory>
  private let format: FrameFormat
  private let interruption: Interruption
  private let firstIndex: Int
  private let endIndex: Int?
  private var index: Int

  /// Prepares the picture of the asked size (1280x720), rate (30) and length (endless).
  init(_ request: SourceRequest, isBlank: Bool = false) {
    interruption = request.interruption
    let (width, height) = request.size ?? (1280, 720)
    let rate = request.frameRate ?? Rational(30)
    picture =
      isBlank ? nil : PatternPicture(width: width, height: height, frameRate: rate)
    let pixelFormat: PixelFormat = isBlank ? .rgba : .rgb0
    format = FrameFormat(
      width: width, height: height, pixelFormat: pixelFormat, color: .sRGB)
    let layout = BufferLayout(pixelFormat: pixelFormat, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    // The first frame at or after the start.
    firstIndex = request.start.map { Int(($0 * rate).ceiling) } ?? 0
    var count = request.duration.map { Int(($0 * rate).ceiling) }
    if let frames = request.frames { count = min(count ?? frames, frames) }
    endIndex = count.map { [firstIndex] in firstIndex + $0 }
    index = firstIndex
    var description = SourceDescription(
      name: isBlank ? "blank" : "testsrc", frameRate: rate, timeBase: rate.reciprocal)
    description.frameCount = count
    description.duration = count.map { Rational(Int64($0)) / rate }
    self.description = description
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    guard !interruption.isInterrupted, index < endIndex ?? .max else { return nil }
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    let stride = pixels.stride(ofPlane: 0)
    pixels.withBytes(ofPlane: 0) { bytes in
      if let picture {
        picture.draw(frame: index, into: bytes, stride: stride)
      } else {
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
    let rate = description.frameRate
    let frame = Frame(
      format: format, pixels: pixels.freeze(), time: Rational(Int64(index)) / rate,
      duration: rate.reciprocal)
    index += 1
    return .frame(frame)
  }
}
