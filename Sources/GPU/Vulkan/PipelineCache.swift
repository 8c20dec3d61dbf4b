import CVulkan
import DiskCache

/// The driver's own cache of compiled kernels, kept on disk between runs.
///
/// It saves a GPU's driver the compilation. Mesa's software driver gains nothing: its data is only a
/// header, and it also has a cache of its own. Without a disk cache, or if the driver cannot make a
/// pipeline cache, kernels are compiled again.
final class PipelineCache: @unchecked Sendable {
  // @unchecked: the handles never change, and the driver synchronizes the calls that use the cache
  // (Vulkan specification, chapter "Pipeline Cache").

  /// The largest data taken from disk, in bytes: drivers only add to their data, so larger data is
  /// ignored, and the kernels of one run replace it.
  static let dataLimit = 8 << 20

  /// Nil if there is no cache.
  let handle: VkPipelineCache?
  private let device: VkDevice
  private let disk: DiskCache?
  private let name: String
  /// The data that the driver got.
  let loaded: [UInt8]

  init(device: VkDevice, physical: PhysicalDevice, disk: DiskCache?) {
    let identity = PipelineCacheIdentity(physical.properties)
    self.device = device
    self.disk = disk
    name = identity.fileName
    let kept = disk?.parts(of: identity.fileName)?.first.map { Array($0) } ?? []
    // The driver may only get its own data.
    loaded = kept.count <= Self.dataLimit && identity.matches(kept) ? kept : []
    handle = disk == nil ? nil : Self.make(device, data: loaded)
  }

  private static func make(_ device: VkDevice, data: [UInt8]) -> VkPipelineCache? {
    data.withUnsafeBytes { data in
      var info = VkPipelineCacheCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
      info.initialDataSize = data.count
      info.pInitialData = data.baseAddress
      var cache: VkPipelineCache?
      return vkCreatePipelineCache(device, &info, nil, &cache) == VK_SUCCESS ? cache : nil
    }
  }

  /// Stores new data on disk and destroys the driver's cache; the device must still exist, and nothing
  /// may use the cache afterwards.
  func close() {
    guard let handle else { return }
    let data = data(of: handle)
    if !data.isEmpty, data != loaded { disk?.keep([data], as: name) }
    vkDestroyPipelineCache(device, handle, nil)
  }

  private func data(of handle: VkPipelineCache) -> [UInt8] {
    var size = 0
    guard vkGetPipelineCacheData(device, handle, &size, nil) == VK_SUCCESS else { return [] }
    var data = [UInt8](repeating: 0, count: size)
    guard vkGetPipelineCacheData(device, handle, &size, &data) == VK_SUCCESS else { return [] }
    return Array(data.prefix(size))
  }
}

/// Identifies the driver and the GPU that made a pipeline cache's data.
struct PipelineCacheIdentity {
  var vendor: UInt32
  var device: UInt32
  var driverVersion: UInt32
  /// Changes with the driver's compiler.
  var uuid: [UInt8]

  init(_ properties: VkPhysicalDeviceProperties) {
    vendor = properties.vendorID
    device = properties.deviceID
    driverVersion = properties.driverVersion
    uuid = withUnsafeBytes(of: properties.pipelineCacheUUID) { Array($0) }
  }

  var fileName: String {
    let numbers = [vendor, device, driverVersion].map { String($0, radix: 16) }
    return (numbers + [uuid.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()])
      .joined(separator: "-")
  }

  /// Whether the data begins with this driver's header (VkPipelineCacheHeaderVersionOne: length, version,
  /// vendor and device, 4 bytes each with the lowest first, then the UUID).
  func matches(_ data: [UInt8]) -> Bool {
    let headerLength = 32
    guard data.count >= headerLength else { return false }
    let numbers = stride(from: 0, to: 16, by: 4).map { start in
      data[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    return numbers[0] == headerLength
      && numbers[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE.rawValue
      && numbers[2] == vendor && numbers[3] == device
      && data[16..<headerLength].elementsEqual(uuid)
  }
}
