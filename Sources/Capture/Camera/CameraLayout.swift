import Frames
import Glibc

/// Where the rows of a picture lie in a camera's buffer.
struct CameraLayout {
  /// A plane of the picture: the plane in memory that it is in, and its place there.
  struct Plane: Hashable {
    let memory: Int
    let offset: Int
    let stride: Int
    let rowBytes: Int
    let rows: Int
    /// Bytes that a row lacks, which are made by showing its last texel again.
    var missing = 0
    /// Bytes that must be filled for it to be whole.
    var end: Int { offset + stride * (rows - 1) + rowBytes }
  }

  /// In the order of the pixel format's.
  let planes: [Plane]

  /// The ways in which V4L2's drivers place the planes of a format: apart, each with a stride of its
  /// own, or one after the other, with strides in proportion to the first one's.
  ///
  /// The first is V4L2's own. There are drivers whose chroma rows are an even number of bytes, and so
  /// may lack their last sample; a buffer that is too short for the first way may hold the second.
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

  /// Places them for strides in bytes, one for each plane in memory; 0 where the driver has left it out.
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
    // In the order of memory.
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

  /// Copies a picture into pooled memory; nil if the buffer does not hold all of it.
  ///
  /// The copy gives the driver its buffer back at once, however long the frame waits, is encoded or is
  /// held. Importing the buffer instead (DMA-BUF, or its mapping as a host pointer) would take as many
  /// driver's buffers as frames are on the way, and save little: the copy takes 0.1 ms of a processor at
  /// 1280x720 and 0.3 ms at 1920x1080 (YUYV; NV12 three quarters of that; AMD EPYC), half a percent of
  /// the 20 to 30 ms that such a frame costs with its encoding.
  func copy(
    _ memory: [UnsafeRawBufferPointer], from pool: PixelBufferPool<HeapMemory>
  ) throws(CaptureError) -> PixelBuffer? {
    for plane in planes {
      guard memory.indices.contains(plane.memory), memory[plane.memory].count >= plane.end else {
        return nil
      }
    }
    let pixels: PixelBuffer
    do { pixels = try pool.lease().pixels } catch { throw CaptureError("\(error)") }
    for (plane, target) in zip(planes, pixels.planes) {
      guard let base = memory[plane.memory].baseAddress else { return nil }
      let source = base + plane.offset
      if plane.stride == target.stride, plane.missing == 0 {
        memcpy(target.baseAddress, source, plane.end - plane.offset)
      } else {
        for row in 0..<plane.rows {
          let place = target.baseAddress + row * target.stride
          memcpy(place, source + row * plane.stride, plane.rowBytes)
          if plane.missing > 0 {
            memcpy(place + plane.rowBytes, place + plane.rowBytes - plane.missing, plane.missing)
          }
        }
      }
    }
    return pixels
  }
}
