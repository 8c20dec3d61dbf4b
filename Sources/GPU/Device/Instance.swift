import CVulkan
import Frames
import Glibc
import Synchronization

/// Owns the VkInstance, and the messenger of the validation layer if the environment has
/// `KFREC_VULKAN_VALIDATION=1`.
final class Instance: @unchecked Sendable {
  // @unchecked: any thread may use VkInstance (Vulkan's instance-level queries need no external
  // synchronization), and it never changes.
  let handle: VkInstance
  /// The time that `vkCreateInstance` took.
  let openingCall: TimedCall
  private let messenger: VkDebugUtilsMessengerEXT?

  /// - Parameter extensions: Instance extensions that a window system needs.
  /// - Throws: If there is no driver, or the extensions or the validation layer are missing.
  init(extensions: [String] = []) throws(VulkanError) {
    let wantsValidation = getenv("KFREC_VULKAN_VALIDATION").map { String(cString: $0) } == "1"
    let begin = MonotonicTime.now
    let result = Instance.create(validation: wantsValidation, extensions: extensions)
    openingCall = TimedCall("vkCreateInstance", since: begin)
    switch result.code {
    case VK_SUCCESS: break
    case VK_ERROR_INCOMPATIBLE_DRIVER: throw .noDriver
    case VK_ERROR_LAYER_NOT_PRESENT:
      throw VulkanError(
        "KFREC_VULKAN_VALIDATION is set but the layer is missing; install vulkan-validationlayers")
    case VK_ERROR_EXTENSION_NOT_PRESENT where !extensions.isEmpty:
      throw VulkanError(
        "Vulkan cannot show windows here (\(extensions.joined(separator: ", "))); leave out the window"
      )
    default: throw VulkanError(call: "vkCreateInstance", result: result.code)
    }
    handle = try created(result.instance, "vkCreateInstance")
    messenger = wantsValidation ? Instance.createMessenger(handle) : nil
  }

  deinit {
    if let messenger,
      let function = vkGetInstanceProcAddr(handle, "vkDestroyDebugUtilsMessengerEXT")
    {
      unsafeBitCast(function, to: PFN_vkDestroyDebugUtilsMessengerEXT.self)(handle, messenger, nil)
    }
    vkDestroyInstance(handle, nil)
  }

  private static func create(
    validation: Bool, extensions: [String]
  ) -> (code: VkResult, instance: VkInstance?) {
    var application = VkApplicationInfo()
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
    application.apiVersion = kf_vk_api_version_1_2()
    var features = VkValidationFeaturesEXT()
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT
    let enabled = [VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT]
    var instance: VkInstance?
    let layers = validation ? ["VK_LAYER_KHRONOS_validation"] : []
    let extensions = extensions + (validation ? [VK_EXT_DEBUG_UTILS_EXTENSION_NAME] : [])
    let code = enabled.withUnsafeBufferPointer { enabled in
      withCStrings(layers) { layers in
        withCStrings(extensions) { extensions in
          withUnsafePointer(to: &application) { application in
            features.enabledValidationFeatureCount = 1
            features.pEnabledValidationFeatures = enabled.baseAddress
            return withUnsafePointer(to: &features) { features in
              var info = VkInstanceCreateInfo()
              info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
              info.pNext = validation ? UnsafeRawPointer(features) : nil
              info.pApplicationInfo = application
              info.enabledLayerCount = UInt32(layers.count)
              info.ppEnabledLayerNames = layers.baseAddress
              info.enabledExtensionCount = UInt32(extensions.count)
              info.ppEnabledExtensionNames = extensions.baseAddress
              return vkCreateInstance(&info, nil, &instance)
            }
          }
        }
      }
    }
    return (code, instance)
  }

  private static func createMessenger(_ instance: VkInstance) -> VkDebugUtilsMessengerEXT? {
    guard let function = vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT") else {
      return nil
    }
    var info = VkDebugUtilsMessengerCreateInfoEXT()
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
    info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT.rawValue
      | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT.rawValue
    info.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT.rawValue
      | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT.rawValue
      | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT.rawValue
    info.pfnUserCallback = { _, _, data, _ in
      if let data { ValidationMessages.note(data.pointee) }
      return VkBool32(VK_FALSE)
    }
    var messenger: VkDebugUtilsMessengerEXT?
    let create = unsafeBitCast(function, to: PFN_vkCreateDebugUtilsMessengerEXT.self)
    return create(instance, &info, nil, &messenger) == VK_SUCCESS ? messenger : nil
  }

  /// The physical devices, in the loader's order.
  func physicalDevices() throws(VulkanError) -> [VkPhysicalDevice] {
    try list("vkEnumeratePhysicalDevices", of: VkPhysicalDevice?.none) {
      vkEnumeratePhysicalDevices(handle, &$0, $1)
    }.compactMap(\.self)
  }
}

/// Calls `body` with the strings as an array of C strings that are valid during the call.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer(body)
}
