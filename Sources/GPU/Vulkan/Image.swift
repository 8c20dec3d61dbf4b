import CVulkan
import Frames

/// A texture or a plane in an image on the GPU.
///
/// Textures stay in the GENERAL layout, which saves a transition between the write and the read of each
/// pass. Other layouts could gain little (compression of sampled images) for a texture that is written
/// and read once.
public final class Image: @unchecked Sendable {
  // @unchecked: the handles never change; only the thread that records commands uses `isReady`.

  /// The texel format: exact integer codes of a source's planes, or colours that kernels write.
  public enum Format: Sendable, CaseIterable {
    case r8, rg8, rgba8, r16, rg16, rgba16, r32, rgba32
    case rgba16Float, rgba32Float
    /// 8-bit codes, read as 0 to 1.
    case rgba8Normalized

    var vulkan: VkFormat {
      switch self {
      case .r8: VK_FORMAT_R8_UINT
      case .rg8: VK_FORMAT_R8G8_UINT
      case .rgba8: VK_FORMAT_R8G8B8A8_UINT
      case .r16: VK_FORMAT_R16_UINT
      case .rg16: VK_FORMAT_R16G16_UINT
      case .rgba16: VK_FORMAT_R16G16B16A16_UINT
      case .r32: VK_FORMAT_R32_UINT
      case .rgba32: VK_FORMAT_R32G32B32A32_UINT
      case .rgba16Float: VK_FORMAT_R16G16B16A16_SFLOAT
      case .rgba32Float: VK_FORMAT_R32G32B32A32_SFLOAT
      case .rgba8Normalized: VK_FORMAT_R8G8B8A8_UNORM
      }
    }

    var byteCount: Int {
      switch self {
      case .r8: 1
      case .rg8, .r16: 2
      case .rgba8, .rg16, .r32, .rgba8Normalized: 4
      case .rgba16, .rgba16Float: 8
      case .rgba32, .rgba32Float: 16
      }
    }

    /// Whether kernels write the image; if not, it is a target of copies.
    var isStorage: Bool {
      self == .rgba16Float || self == .rgba32Float || self == .rgba8Normalized
    }

    /// The layout in which shaders use the image.
    var layout: VkImageLayout {
      isStorage ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
    }

    /// The format of a plane's texels; nil for 3 channels, which GPUs need not support.
    init?(_ plane: PixelLayout.Plane) {
      switch (plane.channels, plane.bytesPerChannel) {
      case (1, 1): self = .r8
      case (2, 1): self = .rg8
      case (4, 1): self = .rgba8
      case (1, 2): self = .r16
      case (2, 2): self = .rg16
      case (4, 2): self = .rgba16
      default: return nil
      }
    }
  }

  public let width: Int
  public let height: Int
  /// Number of layers; if there are several, shaders see an array.
  let layers: Int
  let handle: VkImage
  let view: VkImageView
  let format: Format
  /// Whether the first use has transitioned a texture into its layout.
  var isReady = false
  private let memory: DeviceMemory
  private let device: Device

  public init(
    device: Device, width: Int, height: Int, layers: Int = 1, format: Format
  ) throws(VulkanError) {
    let limit = device.facts.maxImageDimension
    guard width <= limit, height <= limit else {
      throw VulkanError(
        """
        an image of \(width)x\(height) is larger than the GPU \(device.name) takes \
        (\(limit)x\(limit)); make the image smaller first, or use another --gpu
        """)
    }
    var info = Image.info(format.vulkan, width: width, height: height)
    info.arrayLayers = UInt32(layers)
    info.tiling = VK_IMAGE_TILING_OPTIMAL
    info.usage =
      VK_IMAGE_USAGE_SAMPLED_BIT.rawValue
      | (format.isStorage
        ? VK_IMAGE_USAGE_STORAGE_BIT.rawValue : VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue)
    // What a window shows is copied from such an image.
    if format == .rgba8Normalized { info.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue }
    let handle = try create("vkCreateImage") { vkCreateImage(device.handle, &info, nil, &$0) }
    do {
      var requirements = VkMemoryRequirements()
      vkGetImageMemoryRequirements(device.handle, handle, &requirements)
      memory = try DeviceMemory(device: device, requirements: requirements, use: .device)
      try check(vkBindImageMemory(device.handle, handle, memory.handle, 0), "vkBindImageMemory")
      var viewInfo = VkImageViewCreateInfo()
      viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
      viewInfo.image = handle
      viewInfo.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D
      viewInfo.format = format.vulkan
      viewInfo.subresourceRange = Image.whole(layers: layers)
      self.view = try create("vkCreateImageView") {
        vkCreateImageView(device.handle, &viewInfo, nil, &$0)
      }
    } catch {
      vkDestroyImage(device.handle, handle, nil)
      throw error
    }
    self.device = device
    self.handle = handle
    self.format = format
    self.layers = layers
    self.width = width
    self.height = height
  }

  deinit {
    vkDestroyImageView(device.handle, view, nil)
    vkDestroyImage(device.handle, handle, nil)
  }

  /// What all images have in common when they are made.
  static func info(_ format: VkFormat, width: Int, height: Int) -> VkImageCreateInfo {
    var info = VkImageCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
    info.imageType = VK_IMAGE_TYPE_2D
    info.format = format
    info.extent = VkExtent3D(width: UInt32(width), height: UInt32(height), depth: 1)
    (info.mipLevels, info.arrayLayers) = (1, 1)
    info.samples = VK_SAMPLE_COUNT_1_BIT
    return info
  }

  static var firstLayer: VkImageSubresourceLayers {
    VkImageSubresourceLayers(
      aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, mipLevel: 0, baseArrayLayer: 0,
      layerCount: 1)
  }

  static func whole(layers: Int) -> VkImageSubresourceRange {
    VkImageSubresourceRange(
      aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: 0, levelCount: 1,
      baseArrayLayer: 0, layerCount: UInt32(layers))
  }
}
