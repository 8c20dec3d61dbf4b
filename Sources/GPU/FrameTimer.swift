import CVulkan

/// When the GPU ran a frame's commands, in nanoseconds of its own clock.
package struct GPUSpan: Hashable, Sendable {
  package let begin: Int64
  package let end: Int64
}

/// Two time stamps around the commands of a frame, again and again.
///
/// Used by the thread that records them.
final class FrameTimer {
  private let device: Device
  private let pool: VkQueryPool
  private let mask: UInt64
  private let period: Double

  /// Nil on a GPU whose queue has no time stamps.
  init?(device: Device) throws(VulkanError) {
    let bits = device.physical.timestampBits
    guard bits > 0 else { return nil }
    var info = VkQueryPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
    info.queryType = VK_QUERY_TYPE_TIMESTAMP
    info.queryCount = 2
    var pool: VkQueryPool?
    try check(vkCreateQueryPool(device.handle, &info, nil, &pool), "vkCreateQueryPool")
    self.pool = try created(pool, "vkCreateQueryPool")
    self.device = device
    mask = bits >= 64 ? .max : (1 << UInt64(bits)) - 1
    period = Double(device.physical.properties.limits.timestampPeriod)
  }

  deinit { vkDestroyQueryPool(device.handle, pool, nil) }

  /// The first of the frame's commands.
  func begin(_ buffer: VkCommandBuffer) {
    vkCmdResetQueryPool(buffer, pool, 0, 2)
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0)
  }

  /// The last of the frame's commands.
  func end(_ buffer: VkCommandBuffer) {
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1)
  }

  /// When the commands ran, after the wait for them; nil where the clock's few bits started anew
  /// meanwhile.
  ///
  /// The GPU may begin a frame while it still runs the one before.
  func span() throws(VulkanError) -> GPUSpan? {
    var stamps: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: stamps)
    let result = vkGetQueryPoolResults(
      device.handle, pool, 0, 2, size, &stamps, VkDeviceSize(MemoryLayout<UInt64>.stride),
      VK_QUERY_RESULT_64_BIT.rawValue)
    try check(result, "vkGetQueryPoolResults")
    let (begin, end) = (stamps.0 & mask, stamps.1 & mask)
    guard begin <= end else { return nil }
    // The difference first: a clock that has run for months has more digits than a Double.
    let length = Int64((Double(end - begin) * period).rounded())
    let start = Int64(clamping: UInt64(Double(begin) * period))
    return GPUSpan(begin: start, end: start + length)
  }
}
