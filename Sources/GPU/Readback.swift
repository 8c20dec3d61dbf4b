import CVulkan
public import Frames

/// Stage four of the pipeline: converts colours to the sink's planes, in a pooled buffer that the CPU
/// reads without another copy.
///
/// An encoder on hardware can open the buffers, if the driver lets it.
public final class Readback {
  /// The format of the resulting frames.
  public let format: FrameFormat
  /// How the last kernel writes the frames.
  public let writer: PixelStore

  /// Whether the results lie where other devices open them.
  public let isShared: Bool

  private let pool: PixelBufferPool<Buffer>

  /// Whether a frame so far had transparent pixels and the sink, which has no alpha, got them over black.
  public private(set) var hasFlattened = false

  /// Prepares for the sink's format and the image's place on the canvas.
  ///
  /// With `dithers` colours are rounded by a pattern, and not to the nearest code. If the results are `wantedByDevice`, they
  /// lie where it opens them, if the driver lets it.
  public init(
    device: Device, format: FrameFormat, geometry: FrameGeometry, dithers: Bool,
    wantedByDevice: Bool
  ) throws {
    self.format = format
    isShared = wantedByDevice && device.results.reason == nil
    let packer = PlanePacker(
      format: format, geometry: geometry, dithers: dithers, isSoftware: device.kind == .cpu,
      alignment: isShared ? .shared : .usual)
    writer = packer.writer
    let layout = packer.buffer
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
    pool = PixelBufferPool(layout: layout) { [isShared] in
      let buffer = try Readback.buffer(device, byteCount, isShared: isShared)
      try buffer.clear(from: layout.byteCount)
      return buffer
    }
  }

  private static func buffer(
    _ device: Device, _ byteCount: Int, isShared: Bool
  ) throws(VulkanError) -> Buffer {
    if isShared, device.results.reason == nil {
      do throws(VulkanError) {
        return try Buffer(device: device, byteCount: byteCount, use: .readback, isShared: true)
      } catch {
        device.results.stop(because: "\(error)")
      }
    }
    return try Buffer(device: device, byteCount: byteCount, use: .readback)
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

  /// Records, before the kernels that write a buffer, that it comes back from other devices.
  public func begin(_ pending: Pending, in list: CommandBuffer) {
    guard pending.memory.isGiven else { return }
    pending.memory.isGiven = false
    list.take(
      pending.memory.handle, for: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT)
  }

  /// Records, after the kernels that write a buffer, that other devices may read it.
  public func end(_ pending: Pending, in list: CommandBuffer) {
    guard pending.memory.descriptor != nil else { return }
    pending.memory.isGiven = true
    list.give(pending.memory.handle)
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
