import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Makes small JPEG images of frames of one format, for people who look from elsewhere.
///
/// Used by one thread.
final class SmallPicture {
  /// The format of the frames.
  let source: FrameFormat
  private let scaler: Scaler
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
    scaler = try Scaler(source, to: format)
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
    scaler.scale(frame, to: &pixels)
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

/// Owns a scaler of libswscale from one format to another.
private struct Scaler: ~Copyable {
  private let context: OpaquePointer
  private let height: Int32

  init(_ source: FrameFormat, to target: FrameFormat) throws(EncodeError) {
    guard
      let context = kf_scaler_make(
        Int32(source.width), Int32(source.height), source.pixelFormat.avPixelFormat,
        Int32(target.width), Int32(target.height), target.pixelFormat.avPixelFormat,
        kf_sws_bilinear)
    else {
      throw EncodeError("there are no small pictures of \(source.pixelFormat.rawValue) frames")
    }
    self.context = context
    height = Int32(source.height)
    // The numbers of libswscale's matrices are those of H.273; its usual one is BT.601.
    let (from, to) = (Int32(source.color.matrix.rawValue), Int32(target.color.matrix.rawValue))
    // Formats without a matrix refuse, and need none.
    kf_scaler_set_colors(
      context, sws_getCoefficients(from), source.color.range == .full ? 1 : 0,
      sws_getCoefficients(to), 1)
  }

  deinit { kf_scaler_free(context) }

  func scale(_ frame: Frame, to pixels: inout WritablePixels<HeapMemory>) {
    var sources = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
    var sourceStrides = [Int32](repeating: 0, count: 4)
    for (index, plane) in frame.pixels.planes.enumerated() {
      // The frame keeps the memory until the end of this function.
      sources[index] = frame.pixels.bytes(ofPlane: index).withUnsafeBytes {
        $0.bindMemory(to: UInt8.self).baseAddress
      }
      sourceStrides[index] = Int32(plane.stride)
    }
    var targets = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
    var strides = [Int32](repeating: 0, count: 4)
    for index in pixels.layout.planes.indices {
      // The memory stays in place for as long as the pixels are being written.
      targets[index] = pixels.withBytes(ofPlane: index) {
        $0.bindMemory(to: UInt8.self).baseAddress
      }
      strides[index] = Int32(pixels.stride(ofPlane: index))
    }
    withExtendedLifetime(frame.pixels) {
      _ = kf_scaler_scale(context, sources, sourceStrides, height, targets, strides)
    }
  }
}
