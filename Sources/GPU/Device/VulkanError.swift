import CVulkan
public import Frames

/// A failed Vulkan call, or an unsuitable device, in one sentence with a remedy.
public struct VulkanError: ExplainedError {
  public let description: String
  /// The GPU did not finish in time: objects that its commands use must not be destroyed.
  public private(set) var leavesGPUBusy = false
  /// The GPU cannot be used any more: it is busy, or its driver failed.
  public private(set) var losesGPU = false
  /// One kernel needs more than the GPU has; other kernels may work.
  public private(set) var refusesKernel = false

  public init(_ description: String) { self.description = description }

  /// Makes the error for a kernel that exceeds the GPU's limits.
  static func kernel(_ description: String) -> VulkanError {
    var error = VulkanError(description)
    error.refusesKernel = true
    return error
  }

  init(call: String, result: VkResult) {
    let remedy =
      switch result {
      case VK_ERROR_DEVICE_LOST:
        "the GPU driver gave up; try again, or name another device with --gpu"
      case VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY:
        "there is not enough memory; make the frame smaller with --size"
      case VK_TIMEOUT: "the GPU did not finish in time; a lighter effect or another --gpu may help"
      default: "name another device with --gpu, or update the driver"
      }
    description = "\(call) failed with \(resultName(result)): \(remedy)"
    leavesGPUBusy = result == VK_TIMEOUT
    losesGPU = leavesGPUBusy || result == VK_ERROR_DEVICE_LOST
  }
}

/// Checks the result of a Vulkan call; every call uses it.
///
/// Every code but VK_SUCCESS is a failure, also VK_TIMEOUT of a wait.
func check(_ result: VkResult, _ call: String) throws(VulkanError) {
  guard result == VK_SUCCESS else { throw VulkanError(call: call, result: result) }
}

/// Makes an object whose handle a call stores in its last argument.
func create(
  _ call: String, _ body: (inout OpaquePointer?) -> VkResult
) throws(VulkanError) -> OpaquePointer {
  var handle: OpaquePointer?
  try check(body(&handle), call)
  return try created(handle, call)
}

/// The handle from a create call that reported success; nil is a driver's fault and throws.
func created(_ handle: OpaquePointer?, _ call: String) throws(VulkanError) -> OpaquePointer {
  guard let handle else { throw VulkanError("\(call) returned no object; update the driver") }
  return handle
}

/// Asks a call for all items of a list: first for their number, then for the items.
func list<Item>(
  _ call: String, of empty: Item, _ body: (inout UInt32, UnsafeMutablePointer<Item>?) -> VkResult
) throws(VulkanError) -> [Item] {
  var count: UInt32 = 0
  try check(body(&count, nil), call)
  var items = [Item](repeating: empty, count: Int(count))
  try check(items.withUnsafeMutableBufferPointer { body(&count, $0.baseAddress) }, call)
  return items
}

private func resultName(_ result: VkResult) -> String {
  switch result {
  case VK_TIMEOUT: "VK_TIMEOUT"
  case VK_INCOMPLETE: "VK_INCOMPLETE"
  case VK_ERROR_OUT_OF_HOST_MEMORY: "VK_ERROR_OUT_OF_HOST_MEMORY"
  case VK_ERROR_OUT_OF_DEVICE_MEMORY: "VK_ERROR_OUT_OF_DEVICE_MEMORY"
  case VK_ERROR_INITIALIZATION_FAILED: "VK_ERROR_INITIALIZATION_FAILED"
  case VK_ERROR_DEVICE_LOST: "VK_ERROR_DEVICE_LOST"
  case VK_ERROR_MEMORY_MAP_FAILED: "VK_ERROR_MEMORY_MAP_FAILED"
  case VK_ERROR_LAYER_NOT_PRESENT: "VK_ERROR_LAYER_NOT_PRESENT"
  case VK_ERROR_EXTENSION_NOT_PRESENT: "VK_ERROR_EXTENSION_NOT_PRESENT"
  case VK_ERROR_FEATURE_NOT_PRESENT: "VK_ERROR_FEATURE_NOT_PRESENT"
  case VK_ERROR_INCOMPATIBLE_DRIVER: "VK_ERROR_INCOMPATIBLE_DRIVER"
  case VK_ERROR_TOO_MANY_OBJECTS: "VK_ERROR_TOO_MANY_OBJECTS"
  case VK_ERROR_FORMAT_NOT_SUPPORTED: "VK_ERROR_FORMAT_NOT_SUPPORTED"
  case VK_ERROR_FRAGMENTED_POOL: "VK_ERROR_FRAGMENTED_POOL"
  case VK_ERROR_OUT_OF_POOL_MEMORY: "VK_ERROR_OUT_OF_POOL_MEMORY"
  default: "VkResult \(result.rawValue)"
  }
}
