import Frames

/// Frames of an image that kfrec draws itself.
///
/// The same frame numbers give the same bytes.
final class PatternSource: MediaSource {
  let description: SourceDescription
  let report = SourceReport()

  private let image: any GeneratedImage
  private let pool: PixelBufferPool<HeapMemory>
  private let format: FrameFormat
  private let interruption: Interruption
  private let firstIndex: Int
  private let endIndex: Int?
  private var index: Int
  /// The number at which a stretch that is read again ends; nil for none.
  private var stretchEnd: Int?

  /// Prepares frames of the requested size (default 1280x720), frame rate (30) and length (endless).
  init(_ request: SourceRequest, image: any GeneratedImage) {
    self.image = image
    interruption = request.interruption
    let (width, height) = request.generatedSize
    let rate = request.generatedRate
    format = FrameFormat(
      width: width, height: height, pixelFormat: image.pixelFormat, color: .sRGB)
    let layout = BufferLayout(pixelFormat: image.pixelFormat, width: width, height: height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    // The first frame at or after the start.
    firstIndex = request.range?.begin ?? request.start.map { Int(($0 * rate).ceiling) } ?? 0
    var count = request.duration.map { Int(($0 * rate).ceiling) }
    if let frames = request.frames { count = min(count ?? frames, frames) }
    endIndex = count.map { [firstIndex] in firstIndex + $0 }
    index = firstIndex
    var description = SourceDescription(
      name: request.input, frameRate: rate, timeBase: rate.reciprocal)
    description.frameCount = count
    description.duration = count.map { Rational(Int64($0)) / rate }
    description.end = count.map { [firstIndex] in Rational(Int64(firstIndex + $0)) / rate }
    description.range = request.range.map { DeliveredRange($0, rate: rate) }
    self.description = description
  }

  func next() throws(CaptureError) -> MediaSample? {
    guard !interruption.isInterrupted, index < stretchEnd ?? endIndex ?? .max else { return nil }
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    let stride = pixels.stride(ofPlane: 0)
    pixels.withBytes(ofPlane: 0) { image.draw(frame: index, into: $0, stride: stride) }
    let rate = description.frameRate
    let frame = Frame(
      format: format, pixels: pixels.freeze(), time: Rational(Int64(index)) / rate,
      duration: rate.reciprocal)
    index += 1
    return .frame(frame)
  }
}

extension PatternSource: RereadableSource {
  var rereadRefusal: String? {
    endIndex == nil
      ? "it never ends; give its length behind its name, such as \(description.name)~duration=5"
      : nil
  }

  func reread(from time: Rational, before end: Rational?) {
    let rate = description.frameRate
    index = max(firstIndex, Int((time * rate).floor))
    stretchEnd = end.map { min(Int(($0 * rate).ceiling), endIndex ?? .max) }
  }
}
