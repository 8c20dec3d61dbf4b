import CVulkan

/// A GPU in a listing.
public struct GPUDescription: Sendable {
  /// The number that `--gpu` takes.
  public let index: Int
  public let name: String
  /// discrete, integrated, virtual, cpu or other.
  public let type: String
  /// The driver's name and version.
  public let driver: String
  /// The Vulkan version, such as "1.3.230".
  public let apiVersion: String
  /// 32 hexadecimal digits that stay the same for the same device and driver.
  public let uuid: String
  /// Such as "0000:3b:00.0"; nil if the driver does not tell it.
  public let pciAddress: String?
  /// The features that kfrec needs and the GPU lacks; empty for a suitable GPU.
  public let missing: [String]
  public var suitable: Bool { missing.isEmpty }

  init(index: Int, device: PhysicalDevice) {
    self.index = index
    name = device.facts.name
    type = device.facts.kind.name
    driver = device.driver
    apiVersion = text(ofVersion: device.properties.apiVersion)
    uuid = device.facts.uuid
    pciAddress = device.facts.pciAddress?.description
    missing = device.facts.missing
  }
}

/// Lists the GPUs that the Vulkan loader knows, in its order; empty if there is none.
public func listGPUs() throws(VulkanError) -> [GPUDescription] {
  let instance: Instance
  do {
    instance = try Instance()
  } catch {
    if error.description == VulkanError.noDriver.description { return [] }
    throw error
  }
  return try instance.physicalDevices().enumerated().map {
    GPUDescription(index: $0.offset, device: PhysicalDevice($0.element))
  }
}

/// The version of the Vulkan loader, such as "1.3.239".
public func vulkanLoaderVersion() -> String {
  var version: UInt32 = 0
  guard vkEnumerateInstanceVersion(&version) == VK_SUCCESS else { return "unknown" }
  return text(ofVersion: version)
}

private func text(ofVersion code: UInt32) -> String {
  "\(kf_vk_version_major(code)).\(kf_vk_version_minor(code)).\(kf_vk_version_patch(code))"
}
