import CVulkan

/// The images and buffers that one dispatch of a kernel uses.
///
/// It is changed only while no submitted command uses it, which the frame slot's wait ensures. It keeps
/// the bound resources alive.
public final class DescriptorSet {
  /// A resource that can be bound.
  public enum Resource {
    case image(Image)
    /// `byteCount` bytes from `offset`, or the whole buffer.
    case buffer(Buffer, offset: Int = 0, byteCount: Int? = nil)
    case texels(TexelView)
  }

  let kernel: ComputePipeline
  let handle: VkDescriptorSet
  private let pool: VkDescriptorPool
  private var bound: [Resource?]

  /// Makes a set for the kernel with the resources at its binding numbers; nil ones are bound later.
  public init(kernel: ComputePipeline, _ resources: [Resource?]) throws(VulkanError) {
    precondition(resources.count == kernel.bindings.count, "one resource a binding")
    let device = kernel.device.handle
    let sizes = kernel.bindings.map {
      VkDescriptorPoolSize(type: $0.vulkan, descriptorCount: 1)
    }
    let pool = try create("vkCreateDescriptorPool") { pool in
      sizes.withUnsafeBufferPointer { sizes in
        var info = VkDescriptorPoolCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
        info.maxSets = 1
        info.poolSizeCount = UInt32(sizes.count)
        info.pPoolSizes = sizes.baseAddress
        return vkCreateDescriptorPool(device, &info, nil, &pool)
      }
    }
    var layout: VkDescriptorSetLayout? = kernel.setLayout
    do {
      handle = try create("vkAllocateDescriptorSets") { set in
        withUnsafePointer(to: &layout) { layout in
          var info = VkDescriptorSetAllocateInfo()
          info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
          info.descriptorPool = pool
          info.descriptorSetCount = 1
          info.pSetLayouts = layout
          return vkAllocateDescriptorSets(device, &info, &set)
        }
      }
    } catch {
      vkDestroyDescriptorPool(device, pool, nil)
      throw error
    }
    self.pool = pool
    self.kernel = kernel
    bound = resources
    for (index, resource) in resources.enumerated() {
      if let resource { bind(resource, at: index) }
    }
  }

  deinit { vkDestroyDescriptorPool(kernel.device.handle, pool, nil) }

  /// Replaces the resource at a binding number.
  public func bind(_ resource: Resource, at index: Int) {
    bound[index] = resource
    var write = VkWriteDescriptorSet()
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
    write.dstSet = handle
    write.dstBinding = UInt32(index)
    write.descriptorCount = 1
    write.descriptorType = kernel.bindings[index].vulkan
    switch resource {
    case .image(let image):
      var info = VkDescriptorImageInfo()
      info.sampler = kernel.bindings[index] == .sampledImage ? kernel.sampler : nil
      info.imageView = image.view
      info.imageLayout = image.format.layout
      withUnsafePointer(to: &info) {
        write.pImageInfo = $0
        vkUpdateDescriptorSets(kernel.device.handle, 1, &write, 0, nil)
      }
    case .buffer(let buffer, let offset, let byteCount):
      var info = VkDescriptorBufferInfo()
      info.buffer = buffer.handle
      info.offset = VkDeviceSize(offset)
      info.range = byteCount.map { VkDeviceSize($0) } ?? kf_vk_whole_size()
      withUnsafePointer(to: &info) {
        write.pBufferInfo = $0
        vkUpdateDescriptorSets(kernel.device.handle, 1, &write, 0, nil)
      }
    case .texels(let view):
      var handle: VkBufferView? = view.handle
      withUnsafePointer(to: &handle) {
        write.pTexelBufferView = $0
        vkUpdateDescriptorSets(kernel.device.handle, 1, &write, 0, nil)
      }
    }
  }
}
