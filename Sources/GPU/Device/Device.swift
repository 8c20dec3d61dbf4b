import CVulkan
package import DiskCache
package import Frames
import Synchronization

/// The GPU in use: logical device, its one queue, and what everything else on it is made from.
///
/// Shared by all objects made on it, each of which keeps it alive. They may be made and let go on any
/// thread.
package final class Device: @unchecked Sendable {
  // @unchecked: the handles never change; vkQueueSubmit, the one call that needs external
  // synchronization, is made under `submission`.
  let handle: VkDevice
  let queue: VkQueue
  let submission = Mutex<Void>(())
  let physical: PhysicalDevice
  /// What opening it took in `vkCreateInstance` and `vkCreateDevice`.
  package let openingCalls: [TimedCall]
  /// How long one frame may keep it busy before it counts as hung, in seconds.
  package let frameLimit: Rational
  let pipelines: PipelineCache
  private let instance: Instance
  private let kernels = Atomic<Int>(0)

  /// How many kernels were made on it so far: of a driver that is at work the one thing that tells how
  /// far it is.
  package var kernelCount: Int { kernels.load(ordering: .relaxed) }

  func countKernel() { kernels.add(1, ordering: .relaxed) }

  /// Name of the GPU and of its driver, for people.
  package var name: String { physical.facts.name }
  package var driver: String { physical.driver }
  package var kind: DeviceFacts.Kind { physical.facts.kind }
  /// Compute shaders can see what their neighbours in a square of four have.
  package var hasQuads: Bool { physical.facts.hasQuads }
  /// What one kernel may be bound to.
  package var bindingLimits: BindingLimits { physical.facts.bindings }
  package var maxImageDimension: Int { physical.facts.maxImageDimension }

  /// The limit of a frame unless told, in seconds.
  ///
  /// The software driver may need many seconds for a large frame with heavy effects on a busy machine;
  /// most GPUs' own watchdogs step in before this (amdgpu's after 10 s).
  package static let usualFrameLimit = Rational(30)

  /// Opens the GPU that `selector` names (its number in the listing, or part of its name), or the
  /// best suitable one.
  ///
  /// - Parameters:
  ///   - selector: A number or part of a name; nil for the best.
  ///   - cache: Where the driver's compiled kernels are kept from one run to the next; nil for
  ///     nowhere.
  ///   - frameLimit: How long one frame may keep it busy before it counts as hung, in seconds.
  /// - Throws: `VulkanError` if no GPU is suitable or the driver fails.
  package init(
    selector: String? = nil, cache: DiskCache? = nil, frameLimit: Rational = Device.usualFrameLimit
  ) throws(VulkanError) {
    self.frameLimit = frameLimit
    instance = try Instance()
    let devices = try instance.physicalDevices().map { PhysicalDevice($0) }
    let chosen = try DeviceFacts.choose(among: devices.map(\.facts), selector: selector)
    physical = devices[chosen]

    var available = VkPhysicalDeviceFeatures()
    vkGetPhysicalDeviceFeatures(physical.handle, &available)
    // Reads and writes outside a buffer are defined (clamped or zero) whatever an effect does.
    var features = VkPhysicalDeviceFeatures()
    features.robustBufferAccess = available.robustBufferAccess
    var device: VkDevice?
    var priority: Float = 1
    let family = physical.queueFamily
    let physicalHandle = physical.handle
    let begin = MonotonicTime.now
    let result = withUnsafePointer(to: &priority) { priority in
      var queueInfo = VkDeviceQueueCreateInfo()
      queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
      queueInfo.queueFamilyIndex = family
      queueInfo.queueCount = 1
      queueInfo.pQueuePriorities = priority
      return withUnsafePointer(to: &queueInfo) { queueInfo in
        withUnsafePointer(to: &features) { features in
          var info = VkDeviceCreateInfo()
          info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
          info.queueCreateInfoCount = 1
          info.pQueueCreateInfos = queueInfo
          info.pEnabledFeatures = features
          return vkCreateDevice(physicalHandle, &info, nil, &device)
        }
      }
    }
    openingCalls = [instance.openingCall, TimedCall("vkCreateDevice", since: begin)]
    try check(result, "vkCreateDevice")
    handle = try created(device, "vkCreateDevice")
    var queue: VkQueue?
    vkGetDeviceQueue(handle, family, 0, &queue)
    self.queue = try created(queue, "vkGetDeviceQueue")
    pipelines = PipelineCache(device: handle, physical: physical, disk: cache)
  }

  deinit {
    vkDeviceWaitIdle(handle)
    pipelines.close()
    vkDestroyDevice(handle, nil)
  }
}
