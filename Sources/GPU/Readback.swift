import CVulkan
package import Frames

/// Stage four of the line: colours become the sink's planes, in a pooled buffer that the CPU reads
/// without another copy.
package final class Readback {
  /// The frames it makes.
  package let format: FrameFormat
  /// How the last kernel writes them.
  package let writer: PixelStore

  private let pool: PixelBufferPool<Buffer>

  /// Something was transparent in a frame so far, and the sink has no alpha: it is over black there.
  package private(set) var hasFlattened = false

  /// Prepares for the sink's format and the picture's place on the canvas.
  package init(device: Device, format: FrameFormat, geometry: FrameGeometry) throws {
    self.format = format
    writer =
      PlanePacker(
        format: format, canvas: (geometry.canvasWidth, geometry.canvasHeight),
        place: (geometry.x, geometry.y, geometry.width, geometry.height)
      ).writer
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    // What lies beyond the range that shaders reach would be lost without a word.
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

  /// A frame's buffer on its way: filled once the commands have run.
  package struct Pending {
    fileprivate let memory: Buffer
    fileprivate let pixels: PixelBuffer

    /// What the last kernel's result is bound to.
    package var resource: DescriptorSet.Resource { .buffer(memory) }
  }

  /// A buffer of the pool for the next frame.
  package func lease() throws -> Pending {
    let lent = try pool.lease()
    let memory = lent.memory
    // The GPU writes it, and nobody can have the pixels before `pixels(of:)`.
    return Pending(memory: memory, pixels: lent.freeze())
  }

  /// The pixels, after the wait for the commands.
  package func pixels(of pending: Pending) throws(VulkanError) -> PixelBuffer {
    try pending.memory.invalidate()
    let note = pending.memory.bytes.loadUnaligned(
      fromByteOffset: pool.layout.byteCount, as: UInt32.self)
    if note != 0 { hasFlattened = true }
    return pending.pixels
  }
}
