import CVulkan
public import Frames

/// What decides whether a GPU reads pictures where another device has them, and whether others read its own.
///
/// It is a plain value, so that tests can use invented devices.
public struct SharingFacts: Sendable, Equatable {
  /// Vulkan's names of the device's extensions.
  public var extensions: Set<String> = []
  /// For each size of texel, the orders in which the GPU can copy them, with the number of parts of a plane in that order.
  public var orders: [Image.Format: [UInt64: Int]] = [:]
  /// Whether effects run on the processor, to whose memory pictures have to come in any case.
  public var isProcessor = false
  public var maxImageDimension = 16384
  /// How other devices may open memory that the processor reads as well.
  public var results = Export.refused

  /// How a driver lets other devices open a buffer.
  public enum Export: Sendable {
    case refused
    /// As any memory.
    case any
    /// As memory that was made for that buffer.
    case own
  }

  public init() {}

  static let descriptors = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME
  static let buffers = VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME
  static let foreignQueues = VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME
  static let modifiers = VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME

  /// The extensions of a device that sharing needs or uses.
  var used: [String] {
    let base = [Self.descriptors, Self.buffers]
    guard base.allSatisfy(extensions.contains) else { return [] }
    return base + [Self.foreignQueues, Self.modifiers].filter(extensions.contains)
  }

  /// Why no picture can be read where another device has it, as a part of a sentence; nil if some can.
  public var refusal: String? {
    isProcessor ? "effects run on the processor" : lack
  }

  /// Why no other device can read results where the GPU has them, as a part of a sentence; nil if some can.
  public var refusalOfResults: String? {
    refusal ?? (results == .refused ? "the GPU's driver does not open its buffers to others" : nil)
  }

  /// What the driver lacks for any sharing, as a part of a sentence; nil if nothing.
  private var lack: String? {
    let missing = [Self.descriptors, Self.buffers].filter { !extensions.contains($0) }
    return missing.isEmpty
      ? nil : "the GPU's driver lacks \(missing.joined(separator: " and "))"
  }

  /// Returns what prevents the GPU from reading a picture where another device has it, as a part of a sentence; nil if it can
  /// be tried.
  public func refusal(of picture: SharedPicture, _ format: FrameFormat) -> String? {
    if let lack { return lack }
    let planes = format.pixelFormat.layout.planes
    guard picture.planes.count == planes.count else {
      return "the decoder's picture has \(picture.planes.count) planes instead of \(planes.count)"
    }
    for (place, plane) in zip(picture.planes, planes) {
      let (width, height) = (plane.width(format.width), plane.height(format.height))
      guard max(width, height) <= maxImageDimension else {
        return "the picture is larger than \(maxImageDimension) pixels"
      }
      guard let texel = Image.Format(plane), let first = place.parts.first else {
        return "the GPU cannot read \(format.pixelFormat.rawValue)"
      }
      let order = "0x" + String(place.modifier, radix: 16)
      guard place.modifier == SharedPicture.rowByRow else {
        guard extensions.contains(Self.modifiers) else {
          return "the GPU's driver lacks \(Self.modifiers), and the picture's order is \(order)"
        }
        guard let parts = orders[texel]?[place.modifier] else {
          return "the GPU cannot read texels in the decoder's order \(order)"
        }
        guard parts == place.parts.count else {
          let count = place.parts.count
          return "the decoder describes \(count) of the \(parts) parts of its order \(order)"
        }
        continue
      }
      let row = width * texel.byteCount
      guard first.stride >= row, first.stride % texel.byteCount == 0,
        first.offset % texel.byteCount == 0, place.byteCount < 1 << 40,
        max(first.stride, first.offset) <= place.byteCount,
        first.offset + first.stride * (height - 1) + row <= place.byteCount
      else {
        return "the decoder's rows of \(first.stride) bytes do not fit its memory"
      }
    }
    return nil
  }
}

extension SharingFacts {
  /// Asks a device with these extensions, of which something is known already.
  init(_ device: VkPhysicalDevice, extensions: Set<String>, _ facts: DeviceFacts) {
    self.extensions = extensions
    isProcessor = facts.kind == .cpu
    maxImageDimension = facts.maxImageDimension
    results = extensions.contains(Self.buffers) ? Self.results(device) : .refused
    guard extensions.contains(Self.modifiers) else { return }
    for format in Image.Format.allCases {
      if let shared = format.shared { orders[format] = Self.orders(device, shared) }
    }
  }

  private static func results(_ device: VkPhysicalDevice) -> Export {
    var info = VkPhysicalDeviceExternalBufferInfo()
    info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO
    info.usage = Buffer.usage
    info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
    var properties = VkExternalBufferProperties()
    properties.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES
    vkGetPhysicalDeviceExternalBufferProperties(device, &info, &properties)
    let features = properties.externalMemoryProperties.externalMemoryFeatures
    guard features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT.rawValue != 0 else {
      return .refused
    }
    return features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT.rawValue == 0 ? .any : .own
  }

  /// The orders from which a device can copy texels of a format, with the number of a plane's parts.
  private static func orders(_ device: VkPhysicalDevice, _ format: VkFormat) -> [UInt64: Int] {
    var list = VkDrmFormatModifierPropertiesListEXT()
    list.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT
    func ask() {
      withUnsafeMutablePointer(to: &list) { list in
        var properties = VkFormatProperties2()
        properties.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2
        properties.pNext = UnsafeMutableRawPointer(list)
        vkGetPhysicalDeviceFormatProperties2(device, format, &properties)
      }
    }
    ask()
    var found = [VkDrmFormatModifierPropertiesEXT](
      repeating: .init(), count: Int(list.drmFormatModifierCount))
    found.withUnsafeMutableBufferPointer { found in
      list.pDrmFormatModifierProperties = found.baseAddress
      ask()
    }
    let copies = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT.rawValue
    return found.prefix(Int(list.drmFormatModifierCount)).reduce(into: [:]) { orders, order in
      guard order.drmFormatModifierTilingFeatures & copies != 0 else { return }
      orders[order.drmFormatModifier] = Int(order.drmFormatModifierPlaneCount)
    }
  }
}

extension Image.Format {
  /// The format under which planes of another device are read; drivers support normalised codes in more orders than
  /// whole numbers, and a copy does not change them.
  var shared: VkFormat? {
    switch self {
    case .r8: VK_FORMAT_R8_UNORM
    case .rg8: VK_FORMAT_R8G8_UNORM
    case .r16: VK_FORMAT_R16_UNORM
    case .rg16: VK_FORMAT_R16G16_UNORM
    default: nil
    }
  }
}
