import Frames
import Glibc

/// Where the rows of an image lie in a camera's buffer.
struct CameraLayout {
  /// A plane of the image: the index of its plane in memory, and its position there in bytes.
  struct Plane: Hashable {
    let memory: Int
    let offset: Int
    let stride: Int
    let rowBytes: Int
    let rows: Int
    /// Bytes that each row lacks; they are filled by repeating the row's last texel.
    var missing = 0
    /// Number of filled bytes in memory that the whole plane needs.
    var end: Int { offset + stride * (rows - 1) + rowBytes }
  }

  /// The planes in the order of the pixel format.
  let planes: [Plane]

  /// Returns the ways in which V4L2 drivers place the planes of a format.
  ///
  /// The planes are apart, each with its own stride, or one after the other, with strides in proportion
  /// to the first one's. The first way is V4L2's own. In the second way the strides are even numbers of
  /// bytes, as in some drivers, so that chroma rows may lack their last sample; a buffer that is too
  /// short for the first way may hold the second.
  static func all(
    _ format: PixelFormat, order: [Int], isApart: Bool, setting: CameraSetting
  ) -> [CameraLayout] {
    let ways = [false, true].map { isEven in
      CameraLayout(
        format, order: order, isApart: isApart, width: setting.mode.width,
        height: setting.mode.height, strides: setting.planes.map(\.stride), isEven: isEven)
    }
    return isApart || ways[0].planes == ways[1].planes ? [ways[0]] : ways
  }

  /// Places the planes for strides in bytes, one per plane in memory; 0 if the driver gives no stride.
  init(
    _ format: PixelFormat, order: [Int], isApart: Bool, width: Int, height: Int, strides: [Int],
    isEven: Bool = false
  ) {
    let layout = format.layout
    func rowBytes(_ plane: PixelLayout.Plane) -> Int { plane.width(width) * plane.bytesPerTexel }
    let first = layout.planes[0]
    let firstStride = max(strides.first ?? 0, rowBytes(first))
    var placed: [Plane] = []
    var offset = 0
    // In memory order.
    for place in layout.planes.indices {
      let plane = layout.planes[order.firstIndex(of: place) ?? place]
      let given =
        isApart
        ? (strides.indices.contains(place) ? strides[place] : 0)
        : firstStride * first.subsamplingX * plane.bytesPerTexel
          / (first.bytesPerTexel * plane.subsamplingX)
      let stride = isEven ? given & ~1 : max(given, rowBytes(plane))
      let filled = min(rowBytes(plane), stride)
      placed.append(
        Plane(
          memory: isApart ? place : 0, offset: isApart ? 0 : offset, stride: stride,
          rowBytes: filled, rows: plane.height(height), missing: rowBytes(plane) - filled))
      offset += stride * plane.height(height)
    }
    planes = order.map { placed[$0] }
  }

  /// Alignment in bytes of a plane's start and rows for encoders that read whole registers (x264's 32).
  private static let alignment = 32

  /// Returns whether the memory holds the whole image.
  private func isWhole(in memory: [UnsafeRawBufferPointer]) -> Bool {
    planes.allSatisfy {
      memory.indices.contains($0.memory) && memory[$0.memory].count >= $0.end
    }
  }

  /// Returns the image in the driver's memory, and keeps the buffer.
  ///
  /// nil if the buffer does not hold the whole image, the driver cannot spare it, or the rows are not
  /// aligned for all readers.
  ///
  /// So the upload is the only copy on the way to the GPU. Importing the buffer (as a DMA-BUF, or its
  /// mapping as a host pointer) would save little: the upload takes 0.1 ms of a processor at 1280x720
  /// and 0.3 ms at 1920x1080 (YUYV; NV12 three quarters of that; AMD EPYC), one percent of the cost of
  /// such a frame with its encoding, and the GPU would hold a driver's buffer as long as the frame
  /// exists. If the driver's memory is not cached (some ARM boards), reading it in place may be slower
  /// than a copy; that was not measured.
  func pixels(in buffer: CameraBuffer) -> PixelBuffer? {
    guard buffer.mayBeKept, isWhole(in: buffer.planes) else { return nil }
    var places: [PixelBuffer.Plane] = []
    for plane in planes {
      guard plane.missing == 0, let base = buffer.planes[plane.memory].baseAddress else {
        return nil
      }
      let start = base + plane.offset
      guard (Int(bitPattern: start) | plane.stride) % CameraLayout.alignment == 0 else {
        return nil
      }
      places.append(
        PixelBuffer.Plane(
          baseAddress: start, stride: plane.stride,
          byteCount: plane.end - plane.offset))
    }
    return PixelBuffer(planes: places) { withExtendedLifetime(buffer) {} }
  }

  /// Copies an image into pooled memory, so that the buffer can return at once; nil if the buffer does
  /// not hold the whole image.
  func copy(
    _ memory: [UnsafeRawBufferPointer], from pool: PixelBufferPool<HeapMemory>
  ) throws(CaptureError) -> PixelBuffer? {
    guard isWhole(in: memory) else { return nil }
    var pixels: WritablePixels<HeapMemory>
    do { pixels = try pool.lease() } catch { throw CaptureError("\(error)") }
    for (index, plane) in planes.enumerated() {
      let stride = pixels.stride(ofPlane: index)
      let isCopied = pixels.withBytes(ofPlane: index) { target in
        guard let source = memory[plane.memory].baseAddress.map({ $0 + plane.offset }),
          let target = target.baseAddress
        else { return false }
        guard plane.stride != stride || plane.missing > 0 else {
          memcpy(target, source, plane.end - plane.offset)
          return true
        }
        for row in 0..<plane.rows {
          let place = target + row * stride
          memcpy(place, source + row * plane.stride, plane.rowBytes)
          if plane.missing > 0 {
            memcpy(place + plane.rowBytes, place + plane.rowBytes - plane.missing, plane.missing)
          }
        }
        return true
      }
      guard isCopied else { return nil }
    }
    return pixels.freeze()
  }
}
