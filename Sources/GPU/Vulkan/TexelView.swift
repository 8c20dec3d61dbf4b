import CVulkan

/// A range of a buffer's bytes as texels of a format, which shaders read or write by index.
public final class TexelView {
  let handle: VkBufferView
  private let buffer: Buffer
  private let device: Device

  /// Makes a view of `byteCount` bytes from `offset`, which must be a multiple of 256.
  init(
    device: Device, buffer: Buffer, offset: Int = 0, byteCount: Int, format: Image.Format
  ) throws(VulkanError) {
    let limit = device.facts.maxTexels
    guard byteCount / format.byteCount <= limit else {
      throw VulkanError(
        """
        an image of \(byteCount / format.byteCount) pixels is larger than shaders can read from a \
        buffer on the GPU \(device.name) (\(limit)); make the image smaller first
        """)
    }
    var info = VkBufferViewCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO
    info.buffer = buffer.handle
    info.format = format.vulkan
    info.offset = VkDeviceSize(offset)
    info.range = VkDeviceSize(byteCount)
    handle = try create("vkCreateBufferView") { vkCreateBufferView(device.handle, &info, nil, &$0) }
    self.buffer = buffer
    self.device = device
  }

  deinit { vkDestroyBufferView(device.handle, handle, nil) }
}
