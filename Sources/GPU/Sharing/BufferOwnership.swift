import CVulkan

/// Buffers that change between this device and others (Vulkan, "Queue Family Ownership Transfer").
extension CommandBuffer {
  /// Takes a buffer that another device has used, with its content.
  func take(
    _ shared: VkBuffer, for stage: VkPipelineStageFlagBits, _ access: VkAccessFlagBits
  ) {
    var barrier = VkBufferMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER
    barrier.dstAccessMask = access.rawValue
    barrier.srcQueueFamilyIndex = device.otherQueues
    barrier.dstQueueFamilyIndex = device.physical.queueFamily
    barrier.buffer = shared
    barrier.size = kf_vk_whole_size()
    vkCmdPipelineBarrier(
      buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT.rawValue, stage.rawValue, 0, 0, nil, 1, &barrier, 0,
      nil)
  }

  /// Hands a buffer over to other devices, after kernels have written it.
  func give(_ shared: VkBuffer) {
    var barrier = VkBufferMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT.rawValue
    barrier.srcQueueFamilyIndex = device.physical.queueFamily
    barrier.dstQueueFamilyIndex = device.otherQueues
    barrier.buffer = shared
    barrier.size = kf_vk_whole_size()
    vkCmdPipelineBarrier(
      buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue,
      VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT.rawValue, 0, 0, nil, 1, &barrier, 0, nil)
  }
}
