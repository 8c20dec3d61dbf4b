import Frames
import Glibc

/// A picture as a device wants it: YU12 with its planes one after the other, or YUYV.
///
/// One owner; used by one thread at a time.
struct VirtualCameraPicture: ~Copyable {
  private let layout: PixelLayout
  private let width: Int
  private let height: Int
  /// Bytes from a row of the first plane to the next.
  private let stride: Int
  private let memory: HeapMemory

  /// Black; `stride` is the device's, 0 where it has none.
  init(format: FrameFormat, stride: Int) {
    layout = format.pixelFormat.layout
    width = format.width
    height = format.height
    let isPlanar = layout.chromaSubsampling == (2, 2)
    self.stride = max(stride, isPlanar ? width : 2 * width)
    // What the device calls the size may be rounded up to whole pages.
    memory = HeapMemory(
      byteCount: self.stride * height + (isPlanar ? 2 * (self.stride / 2 * (height / 2)) : 0))
    memory.baseAddress.initializeMemory(as: UInt8.self, repeating: 0, count: memory.byteCount)
  }

  /// As it goes to the device; valid until the next `fill`.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory.baseAddress, count: memory.byteCount)
  }

  /// Copies a frame's pixels.
  func fill(_ pixels: PixelBuffer) {
    if layout.chromaSubsampling == (2, 2) { copyPlanes(pixels) } else { interleave(pixels) }
  }

  private func copyPlanes(_ pixels: PixelBuffer) {
    var target = memory.baseAddress
    for (index, plane) in layout.planes.enumerated() {
      let source = pixels.planes[index]
      let step = index == 0 ? stride : stride / 2
      for row in 0..<plane.height(height) {
        memcpy(
          target + row * step, source.baseAddress + row * source.stride, plane.width(width))
      }
      target += step * plane.height(height)
    }
  }

  private func interleave(_ pixels: PixelBuffer) {
    let planes = pixels.planes.map {
      ($0.baseAddress.assumingMemoryBound(to: UInt8.self), $0.stride)
    }
    for row in 0..<height {
      let target = (memory.baseAddress + row * stride).assumingMemoryBound(to: UInt8.self)
      let luma = planes[0].0 + row * planes[0].1
      let blue = planes[1].0 + row * planes[1].1
      let red = planes[2].0 + row * planes[2].1
      for pair in 0..<width / 2 {
        target[4 * pair] = luma[2 * pair]
        target[4 * pair + 1] = blue[pair]
        target[4 * pair + 2] = luma[2 * pair + 1]
        target[4 * pair + 3] = red[pair]
      }
    }
  }
}
