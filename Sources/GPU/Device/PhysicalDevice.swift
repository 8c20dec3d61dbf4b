import CVulkan
import Glibc

/// A GPU as the driver describes it, before any object is made on it.
struct PhysicalDevice {
  let handle: VkPhysicalDevice
  let facts: DeviceFacts
  let properties: VkPhysicalDeviceProperties
  let memory: VkPhysicalDeviceMemoryProperties
  /// Index of the queue family to use: one with compute, and with graphics too if there is one (on some
  /// GPUs a compute-only family can be slower at copies).
  let queueFamily: UInt32
  /// Number of valid bits of a timestamp on that family's queues; 0 if it has no timestamps.
  let timestampBits: UInt32
  let driver: String
  /// What decides about pictures in the memory of other devices.
  let sharing: SharingFacts
  /// Whether the driver can make shared variables begin as zero.
  let clearsShared: Bool
  static let clearing = VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME

  init(_ handle: VkPhysicalDevice) {
    self.handle = handle
    var id = VkPhysicalDeviceIDProperties()
    id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES
    var driver = VkPhysicalDeviceDriverProperties()
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES
    var plain = VkPhysicalDeviceProperties()
    vkGetPhysicalDeviceProperties(handle, &plain)
    // For tests: the device has no more than every device must have.
    let isLeast = getenv("KFREC_LEAST_LIMITS").map { String(cString: $0) } == "1"
    if isLeast { plain.limits.makeLeast() }
    var subgroups = VkPhysicalDeviceSubgroupProperties()
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES
    // The 1.2 structures may only be passed to a device that has 1.2.
    if plain.apiVersion >= kf_vk_api_version_1_2() {
      Self.ask(handle, for: &driver)
      Self.ask(handle, for: &id)
      Self.ask(handle, for: &subgroups)
    }
    properties = plain
    let driverName = text(of: driver.driverName)
    let driverInfo = text(of: driver.driverInfo)
    self.driver = driverInfo.isEmpty ? driverName : "\(driverName) \(driverInfo)"
    let uuid = withUnsafeBytes(of: id.deviceUUID) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let extensions =
      plain.apiVersion >= kf_vk_api_version_1_2() ? PhysicalDevice.extensions(handle) : []
    let pciAddress =
      extensions.contains(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)
      ? PhysicalDevice.pciAddress(handle) : nil
    var memory = VkPhysicalDeviceMemoryProperties()
    vkGetPhysicalDeviceMemoryProperties(handle, &memory)
    self.memory = memory

    var familyCount: UInt32 = 0
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &familyCount, nil)
    var families = [VkQueueFamilyProperties](repeating: .init(), count: Int(familyCount))
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &familyCount, &families)
    let compute = families.indices.filter {
      families[$0].queueFlags & VK_QUEUE_COMPUTE_BIT.rawValue != 0
    }
    let both = compute.first { families[$0].queueFlags & VK_QUEUE_GRAPHICS_BIT.rawValue != 0 }
    let family = both ?? compute.first ?? 0
    queueFamily = UInt32(family)
    timestampBits = family < families.count ? families[family].timestampValidBits : 0

    var facts = DeviceFacts(
      name: text(of: plain.deviceName),
      kind: PhysicalDevice.kind(plain.deviceType),
      apiVersion: (
        Int(kf_vk_version_major(plain.apiVersion)), Int(kf_vk_version_minor(plain.apiVersion))
      ))
    (facts.uuid, facts.pciAddress, facts.vendor) = (uuid, pciAddress, plain.vendorID)
    facts.hasComputeQueue = !compute.isEmpty
    let sampled = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT.rawValue
    facts.storesHalfFloatImages = PhysicalDevice.supports(
      handle, VK_FORMAT_R16G16B16A16_SFLOAT,
      sampled | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT.rawValue)
    facts.samplesIntegerImages = Image.Format.allCases.allSatisfy {
      PhysicalDevice.supports(handle, $0.vulkan, sampled)
    }
    facts.maxImageDimension = Int(plain.limits.maxImageDimension2D)
    facts.maxTexels = Int(plain.limits.maxTexelBufferElements)
    facts.maxWorkGroupInvocations = Int(plain.limits.maxComputeWorkGroupInvocations)
    facts.maxSharedMemory = Int(plain.limits.maxComputeSharedMemorySize)
    facts.bindings = BindingLimits(plain.limits)
    facts.hasQuads =
      !isLeast && subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT.rawValue != 0
      && subgroups.supportedOperations & VK_SUBGROUP_FEATURE_QUAD_BIT.rawValue != 0
      && plain.limits.maxComputeWorkGroupSize.0 >= UInt32(PixelQuads.groupSize)
    facts.hasHostVisibleMemory = memoryTypeFlags(memory).contains {
      $0 & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue != 0
    }
    self.facts = facts
    sharing = SharingFacts(handle, extensions: extensions, facts)
    clearsShared = !isLeast && extensions.contains(Self.clearing) && Self.canClear(handle)
  }

  /// Asks a device for more properties: a structure of Vulkan.
  private static func ask(_ device: VkPhysicalDevice, for more: UnsafeMutableRawPointer) {
    var properties = VkPhysicalDeviceProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    properties.pNext = more
    vkGetPhysicalDeviceProperties2(device, &properties)
  }

  /// Whether a device with VK_KHR_zero_initialize_workgroup_memory has its feature.
  private static func canClear(_ device: VkPhysicalDevice) -> Bool {
    var clearing = VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeaturesKHR()
    clearing.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES_KHR
    withUnsafeMutablePointer(to: &clearing) { clearing in
      var features = VkPhysicalDeviceFeatures2()
      features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
      features.pNext = UnsafeMutableRawPointer(clearing)
      vkGetPhysicalDeviceFeatures2(device, &features)
    }
    return clearing.shaderZeroInitializeWorkgroupMemory == VK_TRUE
  }

  /// The names of a device's extensions; none if the driver does not tell them.
  private static func extensions(_ device: VkPhysicalDevice) -> Set<String> {
    var count: UInt32 = 0
    guard vkEnumerateDeviceExtensionProperties(device, nil, &count, nil) == VK_SUCCESS else {
      return []
    }
    var extensions = [VkExtensionProperties](repeating: .init(), count: Int(count))
    let code = vkEnumerateDeviceExtensionProperties(device, nil, &count, &extensions)
    guard code == VK_SUCCESS || code == VK_INCOMPLETE else { return [] }
    return Set(extensions.prefix(Int(count)).map { text(of: $0.extensionName) })
  }

  /// Where a device with VK_EXT_pci_bus_info is on the PCI buses.
  private static func pciAddress(_ device: VkPhysicalDevice) -> PCIAddress {
    var place = VkPhysicalDevicePCIBusInfoPropertiesEXT()
    place.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT
    ask(device, for: &place)
    return PCIAddress(
      domain: place.pciDomain, bus: place.pciBus, device: place.pciDevice,
      function: place.pciFunction)
  }

  private static func supports(
    _ device: VkPhysicalDevice, _ format: VkFormat, _ features: UInt32
  ) -> Bool {
    var properties = VkFormatProperties()
    vkGetPhysicalDeviceFormatProperties(device, format, &properties)
    return properties.optimalTilingFeatures & features == features
  }

  private static func kind(_ type: VkPhysicalDeviceType) -> DeviceFacts.Kind {
    switch type {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .discrete
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: .virtual
    case VK_PHYSICAL_DEVICE_TYPE_CPU: .cpu
    default: .other
    }
  }
}

extension VkPhysicalDeviceLimits {
  /// Lowers what kfrec asks about to Vulkan's table "Required Limits".
  fileprivate mutating func makeLeast() {
    maxImageDimension2D = 4096
    maxTexelBufferElements = 65536
    maxStorageBufferRange = 1 << 27
    maxComputeSharedMemorySize = 16384
    maxComputeWorkGroupInvocations = 128
    maxComputeWorkGroupSize = (128, 128, 64)
    maxPerStageDescriptorUniformBuffers = 12
    maxPerStageDescriptorStorageBuffers = 4
    maxPerStageDescriptorSamplers = 16
    maxPerStageDescriptorSampledImages = 16
    maxPerStageDescriptorStorageImages = 4
    maxPerStageResources = 128
  }
}

/// The property flags of each memory type.
func memoryTypeFlags(_ memory: VkPhysicalDeviceMemoryProperties) -> [UInt32] {
  withUnsafeBytes(of: memory.memoryTypes) { bytes in
    bytes.bindMemory(to: VkMemoryType.self).prefix(Int(memory.memoryTypeCount))
      .map(\.propertyFlags)
  }
}

/// The string in a fixed-size character array of Vulkan.
private func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
