import Frames
import Glibc

/// A frame in the device's format: YU12 with its planes one after the other, or YUYV.
///
/// It has one owner and is used by one thread at a time.
struct VirtualCameraFrame: ~Copyable {
  private let layout: PixelLayout
  private let width: Int
  private let height: Int
  /// Stride of the first plane in bytes.
  private let stride: Int
  private let block: HeapMemory

  /// Sets all bytes to zero; `stride` is the device's in bytes, 0 if the device has none.
  init(format: FrameFormat, stride: Int) {
    layout = format.pixelFormat.layout
    width = format.width
    height = format.height
    let isPlanar = layout.chromaSubsampling == (2, 2)
    self.stride = max(stride, isPlanar ? width : 2 * width)
    // The size that the device reports may be rounded up to whole pages.
    block = HeapMemory(
      byteCount: self.stride * height + (isPlanar ? 2 * (self.stride / 2 * (height / 2)) : 0))
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  private var memory: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: block.baseAddress, count: block.byteCount)
  }

  /// The bytes for the device; valid until the next `fill`.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(memory)
  }

  func fill(_ pixels: PixelBuffer) {
    if layout.chromaSubsampling == (2, 2) { copyPlanes(pixels) } else { interleave(pixels) }
  }

  private func copyPlanes(_ pixels: PixelBuffer) {
    let memory = memory
    var start = 0
    for (index, plane) in layout.planes.enumerated() {
      let sourceStride = pixels.planes[index].stride
      let step = index == 0 ? stride : stride / 2
      let count = plane.width(width)
      pixels.bytes(ofPlane: index).withUnsafeBytes { source in
        for row in 0..<plane.height(height) {
          let (to, from) = (start + row * step, row * sourceStride)
          memory[to..<to + count].copyBytes(from: source[from..<from + count])
        }
      }
      start += step * plane.height(height)
    }
  }

  private func interleave(_ pixels: PixelBuffer) {
    let (memory, strides) = (memory, pixels.planes.map(\.stride))
    pixels.bytes(ofPlane: 0).withUnsafeBytes { luma in
      pixels.bytes(ofPlane: 1).withUnsafeBytes { blue in
        pixels.bytes(ofPlane: 2).withUnsafeBytes { red in
          for row in 0..<height {
            let (to, lumaRow) = (row * stride, row * strides[0])
            let (blueRow, redRow) = (row * strides[1], row * strides[2])
            for pair in 0..<width / 2 {
              memory[to + 4 * pair] = luma[lumaRow + 2 * pair]
              memory[to + 4 * pair + 1] = blue[blueRow + pair]
              memory[to + 4 * pair + 2] = luma[lumaRow + 2 * pair + 1]
              memory[to + 4 * pair + 3] = red[redRow + pair]
            }
          }
        }
      }
    }
  }
}
