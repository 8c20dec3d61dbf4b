import CVulkan
import Synchronization

/// The images of a window at one size.
///
/// Used by one thread. A window that changes its size needs another swapchain.
final class Swapchain {
  let width: Int
  let height: Int
  private let surface: WindowSurface
  private let handle: VkSwapchainKHR
  private let images: [VkImage]
  /// Signalled when an image may be written; there is one image in work at a time.
  private let isAcquired: Semaphore
  /// For each image, signalled when it is written.
  ///
  /// One for all would be signalled again while the window system still waits for it.
  private let isWritten: [Semaphore]

  private var device: Device { surface.device }

  /// Makes the images; nil while the window has no size, as when it is minimised.
  ///
  /// `size` is in pixels, for window systems that leave it to the program.
  init?(surface: WindowSurface, size: (width: Int, height: Int)) throws(VulkanError) {
    let limits = try surface.capabilities()
    var extent = limits.currentExtent
    if extent.width == UInt32.max {
      extent.width = min(
        max(UInt32(size.width), limits.minImageExtent.width), limits.maxImageExtent.width)
      extent.height = min(
        max(UInt32(size.height), limits.minImageExtent.height), limits.maxImageExtent.height)
    }
    guard extent.width > 0, extent.height > 0 else { return nil }
    (width, height) = (Int(extent.width), Int(extent.height))
    self.surface = surface
    let device = surface.device
    var info = VkSwapchainCreateInfoKHR()
    info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR
    info.surface = surface.handle
    // One is shown, one waits and one is written.
    let wanted = max(limits.minImageCount, 3)
    info.minImageCount =
      limits.maxImageCount == 0 ? wanted : min(wanted, limits.maxImageCount)
    info.imageFormat = surface.format.format
    info.imageColorSpace = surface.format.colorSpace
    info.imageExtent = extent
    info.imageArrayLayers = 1
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE
    info.preTransform = limits.currentTransform
    let opaque = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
    info.compositeAlpha =
      limits.supportedCompositeAlpha & opaque.rawValue != 0
      ? opaque : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR
    info.presentMode = surface.presentMode
    info.clipped = VkBool32(VK_TRUE)
    handle = try create("vkCreateSwapchainKHR") {
      vkCreateSwapchainKHR(device.handle, &info, nil, &$0)
    }
    do {
      let swapchain = handle
      images = try list("vkGetSwapchainImagesKHR", of: VkImage?.none) {
        vkGetSwapchainImagesKHR(device.handle, swapchain, &$0, $1)
      }.compactMap(\.self)
      isAcquired = try Semaphore(device: device)
      isWritten = try images.map { _ throws(VulkanError) in try Semaphore(device: device) }
    } catch {
      vkDestroySwapchainKHR(device.handle, handle, nil)
      throw error
    }
  }

  /// The commands that use the images must have run.
  deinit {
    device.submission.withLock { _ in _ = vkQueueWaitIdle(device.queue) }
    vkDestroySwapchainKHR(device.handle, handle, nil)
  }

  /// How a frame was shown.
  enum Outcome {
    case shown
    /// No image was free in time; nothing was recorded.
    case busy
    /// The window has changed: it needs a new swapchain.
    case outdated
  }

  /// Shows the upper left part of a texture that the commands write, which must be at least as large as the swapchain.
  ///
  /// The commands have begun; they are submitted if an image was free.
  ///
  /// - Throws: If the driver fails, or the window's surface is gone.
  func show(_ texture: Image, after commands: CommandBuffer) throws(VulkanError) -> Outcome {
    var index: UInt32 = 0
    let code = vkAcquireNextImageKHR(
      device.handle, handle, Self.patience, isAcquired.handle, nil, &index)
    switch code {
    case VK_SUCCESS, VK_SUBOPTIMAL_KHR: break
    case VK_TIMEOUT, VK_NOT_READY: return .busy
    case VK_ERROR_OUT_OF_DATE_KHR: return .outdated
    case VK_ERROR_SURFACE_LOST_KHR: throw Self.surfaceLost
    default: throw VulkanError(call: "vkAcquireNextImageKHR", result: code)
    }
    commands.copy(texture, to: images[Int(index)], width: width, height: height)
    let written = isWritten[Int(index)]
    try commands.submit(after: [isAcquired.handle], signalling: [written.handle])
    switch present(index, after: written) {
    case VK_SUCCESS: return code == VK_SUCCESS ? .shown : .outdated
    case VK_SUBOPTIMAL_KHR, VK_ERROR_OUT_OF_DATE_KHR: return .outdated
    case VK_ERROR_SURFACE_LOST_KHR: throw Self.surfaceLost
    case let failure: throw VulkanError(call: "vkQueuePresentKHR", result: failure)
    }
  }

  private static let surfaceLost = VulkanError("its display has gone away")

  /// Nanoseconds to wait for a free image: a window that is not shown may give none.
  private static let patience: UInt64 = 50_000_000

  private func present(_ index: UInt32, after written: Semaphore) -> VkResult {
    var (index, semaphore, swapchain) = (index, Optional(written.handle), Optional(handle))
    return withUnsafePointer(to: &index) { index in
      withUnsafePointer(to: &semaphore) { semaphore in
        withUnsafePointer(to: &swapchain) { swapchain in
          var info = VkPresentInfoKHR()
          info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR
          info.waitSemaphoreCount = 1
          info.pWaitSemaphores = semaphore
          info.swapchainCount = 1
          info.pSwapchains = swapchain
          info.pImageIndices = index
          return device.submission.withLock { _ in vkQueuePresentKHR(device.queue, &info) }
        }
      }
    }
  }

  /// Orders commands and the window system.
  private final class Semaphore {
    let handle: VkSemaphore
    private let device: Device

    init(device: Device) throws(VulkanError) {
      self.device = device
      var info = VkSemaphoreCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
      handle = try create("vkCreateSemaphore") { vkCreateSemaphore(device.handle, &info, nil, &$0) }
    }

    deinit { vkDestroySemaphore(device.handle, handle, nil) }
  }
}
