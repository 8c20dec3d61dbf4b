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

  /// What encoders that read whole registers ask of the first byte of a plane and of its rows (x264's 32).
  private static let alignment = 32

  /// A buffer holds all of the picture.
  private func isWhole(in memory: [UnsafeRawBufferPointer]) -> Bool {
    planes.allSatisfy {
      memory.indices.contains($0.memory) && memory[$0.memory].count >= $0.end
    }
  }

  /// The picture where the driver has put it, which keeps the buffer; nil if the buffer does not hold all
  /// of it, the driver cannot spare it, or rows lie so that not everything can read them.
  ///
  /// So the one copy on the way to the GPU is the upload's. That one is not saved by importing the buffer
  /// (as a DMA-BUF, or its mapping as a host pointer): it takes 0.1 ms of a processor at 1280x720 and
  /// 0.3 ms at 1920x1080 (YUYV; NV12 three quarters of that; AMD EPYC), one percent of what such a frame
  /// costs with its encoding, and a driver's buffer would be the GPU's for as long as a frame is there.
  /// Where the driver's memory is not cached (some ARM boards) reading it in place may be slower than a
  /// copy; that was not measured.
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

  /// Copies a picture into pooled memory, so that the buffer can go back at once; nil if the buffer does
  /// not hold all of it.
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
