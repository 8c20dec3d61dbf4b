import CVulkan

/// When the GPU ran a frame's commands, in nanoseconds of its own clock.
public struct GPUSpan: Hashable, Sendable {
  public let begin: Int64
  public let end: Int64
}

/// Two timestamps around the commands of a frame, reused for every frame.
///
/// The GPU copies them to memory itself: vkGetQueryPoolResults makes lavapipe wait for everything that
/// was submitted, also for later frames (Mesa 22.3), however long they take.
///
/// Used by the thread that records the commands.
final class FrameTimer {
  private let device: Device
  private let pool: VkQueryPool
  /// Holds both timestamps.
  private let stamps: Buffer
  private let mask: UInt64
  private let period: Double

  /// Returns nil on a GPU whose queue has no timestamps.
  init?(device: Device) throws(VulkanError) {
    let bits = device.physical.timestampBits
    guard bits > 0 else { return nil }
    var info = VkQueryPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
    info.queryType = VK_QUERY_TYPE_TIMESTAMP
    info.queryCount = 2
    let owned = try create("vkCreateQueryPool") {
      vkCreateQueryPool(device.handle, &info, nil, &$0)
    }
    do {
      stamps = try Buffer(
        device: device, byteCount: 2 * MemoryLayout<UInt64>.stride, use: .readback)
    } catch {
      vkDestroyQueryPool(device.handle, owned, nil)
      throw error
    }
    self.pool = owned
    self.device = device
    mask = bits >= 64 ? .max : (1 << UInt64(bits)) - 1
    period = Double(device.physical.properties.limits.timestampPeriod)
  }

  deinit { vkDestroyQueryPool(device.handle, pool, nil) }

  /// Records the first of the frame's commands.
  func begin(_ buffer: VkCommandBuffer) {
    vkCmdResetQueryPool(buffer, pool, 0, 2)
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0)
  }

  /// Records the last of the frame's commands.
  func end(_ buffer: VkCommandBuffer) {
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1)
    vkCmdCopyQueryPoolResults(
      buffer, pool, 0, 2, stamps.handle, 0, VkDeviceSize(MemoryLayout<UInt64>.stride),
      VK_QUERY_RESULT_64_BIT.rawValue | VK_QUERY_RESULT_WAIT_BIT.rawValue)
    barrier(
      in: buffer, from: VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT.rawValue,
      to: VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT.rawValue)
  }

  /// When the commands ran; nil if the clock, which has few bits, wrapped around meanwhile.
  ///
  /// It is called after the wait. The GPU may begin a frame while it still runs the previous one.
  func span() throws(VulkanError) -> GPUSpan? {
    try stamps.invalidate()
    let begin = stamps.bytes.load(as: UInt64.self) & mask
    let end = stamps.bytes.load(fromByteOffset: 8, as: UInt64.self) & mask
    guard begin <= end else { return nil }
    // The difference is taken first: a clock that has run for months has more digits than a Double.
    let length = Int64((Double(end - begin) * period).rounded())
    let start = Int64(clamping: UInt64(Double(begin) * period))
    return GPUSpan(begin: start, end: start + length)
  }
}
