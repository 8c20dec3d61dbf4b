import CVulkan
public import Frames

/// Stage four of the pipeline: converts colours to the sink's planes, in a pooled buffer that the CPU
/// reads without another copy.
public final class Readback {
  /// The format of the resulting frames.
  public let format: FrameFormat
  /// How the last kernel writes the frames.
  public let writer: PixelStore

  private let pool: PixelBufferPool<Buffer>

  /// Whether a frame so far had transparent pixels and the sink, which has no alpha, got them over black.
  public private(set) var hasFlattened = false

  /// Prepares for the sink's format and the image's place on the canvas.
  ///
  /// With `dithers` colours are rounded by a pattern, and not to the nearest code.
  public init(
    device: Device, format: FrameFormat, geometry: FrameGeometry, dithers: Bool
  ) throws {
    self.format = format
    writer =
      PlanePacker(
        format: format, geometry: geometry, dithers: dithers, isSoftware: device.kind == .cpu
      ).writer
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    // Bytes beyond the range that shaders can write would be lost without an error.
    let reach = Int(device.physical.properties.limits.maxStorageBufferRange)
    let byteCount = layout.byteCount + PlanePacker.noteByteCount
    guard byteCount <= reach else {
      throw VulkanError(
        """
        an output of \(format.width)x\(format.height) is more than shaders can write on the GPU \
        \(device.name) (\(reach >> 20) MiB); make it smaller with --size
        """)
    }
    pool = PixelBufferPool(layout: layout) {
      let buffer = try Buffer(device: device, byteCount: byteCount, use: .readback)
      try buffer.clear(from: layout.byteCount)
      return buffer
    }
  }

  /// The buffer of a frame in flight: filled when the commands have run.
  public struct Pending {
    fileprivate let memory: Buffer
    fileprivate let pixels: PixelBuffer

    /// The resource that the last kernel writes.
    public var resource: DescriptorSet.Resource { .buffer(memory) }
  }

  /// Takes a buffer from the pool for the next frame.
  public func lease() throws -> Pending {
    let lent = try pool.lease()
    let memory = lent.memory
    // The GPU writes it, and nobody gets the pixels before `pixels(of:)`.
    return Pending(memory: memory, pixels: lent.freeze())
  }

  /// The pixels; to be called after the wait for the commands.
  public func pixels(of pending: Pending) throws(VulkanError) -> PixelBuffer {
    try pending.memory.invalidate()
    let note = pending.memory.bytes.loadUnaligned(
      fromByteOffset: pool.layout.byteCount, as: UInt32.self)
    if note != 0 { hasFlattened = true }
    return pending.pixels
  }
}
