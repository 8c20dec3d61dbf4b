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

  /// Where rows and planes may start.
  public struct Alignment: Hashable, Sendable {
    /// Rows start at multiples of this many bytes, a divisor of 256.
    public var bytes: Int
    /// Planes have room for a multiple of this many rows.
    public var rows: Int

    public init(bytes: Int, rows: Int = 1) { (self.bytes, self.rows) = (bytes, rows) }

    /// It suits SIMD encoders (x264 needs 32 or more), Vulkan's buffer-to-image copies (a multiple of
    /// the texel and of 4) and whole-word stores of 4 to 16 pixels by a shader.
    public static let usual = Alignment(bytes: 64)
    /// For memory that encoders on hardware open: their drivers refuse rows at other places, and memory that ends with
    /// the last row (github.com/intel/media-driver, issue 169; intel/intel-vaapi-driver, issue 241; amd/ama-sdk, issue 5).
    public static let shared = Alignment(bytes: 256, rows: 32)
  }

  /// Planes start at multiples of this many bytes, the largest `minTexelBufferOffsetAlignment` that Vulkan permits (table
  /// "Required Limits"; SwiftShader has it).
  private static let start = 256

  /// Lays out a frame.
  public init(
    pixelFormat: PixelFormat, width: Int, height: Int, alignment: Alignment = .usual
  ) {
    var offset = 0
    planes = pixelFormat.layout.planes.map { plane in
      let row = plane.width(width) * plane.bytesPerTexel
      // A plane of 3-byte texels needs a stride of whole texels and whole words.
      let unit = plane.channels == 3 ? alignment.bytes * 3 : alignment.bytes
      let placed = Plane(
        offset: offset, stride: (row + unit - 1) / unit * unit, rows: plane.height(height))
      let rows = (placed.rows + alignment.rows - 1) / alignment.rows * alignment.rows
      offset += (placed.stride * rows + Self.start - 1) / Self.start * Self.start
      return placed
    }
    byteCount = offset
  }
}
