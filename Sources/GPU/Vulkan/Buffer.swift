import CVulkan
public import Frames

/// A range of bytes on the GPU, which the CPU can also access unless the use is `.device`.
///
/// As a `PixelMemory` it can be lent by a pool.
public final class Buffer: PixelMemory, @unchecked Sendable {
  // @unchecked: the handles never change; the pool or the frame slot decides who writes the bytes.
  let handle: VkBuffer
  private let memory: DeviceMemory
  private let device: Device
  /// Whether other devices were let in, so that the GPU has to take the buffer back before it writes.
  var isGiven = false

  static let usage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT.rawValue | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.rawValue
    | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT.rawValue
    | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT.rawValue
    | VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue

  /// Makes a buffer for shaders (storage, uniform and texels) and for copies from and to it.
  ///
  /// - Throws: If memory is short, or if other devices shall open it and the driver does not let them.
  public init(
    device: Device, byteCount: Int, use: MemoryUse, isShared: Bool = false
  ) throws(VulkanError) {
    var external = VkExternalMemoryBufferCreateInfo()
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
    external.handleTypes = device.descriptorType.rawValue
    let handle = try create("vkCreateBuffer") { buffer in
      withUnsafePointer(to: &external) { external in
        var info = VkBufferCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
        info.pNext = isShared ? UnsafeRawPointer(external) : nil
        info.size = VkDeviceSize(byteCount)
        info.usage = Buffer.usage
        return vkCreateBuffer(device.handle, &info, nil, &buffer)
      }
    }
    do {
      var requirements = VkMemoryRequirements()
      vkGetBufferMemoryRequirements(device.handle, handle, &requirements)
      memory = try DeviceMemory(
        device: device, requirements: requirements, use: use, shared: isShared ? handle : nil)
      try check(vkBindBufferMemory(device.handle, handle, memory.handle, 0), "vkBindBufferMemory")
    } catch {
      vkDestroyBuffer(device.handle, handle, nil)
      throw error
    }
    self.device = device
    self.handle = handle
    // A buffer that only the GPU accesses has no address; this placeholder is never read.
    super.init(
      baseAddress: memory.mapped ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped,
      byteCount: byteCount)
  }

  deinit { vkDestroyBuffer(device.handle, handle, nil) }

  public override var descriptor: Int32? { memory.descriptor }

  /// The bytes for access by the CPU; empty for `.device`.
  public var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory.mapped, count: memory.mapped == nil ? 0 : byteCount)
  }

  /// Makes what the GPU wrote visible to the CPU; to be called after the wait.
  public func invalidate() throws(VulkanError) { try memory.invalidate() }

  /// Sets the bytes from `start` on to zero, for CPU and GPU; the GPU must not be using them.
  func clear(from start: Int) throws(VulkanError) {
    for index in start..<bytes.count { bytes[index] = 0 }
    try memory.flush()
  }
}
