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
    /// Bytes that must be filled for it to be whole.
    var end: Int { offset + stride * (rows - 1) + rowBytes }
  }

  /// In the order of the pixel format's.
  let planes: [Plane]

  /// Places the planes of a format as V4L2 has them: apart, each with a stride of its own, or one
  /// after the other, with strides in proportion to the first one's.
  init(_ format: PixelFormat, order: [Int], isApart: Bool, setting: CameraSetting) {
    self.init(
      format, order: order, isApart: isApart, width: setting.mode.width,
      height: setting.mode.height, strides: setting.planes.map(\.stride))
  }

  /// The same for strides in bytes, one for each plane in memory; 0 where the driver has left it out.
  init(
    _ format: PixelFormat, order: [Int], isApart: Bool, width: Int, height: Int, strides: [Int]
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
      let stride = max(given, rowBytes(plane))
      placed.append(
        Plane(
          memory: isApart ? place : 0, offset: isApart ? 0 : offset, stride: stride,
          rowBytes: rowBytes(plane), rows: plane.height(height)))
      offset += stride * plane.height(height)
    }
    planes = order.map { placed[$0] }
  }

  /// Copies a picture into pooled memory; nil if the buffer does not hold all of it.
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
      if plane.stride == target.stride {
        memcpy(target.baseAddress, source, plane.end - plane.offset)
      } else {
        for row in 0..<plane.rows {
          memcpy(
            target.baseAddress + row * target.stride, source + row * plane.stride, plane.rowBytes)
        }
      }
    }
    return pixels
  }
}
