import CVulkan
public import ShaderCompiler

/// The kind of resource at a binding number (set 0; the number is the index in the list).
public enum BindingKind: Sendable {
  case uniformBuffer
  /// An image that is sampled with nearest filtering, clamped to the edge.
  case sampledImage
  case storageImage
  case storageBuffer
  /// A texel buffer to read.
  case texelBuffer
  /// A texel buffer to write.
  case storageTexelBuffer

  var vulkan: VkDescriptorType {
    switch self {
    case .uniformBuffer: VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
    case .sampledImage: VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
    case .storageImage: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    case .storageBuffer: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    case .texelBuffer: VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
    case .storageTexelBuffer: VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
    }
  }
}

/// A compute shader ready for dispatch: pipeline, layout, and the sampler of its images.
public final class ComputePipeline: @unchecked Sendable {
  // @unchecked: the handles never change.

  /// Invocations of a work group, as the shader declares them.
  public let groupSize: (width: Int, height: Int)
  let bindings: [BindingKind]
  let pipeline: VkPipeline
  let layout: VkPipelineLayout
  let setLayout: VkDescriptorSetLayout
  let sampler: VkSampler
  let device: Device

  /// Makes a pipeline of SPIR-V whose entry point is `main`.
  ///
  /// - Throws: An error with `refusesKernel` if the kernel exceeds the GPU's limits.
  public init(device: Device, spirv: SPIRV, bindings: [BindingKind]) throws(VulkanError) {
    let group = spirv.localSize ?? (WorkGroup.square.width, WorkGroup.square.height, 1)
    let limit = device.facts.maxWorkGroupInvocations
    guard group.x * group.y * group.z <= limit else {
      throw .kernel(
        """
        a work group of \(group.x)x\(group.y)x\(group.z) is more than the GPU \(device.name) \
        takes (\(limit) invocations); make local_size smaller
        """)
    }
    let (shared, sharedLimit) = (spirv.sharedByteCount, device.facts.maxSharedMemory)
    guard shared <= sharedLimit else {
      throw .kernel(
        """
        shared variables of \(shared) bytes are more than the GPU \(device.name) has for a work group \
        (\(sharedLimit)); make the arrays smaller
        """)
    }
    if let excess = device.facts.bindings.excess(of: bindings) {
      throw .kernel(
        """
        \(excess.count) \(excess.what) are more than the GPU \(device.name) takes in one kernel \
        (\(excess.limit)); use fewer, or name another device with --gpu
        """)
    }
    groupSize = (group.x, group.y)
    let parts = ComputeKernelParts(device: device)
    let sampler = try parts.makeSampler()
    let setLayout = try parts.makeSetLayout(bindings)
    let layout = try parts.makeLayout(setLayout)
    pipeline = try parts.makePipeline(spirv, layout)
    device.countKernel()
    parts.keep()
    self.device = device
    self.bindings = bindings
    self.sampler = sampler
    self.setLayout = setLayout
    self.layout = layout
  }

  deinit {
    vkDestroyPipeline(device.handle, pipeline, nil)
    vkDestroyPipelineLayout(device.handle, layout, nil)
    vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
    vkDestroySampler(device.handle, sampler, nil)
  }
}

/// The handles of a kernel under construction; they are destroyed unless kept, so that a failure
/// leaves nothing.
private final class ComputeKernelParts {
  private let device: Device
  private var sampler: VkSampler?
  private var setLayout: VkDescriptorSetLayout?
  private var layout: VkPipelineLayout?
  private var isKept = false

  init(device: Device) { self.device = device }

  deinit {
    guard !isKept else { return }
    vkDestroyPipelineLayout(device.handle, layout, nil)
    vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
    vkDestroySampler(device.handle, sampler, nil)
  }

  func keep() { isKept = true }

  func makeSampler() throws(VulkanError) -> VkSampler {
    var info = VkSamplerCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO
    info.magFilter = VK_FILTER_NEAREST
    info.minFilter = VK_FILTER_NEAREST
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
    try check(vkCreateSampler(device.handle, &info, nil, &sampler), "vkCreateSampler")
    return try created(sampler, "vkCreateSampler")
  }

  func makeSetLayout(_ bindings: [BindingKind]) throws(VulkanError) -> VkDescriptorSetLayout {
    let entries = bindings.enumerated().map { index, kind in
      var entry = VkDescriptorSetLayoutBinding()
      entry.binding = UInt32(index)
      entry.descriptorType = kind.vulkan
      entry.descriptorCount = 1
      entry.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
      return entry
    }
    let result = entries.withUnsafeBufferPointer { entries in
      var info = VkDescriptorSetLayoutCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
      info.bindingCount = UInt32(entries.count)
      info.pBindings = entries.baseAddress
      return vkCreateDescriptorSetLayout(device.handle, &info, nil, &setLayout)
    }
    try check(result, "vkCreateDescriptorSetLayout")
    return try created(setLayout, "vkCreateDescriptorSetLayout")
  }

  func makeLayout(_ setLayout: VkDescriptorSetLayout) throws(VulkanError) -> VkPipelineLayout {
    var set: VkDescriptorSetLayout? = setLayout
    let result = withUnsafePointer(to: &set) { set in
      var info = VkPipelineLayoutCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
      info.setLayoutCount = 1
      info.pSetLayouts = set
      return vkCreatePipelineLayout(device.handle, &info, nil, &layout)
    }
    try check(result, "vkCreatePipelineLayout")
    return try created(layout, "vkCreatePipelineLayout")
  }

  func makePipeline(_ spirv: SPIRV, _ layout: VkPipelineLayout) throws(VulkanError) -> VkPipeline {
    var module: VkShaderModule?
    let words = device.physical.clearsShared ? spirv.clearingShared.words : spirv.words
    let moduleResult = words.withUnsafeBufferPointer { words in
      var info = VkShaderModuleCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
      info.codeSize = words.count * 4
      info.pCode = words.baseAddress
      return vkCreateShaderModule(device.handle, &info, nil, &module)
    }
    try check(moduleResult, "vkCreateShaderModule")
    // The module is needed only until the pipeline is made.
    defer { vkDestroyShaderModule(device.handle, module, nil) }
    var pipeline: VkPipeline?
    let result = "main".withCString { entryPoint in
      var info = VkComputePipelineCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
      info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
      info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
      info.stage.module = module
      info.stage.pName = entryPoint
      info.layout = layout
      return vkCreateComputePipelines(
        device.handle, device.pipelines.handle, 1, &info, nil, &pipeline)
    }
    try check(result, "vkCreateComputePipelines")
    return try created(pipeline, "vkCreateComputePipelines")
  }
}
