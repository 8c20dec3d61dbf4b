import CVulkan

/// A GPU in a listing.
package struct GPUDescription: Sendable {
  /// The number that `--gpu` takes.
  package let index: Int
  package let name: String
  /// discrete, integrated, virtual, cpu or other.
  package let type: String
  /// The driver's name and version.
  package let driver: String
  /// The version of Vulkan, "1.3.230".
  package let apiVersion: String
  /// 32 hexadecimal digits that stay the same as long as device and driver do.
  package let uuid: String
  /// What it lacks for kfrec's work; empty when it is suitable.
  package let missing: [String]
  package var suitable: Bool { missing.isEmpty }

  init(index: Int, device: PhysicalDevice) {
    self.index = index
    name = device.facts.name
    type = device.facts.kind.name
    driver = device.driver
    let version = device.properties.apiVersion
    apiVersion =
      "\(kf_vk_version_major(version)).\(kf_vk_version_minor(version)).\(kf_vk_version_patch(version))"
    uuid = device.uuid
    missing = device.facts.missing
  }
}

/// The GPUs that the Vulkan loader knows, in its order; none is an empty list.
package func listGPUs() throws(VulkanError) -> [GPUDescription] {
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

/// The version of the Vulkan loader, "1.3.239".
package func vulkanLoaderVersion() -> String {
  var version: UInt32 = 0
  guard vkEnumerateInstanceVersion(&version) == VK_SUCCESS else { return "unknown" }
  return
    "\(kf_vk_version_major(version)).\(kf_vk_version_minor(version)).\(kf_vk_version_patch(version))"
}
