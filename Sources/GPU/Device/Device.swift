import CVulkan
public import DiskCache
public import Frames
import Glibc
import Synchronization

/// The GPU in use: the logical device with its one queue, from which all other objects are made.
///
/// All objects made on it share it and keep it alive. Any thread may make and release them.
public final class Device: @unchecked Sendable {
  // @unchecked: the handles never change; vkQueueSubmit, the only call that needs external
  // synchronization, is made under `submission`.
  let handle: VkDevice
  let queue: VkQueue
  let submission = Mutex<Void>(())
  let physical: PhysicalDevice
  /// The time that `vkCreateInstance` and `vkCreateDevice` took.
  public let openingCalls: [TimedCall]
  /// Time limit for one frame in seconds; a GPU that takes longer counts as hung.
  public let frameLimit: Rational
  let pipelines: PipelineCache
  let kernelStore = Mutex(StoreReference())
  let instance: Instance
  /// Whether pictures are read where other devices have them.
  public let sharing: PictureSharing
  /// Whether results are read by other devices where the GPU has them.
  public let results: PictureSharing
  /// The kind of descriptor under which they open results.
  let descriptorType: VkExternalMemoryHandleTypeFlagBits
  private let kernels = Atomic<Int>(0)

  /// Number of kernels made on the device so far, which is the only sign of progress while a driver
  /// works.
  public var kernelCount: Int { kernels.load(ordering: .relaxed) }

  func countKernel() { kernels.add(1, ordering: .relaxed) }

  /// Name of the GPU, for messages; `driver` is the name of its driver.
  public var name: String { physical.facts.name }
  public var driver: String { physical.driver }
  public var kind: DeviceFacts.Kind { physical.facts.kind }
  /// Whether it is Mesa's software driver, which made the golden images.
  public var isLavapipe: Bool { kind == .cpu && name.contains("llvmpipe") }
  /// What decided that it is used.
  public var facts: DeviceFacts { physical.facts }

  /// The default time limit of a frame, in seconds.
  ///
  /// The software driver may need many seconds for a large frame with heavy effects on a busy machine;
  /// the watchdogs of most GPUs act before this limit (amdgpu's after 10 s).
  public static let usualFrameLimit = Rational(30)

  /// Opens a GPU.
  ///
  /// - Parameters:
  ///   - preference: Which GPU.
  ///   - cache: Stores the driver's compiled kernels between runs; nil for no cache.
  ///   - frameLimit: Time limit for one frame in seconds; a GPU that takes longer counts as hung.
  ///   - windowExtensions: Instance extensions that the window system needs; nil for a device that shows
  ///     nothing in a window.
  ///   - sharing: Whether pictures are read where other devices have them; nil if the driver decides.
  ///   - results: Whether other devices read results where the GPU has them; nil if the driver decides.
  ///   - givesDMABufs: If false, results are opened under descriptors that only the same driver understands, for tests with
  ///     drivers that make no DMA-BUFs.
  /// - Throws: `VulkanError` if no GPU is suitable or the driver fails.
  public init(
    preference: GPUPreference = GPUPreference(), cache: DiskCache? = nil,
    frameLimit: Rational = Device.usualFrameLimit, windowExtensions: [String]? = nil,
    sharing: PictureSharing? = nil, results: PictureSharing? = nil,
    givesDMABufs: Bool = true
  ) throws(VulkanError) {
    self.frameLimit = frameLimit
    instance = try Instance(extensions: windowExtensions ?? [])
    let devices = try instance.physicalDevices().map { PhysicalDevice($0) }
    let chosen = try preference.choose(
      among: devices.map(\.facts), given: GPUAllocation(environment: environmentText))
    physical = devices[chosen]

    var available = VkPhysicalDeviceFeatures()
    vkGetPhysicalDeviceFeatures(physical.handle, &available)
    // This defines reads and writes outside a buffer (clamped or zero), whatever an effect does.
    var features = VkPhysicalDeviceFeatures()
    features.robustBufferAccess = available.robustBufferAccess
    var device: VkDevice?
    var priority: Float = 1
    let family = physical.queueFamily
    let physicalHandle = physical.handle
    self.sharing = sharing ?? PictureSharing(refusal: physical.sharing.refusal)
    descriptorType =
      givesDMABufs
      ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
      : VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
    self.results = results ?? PictureSharing(refusal: physical.sharing.refusalOfResults)
    let clears = physical.clearsShared
    var clearing = VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeaturesKHR()
    clearing.sType =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES_KHR
    clearing.shaderZeroInitializeWorkgroupMemory = VK_TRUE
    let extensions =
      physical.sharing.used + (windowExtensions == nil ? [] : [VK_KHR_SWAPCHAIN_EXTENSION_NAME])
      + (clears ? [PhysicalDevice.clearing] : [])
    let begin = MonotonicTime.now
    let result = withUnsafePointer(to: &priority) { priority in
      var queueInfo = VkDeviceQueueCreateInfo()
      queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
      queueInfo.queueFamilyIndex = family
      queueInfo.queueCount = 1
      queueInfo.pQueuePriorities = priority
      return withUnsafePointer(to: &queueInfo) { queueInfo in
        withUnsafePointer(to: &features) { features in
          withUnsafePointer(to: &clearing) { clearing in
            withCStrings(extensions) { extensions in
              var info = VkDeviceCreateInfo()
              info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
              info.pNext = clears ? UnsafeRawPointer(clearing) : nil
              info.queueCreateInfoCount = 1
              info.pQueueCreateInfos = queueInfo
              info.pEnabledFeatures = features
              info.enabledExtensionCount = UInt32(extensions.count)
              info.ppEnabledExtensionNames = extensions.baseAddress
              return vkCreateDevice(physicalHandle, &info, nil, &device)
            }
          }
        }
      }
    }
    openingCalls = [instance.openingCall, TimedCall("vkCreateDevice", since: begin)]
    if result == VK_ERROR_EXTENSION_NOT_PRESENT {
      throw VulkanError(
        "the GPU \(physical.facts.name) cannot show windows; name another device with --gpu")
    }
    try check(result, "vkCreateDevice")
    handle = try created(device, "vkCreateDevice")
    var queue: VkQueue?
    vkGetDeviceQueue(handle, family, 0, &queue)
    self.queue = try created(queue, "vkGetDeviceQueue")
    pipelines = PipelineCache(device: handle, physical: physical, disk: cache)
  }

  /// The queue family of other devices that share memory with this one.
  var otherQueues: UInt32 {
    physical.sharing.extensions.contains(SharingFacts.foreignQueues)
      ? kf_vk_queue_family_foreign() : kf_vk_queue_family_external()
  }

  deinit {
    vkDeviceWaitIdle(handle)
    pipelines.close()
    vkDestroyDevice(handle, nil)
  }
}

private func environmentText(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
