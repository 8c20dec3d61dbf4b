import CPosix
import CVulkan
import Frames
import Glibc

/// The use of a block of GPU memory, which decides its memory type.
public enum MemoryUse: Sendable {
  /// Only the GPU accesses it.
  case device
  /// The CPU writes it from start to end, the GPU reads it.
  case upload
  /// The GPU writes it, the CPU reads it: cached, because reads of uncached memory are an order of
  /// magnitude slower (measured by others: 236 MB/s against several GB/s).
  case readback

  /// Sets of property flags to search for, best first.
  var preferences: [UInt32] {
    let visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue
    let coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
    let cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
    let local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    return switch self {
    case .device: [local, 0]
    case .upload: [visible | coherent]
    case .readback: [visible | coherent | cached, visible | cached, visible | coherent]
    }
  }

  /// Index of the first allowed memory type that has the best available set of flags.
  func memoryType(types: [UInt32], allowed: UInt32) -> Int? {
    for wanted in preferences {
      let found = types.indices.first {
        allowed & (1 << UInt32($0)) != 0 && types[$0] & wanted == wanted
      }
      if let found { return found }
    }
    return nil
  }
}

/// The file in memory that holds all blocks of Mesa's software driver (measured: 25.0 and later; 22.3 has none).
///
/// A limit on the size of files ends its growth, which the driver does not look at: the next access ends the process by SIGBUS.
private enum MemoryFile {
  /// What the driver takes for itself beside the blocks, in bytes.
  private static let reserve: VkDeviceSize = 1 << 20

  /// Throws a sentence with the remedy if the file cannot grow by a number of bytes.
  static func check(room bytes: VkDeviceSize) throws(VulkanError) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t.max, let size, size + bytes + reserve > limit.rlim_cur
    else { return }
    throw VulkanError(
      "the GPU's driver keeps frames in a file in memory, and the limit on the size of files leaves no room for them; "
        + "allow larger files (ulimit -f), or use another GPU")
  }

  /// Its bytes now; nil if the driver has no such file.
  private static var size: VkDeviceSize? {
    for descriptor in Int32(0)..<1024 {
      var name = [CChar](repeating: 0, count: 32)
      let length = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
      let bytes = name.prefix(max(length, 0)).map(UInt8.init(bitPattern:))
      var facts = stat()
      guard bytes.starts(with: "/memfd:allocation fd".utf8), fstat(descriptor, &facts) == 0 else {
        continue
      }
      return VkDeviceSize(facts.st_size)
    }
    return nil
  }
}

/// Owns a block of GPU memory, mapped for its whole life if the CPU may access it.
struct DeviceMemory: ~Copyable {
  let handle: VkDeviceMemory
  /// The address for the CPU; nil for `.device`.
  let mapped: UnsafeMutableRawPointer?
  /// If false, `invalidate` must make what the GPU wrote visible before the CPU reads it.
  private let isCoherent: Bool
  /// Under which other devices open the block, as a DMA-BUF; nil if they cannot.
  let descriptor: Int32?
  private let device: Device

  /// Takes memory for an object with these requirements; `shared` is the buffer that other devices shall read too.
  ///
  /// - Throws: If there is no memory for this use, or if the driver does not open it to others.
  init(
    device: Device, requirements: VkMemoryRequirements, use: MemoryUse, shared: VkBuffer? = nil
  ) throws(VulkanError) {
    let types = memoryTypeFlags(device.physical.memory)
    guard let type = use.memoryType(types: types, allowed: requirements.memoryTypeBits) else {
      throw VulkanError(
        "the GPU \(device.name) has no memory for this use; name another device with --gpu")
    }
    var info = VkMemoryAllocateInfo()
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    info.allocationSize = requirements.size
    info.memoryTypeIndex = UInt32(type)
    if device.physical.facts.kind == .cpu { try MemoryFile.check(room: requirements.size) }
    let handle = try DeviceMemory.allocate(device, info, shared: shared)
    var descriptor: Int32?
    if shared != nil {
      do throws(VulkanError) { descriptor = try DeviceMemory.descriptor(of: handle, device) } catch
      {
        vkFreeMemory(device.handle, handle, nil)
        throw error
      }
    }
    var address: UnsafeMutableRawPointer?
    if case .device = use {
    } else {
      let result = vkMapMemory(device.handle, handle, 0, kf_vk_whole_size(), 0, &address)
      if result != VK_SUCCESS {
        if let descriptor { close(descriptor) }
        vkFreeMemory(device.handle, handle, nil)
        throw VulkanError(call: "vkMapMemory", result: result)
      }
    }
    self.device = device
    self.handle = handle
    self.descriptor = descriptor
    mapped = address
    isCoherent = types[type] & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue != 0
  }

  private static func allocate(
    _ device: Device, _ info: VkMemoryAllocateInfo, shared: VkBuffer?
  ) throws(VulkanError) -> VkDeviceMemory {
    var dedicated = VkMemoryDedicatedAllocateInfo()
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO
    dedicated.buffer = shared
    return try create("vkAllocateMemory") { memory in
      withUnsafePointer(to: &dedicated) { dedicated in
        var export = VkExportMemoryAllocateInfo()
        export.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO
        export.pNext =
          device.physical.sharing.results == .own ? UnsafeRawPointer(dedicated) : nil
        export.handleTypes = device.descriptorType.rawValue
        return withUnsafePointer(to: &export) { export in
          var info = info
          info.pNext = shared == nil ? nil : UnsafeRawPointer(export)
          return vkAllocateMemory(device.handle, &info, nil, &memory)
        }
      }
    }
  }

  private static func descriptor(
    of memory: VkDeviceMemory, _ device: Device
  ) throws(VulkanError) -> Int32 {
    var descriptor: Int32 = -1
    try check(
      kf_vk_memory_fd(device.handle, memory, device.descriptorType, &descriptor),
      "vkGetMemoryFdKHR")
    return descriptor
  }

  /// Opens a block of another device's memory, whose descriptor stays the caller's.
  ///
  /// `image` is the image that has the block for itself; nil for a buffer.
  ///
  /// - Throws: If the driver does not take the block.
  init(
    device: Device, importing place: SharedPicture.Plane, _ requirements: VkMemoryRequirements,
    for image: VkImage? = nil
  ) throws(VulkanError) {
    var properties = VkMemoryFdPropertiesKHR()
    properties.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR
    let type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
    try check(
      kf_vk_memory_fd_properties(device.handle, type, place.descriptor, &properties),
      "vkGetMemoryFdPropertiesKHR")
    let types = properties.memoryTypeBits & requirements.memoryTypeBits
    guard types != 0, requirements.size <= VkDeviceSize(place.byteCount) else {
      throw VulkanError("the GPU \(device.name) cannot read the memory of the other device")
    }
    // Vulkan closes the descriptor that it is given.
    let own = fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else {
      throw VulkanError("a descriptor cannot be copied (\(String(cString: strerror(errno))))")
    }
    var dedicated = VkMemoryDedicatedAllocateInfo()
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO
    dedicated.image = image
    var memory: VkDeviceMemory?
    let result = withUnsafePointer(to: &dedicated) { dedicated in
      var imported = VkImportMemoryFdInfoKHR()
      imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR
      imported.pNext = image == nil ? nil : UnsafeRawPointer(dedicated)
      (imported.handleType, imported.fd) = (type, own)
      return withUnsafePointer(to: &imported) { imported in
        var info = VkMemoryAllocateInfo()
        info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
        info.pNext = UnsafeRawPointer(imported)
        info.allocationSize = VkDeviceSize(place.byteCount)
        info.memoryTypeIndex = UInt32(types.trailingZeroBitCount)
        return vkAllocateMemory(device.handle, &info, nil, &memory)
      }
    }
    guard result == VK_SUCCESS, let memory else {
      close(own)
      throw VulkanError(call: "vkAllocateMemory", result: result)
    }
    (self.device, handle, mapped, isCoherent) = (device, memory, nil, true)
    descriptor = nil
  }

  /// Makes what the GPU wrote visible to the CPU, for memory that needs it.
  ///
  /// It covers the whole block, so nonCoherentAtomSize needs no rounding.
  func invalidate() throws(VulkanError) {
    try synchronize("vkInvalidateMappedMemoryRanges", vkInvalidateMappedMemoryRanges)
  }

  /// Makes what the CPU wrote visible to the GPU, for memory that needs it.
  func flush() throws(VulkanError) {
    try synchronize("vkFlushMappedMemoryRanges", vkFlushMappedMemoryRanges)
  }

  private func synchronize(
    _ call: String, _ run: (VkDevice?, UInt32, UnsafePointer<VkMappedMemoryRange>?) -> VkResult
  ) throws(VulkanError) {
    guard !isCoherent, mapped != nil else { return }
    var range = VkMappedMemoryRange()
    range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE
    range.memory = handle
    range.size = kf_vk_whole_size()
    try check(run(device.handle, 1, &range), call)
  }

  deinit {
    if let descriptor { close(descriptor) }
    vkFreeMemory(device.handle, handle, nil)
  }
}
