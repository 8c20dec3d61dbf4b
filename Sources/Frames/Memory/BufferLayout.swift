/// How the planes of a picture lie one after the other in a single block of memory.
package struct BufferLayout: Hashable, Sendable {
  /// A plane's place in the block.
  package struct Plane: Hashable, Sendable {
    /// Bytes from the start of the block.
    package let offset: Int
    /// Bytes from a row to the next.
    package let stride: Int
    package let rows: Int
    package var byteCount: Int { stride * rows }
  }

  package let planes: [Plane]
  package let byteCount: Int

  /// Lays out a picture with rows and planes that start at multiples of `alignment` bytes.
  ///
  /// 64 suits SIMD encoders (x264 wants 32 or more), Vulkan's buffer-to-image copies (a multiple of
  /// the texel and of 4) and whole-word stores of 4 to 16 pixels by a shader.
  package init(pixelFormat: PixelFormat, width: Int, height: Int, alignment: Int = 64) {
    var offset = 0
    planes = pixelFormat.layout.planes.map { plane in
      let row = plane.width(width) * plane.bytesPerTexel
      // Texels of 3 bytes need a stride that holds whole texels and whole words.
      let unit = plane.channels == 3 ? alignment * 3 : alignment
      let placed = Plane(
        offset: offset, stride: (row + unit - 1) / unit * unit, rows: plane.height(height))
      offset += (placed.byteCount + alignment - 1) / alignment * alignment
      return placed
    }
    byteCount = offset
  }
}
