import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Makes small JPEG images of frames of one format, for remote viewers.
///
/// Used by one thread.
final class SmallPicture {
  let source: FrameFormat
  private let scaler: ScalerHandle
  private let format: FrameFormat
  private let pool: PixelBufferPool<HeapMemory>
  private var encoder: VideoEncoder
  private var latest: PixelBuffer?
  private var count: Int64 = 0

  /// The longest side in pixels: enough for a phone, and 20 to 40 KB.
  static let longestSide = 640

  init(_ source: FrameFormat) throws {
    self.source = source
    let size = Self.size(source)
    format = FrameFormat(
      width: size.width, height: size.height, pixelFormat: .yuv420p,
      color: ColorDescription(
        matrix: .smpte170m, range: .full, primaries: source.color.primaries,
        transfer: source.color.transfer, chromaSiting: .center))
    guard
      let scaler = ScalerHandle(
        from: (source.width, source.height, source.pixelFormat.avPixelFormat),
        to: (size.width, size.height, format.pixelFormat.avPixelFormat), filter: kf_sws_bilinear)
    else {
      throw EncodeError("there are no small pictures of \(source.pixelFormat.rawValue) frames")
    }
    scaler.setColors(
      matrix: Int32(source.color.matrix.rawValue), isFull: source.color.range == .full,
      toMatrix: Int32(format.color.matrix.rawValue), isTargetFull: true)
    self.scaler = scaler
    let layout = BufferLayout(pixelFormat: .yuv420p, width: size.width, height: size.height)
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
    // A fixed quantiser, and one thread: the picture must never take the processor from the recording.
    encoder = try VideoEncoder(
      EncoderPlan(
        codec: try EncoderCatalog.encoder(named: "mjpeg"), format: format, frameRate: Rational(25),
        timeBase: Rational(1, 25), threads: 1,
        options: [
          EncoderOption("qmin", "5"), EncoderOption("qmax", "5"),
          EncoderOption("huffman", "default"),
        ]), globalHeader: false)
  }

  /// Returns the size of the pictures: upright pixels are square there, and sides are even.
  static func size(_ format: FrameFormat) -> (width: Int, height: Int) {
    let (width, height) = (Double(format.width), Double(format.height))
    let aspect = format.sampleAspectRatio.doubleValue
    let shown = aspect >= 1 ? (width * aspect, height) : (width, height / max(aspect, 0.001))
    let scale = min(1, Double(longestSide) / max(shown.0, shown.1))
    func even(_ side: Double) -> Int { max(Int((side * scale / 2).rounded()) * 2, 2) }
    return (even(shown.0), even(shown.1))
  }

  /// Makes a whole JPEG file of a frame in the source's format; nil if it would show the same as the one before.
  func picture(of frame: Frame) throws -> [UInt8]? {
    var pixels = try pool.lease()
    _ = scaler.scale(frame, to: &pixels)
    let scaled = pixels.freeze()
    if let latest, isSame(latest, scaled) { return nil }
    latest = scaled
    count += 1
    try encoder.send(Frame(format: format, pixels: scaled, time: .zero), ticks: count)
    guard let packet = try encoder.receive() else { return nil }
    return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }

  /// Lets the next picture be made whatever it shows.
  func forget() { latest = nil }

  /// Compares the pixels, and not the bytes between the rows, which nobody writes.
  private func isSame(_ first: PixelBuffer, _ second: PixelBuffer) -> Bool {
    format.pixelFormat.layout.planes.indices.allSatisfy { index in
      let plane = format.pixelFormat.layout.planes[index]
      let (width, rows) = (plane.width(format.width), plane.height(format.height))
      let stride = first.planes[index].stride
      return first.bytes(ofPlane: index).withUnsafeBytes { first in
        second.bytes(ofPlane: index).withUnsafeBytes { second in
          (0..<rows).allSatisfy { row in
            guard let first = first.baseAddress, let second = second.baseAddress else {
              return false
            }
            return memcmp(first + row * stride, second + row * stride, width) == 0
          }
        }
      }
    }
  }
}
