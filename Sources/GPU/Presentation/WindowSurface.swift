import CVulkan

/// The part of a window that Vulkan draws into.
///
/// Used by one thread; it must be released before its window is closed.
public final class WindowSurface {
  let handle: VkSurfaceKHR
  let device: Device
  /// The texel format and the colour space of the images that are shown.
  let format: VkSurfaceFormatKHR
  /// How images wait for the screen: where possible a newer image replaces one that still waits.
  let presentMode: VkPresentModeKHR

  /// Makes the surface of a window by `make`, which gives nil if the window system cannot, on a device that was opened for
  /// windows.
  ///
  /// - Throws: If the device cannot show images in this window.
  public init(
    device: Device, make: (_ instance: OpaquePointer) -> OpaquePointer?
  ) throws(VulkanError) {
    guard let handle = make(device.instance.handle) else {
      throw VulkanError("the window system gives Vulkan no surface; update the GPU's driver")
    }
    self.handle = handle
    self.device = device
    do throws(VulkanError) {
      var isSupported = VkBool32(VK_FALSE)
      try check(
        vkGetPhysicalDeviceSurfaceSupportKHR(
          device.physical.handle, device.physical.queueFamily, handle, &isSupported),
        "vkGetPhysicalDeviceSurfaceSupportKHR")
      guard isSupported == VkBool32(VK_TRUE) else {
        throw VulkanError(
          "the GPU \(device.name) cannot show images in this window; name another device with --gpu"
        )
      }
      format = try WindowSurface.format(device, handle)
      presentMode = try WindowSurface.mode(device, handle)
    } catch {
      vkDestroySurfaceKHR(device.instance.handle, handle, nil)
      throw error
    }
  }

  deinit { vkDestroySurfaceKHR(device.instance.handle, handle, nil) }

  /// The sizes and uses that the window allows at the moment.
  func capabilities() throws(VulkanError) -> VkSurfaceCapabilitiesKHR {
    var capabilities = VkSurfaceCapabilitiesKHR()
    try check(
      vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physical.handle, handle, &capabilities),
      "vkGetPhysicalDeviceSurfaceCapabilitiesKHR")
    return capabilities
  }

  /// Chooses 8 bits without a conversion: the codes of the picture are those of the screen.
  private static func format(
    _ device: Device, _ surface: VkSurfaceKHR
  ) throws(VulkanError) -> VkSurfaceFormatKHR {
    let formats = try list("vkGetPhysicalDeviceSurfaceFormatsKHR", of: VkSurfaceFormatKHR()) {
      vkGetPhysicalDeviceSurfaceFormatsKHR(device.physical.handle, surface, &$0, $1)
    }
    let plain = [VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM]
    let found = formats.first {
      plain.contains($0.format) && $0.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR
    }
    guard let found else {
      throw VulkanError("the window has no format of 8 bits; update the GPU's driver")
    }
    return found
  }

  /// With MAILBOX and IMMEDIATE a present does not wait for the screen; with FIFO, which every device has,
  /// it may wait as long as a Wayland window is hidden.
  private static func mode(
    _ device: Device, _ surface: VkSurfaceKHR
  ) throws(VulkanError) -> VkPresentModeKHR {
    let call = "vkGetPhysicalDeviceSurfacePresentModesKHR"
    let modes = try list(call, of: VK_PRESENT_MODE_FIFO_KHR) {
      vkGetPhysicalDeviceSurfacePresentModesKHR(device.physical.handle, surface, &$0, $1)
    }
    return [VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR].first(where: modes.contains)
      ?? VK_PRESENT_MODE_FIFO_KHR
  }
}
