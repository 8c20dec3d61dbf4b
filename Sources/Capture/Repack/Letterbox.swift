import CFFmpeg
import FFmpegHandles
import Frames

/// Converts frames of one format to another one of any size, with black bars where the shapes differ.
///
/// Used by one thread at a time.
final class Letterbox: @unchecked Sendable {
  // @unchecked: the thread that opens a camera makes it and hands it to the one that reads.
  let source: FrameFormat
  private let target: FrameFormat
  /// The size and the place of the picture in the target, in pixels.
  private let area: (x: Int, y: Int, width: Int, height: Int)
  private let scaler: ScalerHandle
  private let pool: PixelBufferPool<HeapMemory>
  private let name: String

  /// Pixels that the coarsest chroma sample covers in each direction.
  private static let step = 4

  init(from source: FrameFormat, to target: FrameFormat, name: String) throws(CaptureError) {
    (self.source, self.target, self.name) = (source, target, name)
    let scale = min(
      Double(target.width) / Double(source.width), Double(target.height) / Double(source.height))
    func side(_ length: Int, in room: Int) -> (place: Int, length: Int) {
      let wanted = Int((Double(length) * scale).rounded())
      // The whole room, even if that is no multiple, and else whole chroma samples.
      if room - wanted < 2 * Self.step { return (0, room) }
      let length = max(wanted / Self.step * Self.step, Self.step)
      return ((room - length) / 2 / Self.step * Self.step, length)
    }
    let (across, down) = (
      side(source.width, in: target.width), side(source.height, in: target.height)
    )
    area = (across.place, down.place, across.length, down.length)
    guard
      let scaler = ScalerHandle(
        from: (source.width, source.height, source.pixelFormat.avPixelFormat),
        to: (area.width, area.height, target.pixelFormat.avPixelFormat), filter: kf_sws_bilinear)
    else {
      throw CaptureError(
        "\(name) gives \(source.pixelFormat.rawValue), which cannot be converted to "
          + target.pixelFormat.rawValue)
    }
    scaler.setColors(
      matrix: Int32(source.color.matrix.rawValue), isFull: source.color.range == .full,
      toMatrix: Int32(target.color.matrix.rawValue), isTargetFull: target.color.range == .full)
    self.scaler = scaler
    let layout = BufferLayout(
      pixelFormat: target.pixelFormat, width: target.width, height: target.height)
    // swscale may write some bytes behind the last row.
    pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount + 64) }
  }

  /// Returns a frame with other pixels and the same times.
  func fit(_ frame: Frame) throws(CaptureError) -> Frame {
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    var (whole, strides) = ScalerHandle.planes(of: &pixels)
    var bars = strides.map { Int($0) }
    av_image_fill_black(
      &whole, &bars, target.pixelFormat.avPixelFormat,
      AVColorRange(UInt32(target.color.range.rawValue)), Int32(target.width), Int32(target.height))
    var targets = whole
    for (index, plane) in target.pixelFormat.layout.planes.enumerated() {
      let offset =
        plane.height(area.y) * Int(strides[index]) + plane.width(area.x) * plane.bytesPerTexel
      targets[index] = whole[index].map { $0 + offset }
    }
    guard scaler.scale(frame, to: targets, strides: strides) == Int32(area.height) else {
      throw CaptureError("a frame of \(name) could not be converted")
    }
    var fitted = frame
    fitted.format = target
    fitted.pixels = pixels.freeze()
    return fitted
  }
}
