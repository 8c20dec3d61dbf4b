/// How the planes of a frame follow each other in one block of memory.
public struct BufferLayout: Hashable, Sendable {
  /// The place of a plane in the block.
  public struct Plane: Hashable, Sendable {
    /// Bytes from the start of the block.
    public let offset: Int
    /// Bytes from the start of one row to the next.
    public let stride: Int
    public let rows: Int
    public var byteCount: Int { stride * rows }
  }

  public let planes: [Plane]
  public let byteCount: Int

  /// Lays out a frame so that rows and planes start at multiples of `alignment` bytes.
  ///
  /// 64 suits SIMD encoders (x264 needs 32 or more), Vulkan's buffer-to-image copies (a multiple of
  /// the texel and of 4) and whole-word stores of 4 to 16 pixels by a shader.
  public init(pixelFormat: PixelFormat, width: Int, height: Int, alignment: Int = 64) {
    var offset = 0
    planes = pixelFormat.layout.planes.map { plane in
      let row = plane.width(width) * plane.bytesPerTexel
      // A plane of 3-byte texels needs a stride of whole texels and whole words.
      let unit = plane.channels == 3 ? alignment * 3 : alignment
      let placed = Plane(
        offset: offset, stride: (row + unit - 1) / unit * unit, rows: plane.height(height))
      offset += (placed.byteCount + alignment - 1) / alignment * alignment
      return placed
    }
    byteCount = offset
  }
}
