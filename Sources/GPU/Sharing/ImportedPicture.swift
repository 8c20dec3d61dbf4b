import CVulkan
import Frames

/// A picture in another device's memory, opened on the GPU for copies from it.
///
/// It keeps the picture where it is until it is released, which must wait for the commands that read it.
final class ImportedPicture {
  /// Planes in the order of the format.
  let planes: [Plane]
  private let picture: SharedPicture

  /// Row after row of texels in a buffer, or an image with the order of the other device.
  enum Plane {
    case rows(ImportedBuffer, offset: Int, rowTexels: Int)
    case texels(ImportedImage)
  }

  /// Opens the memory of a picture that `SharingFacts` has found readable.
  ///
  /// - Throws: If the driver does not take the memory.
  init(device: Device, picture: SharedPicture, format: FrameFormat) throws(VulkanError) {
    var planes: [Plane] = []
    for (place, plane) in zip(picture.planes, format.pixelFormat.layout.planes) {
      guard let texel = Image.Format(plane), let first = place.parts.first else {
        throw VulkanError("the GPU cannot read \(format.pixelFormat.rawValue)")
      }
      if place.modifier == SharedPicture.rowByRow {
        planes.append(
          .rows(
            try ImportedBuffer(device: device, place), offset: first.offset,
            rowTexels: first.stride / texel.byteCount))
      } else {
        planes.append(
          .texels(
            try ImportedImage(
              device: device, place, format: texel, width: plane.width(format.width),
              height: plane.height(format.height))))
      }
    }
    (self.planes, self.picture) = (planes, picture)
  }
}

/// A block of another device's memory as a buffer.
final class ImportedBuffer {
  let handle: VkBuffer
  private let memory: DeviceMemory
  private let device: Device

  fileprivate init(device: Device, _ place: SharedPicture.Plane) throws(VulkanError) {
    var external = VkExternalMemoryBufferCreateInfo()
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
    external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT.rawValue
    let handle = try create("vkCreateBuffer") { buffer in
      withUnsafePointer(to: &external) { external in
        var info = VkBufferCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
        info.pNext = UnsafeRawPointer(external)
        info.size = VkDeviceSize(place.byteCount)
        info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue
        return vkCreateBuffer(device.handle, &info, nil, &buffer)
      }
    }
    do throws(VulkanError) {
      var requirements = VkMemoryRequirements()
      vkGetBufferMemoryRequirements(device.handle, handle, &requirements)
      memory = try DeviceMemory(device: device, importing: place, requirements)
      try check(vkBindBufferMemory(device.handle, handle, memory.handle, 0), "vkBindBufferMemory")
    } catch {
      vkDestroyBuffer(device.handle, handle, nil)
      throw error
    }
    (self.device, self.handle) = (device, handle)
  }

  deinit { vkDestroyBuffer(device.handle, handle, nil) }
}

/// A plane in another device's memory as an image, in the order in which that device stores texels.
final class ImportedImage {
  let handle: VkImage
  let width: Int
  let height: Int
  private let memory: DeviceMemory
  private let device: Device

  fileprivate init(
    device: Device, _ place: SharedPicture.Plane, format: Image.Format, width: Int, height: Int
  ) throws(VulkanError) {
    guard let vulkan = format.shared else { throw VulkanError("the GPU cannot read such planes") }
    let parts = place.parts.map { part in
      var layout = VkSubresourceLayout()
      (layout.offset, layout.rowPitch) = (VkDeviceSize(part.offset), VkDeviceSize(part.stride))
      return layout
    }
    let handle = try create("vkCreateImage") { image in
      parts.withUnsafeBufferPointer { parts in
        var order = VkImageDrmFormatModifierExplicitCreateInfoEXT()
        order.sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT
        order.drmFormatModifier = place.modifier
        order.drmFormatModifierPlaneCount = UInt32(parts.count)
        order.pPlaneLayouts = parts.baseAddress
        return withUnsafePointer(to: &order) { order in
          var external = VkExternalMemoryImageCreateInfo()
          external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO
          external.pNext = UnsafeRawPointer(order)
          external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT.rawValue
          return withUnsafePointer(to: &external) { external in
            var info = Image.info(vulkan, width: width, height: height)
            info.pNext = UnsafeRawPointer(external)
            info.tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
            info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue
            return vkCreateImage(device.handle, &info, nil, &image)
          }
        }
      }
    }
    do throws(VulkanError) {
      var requirements = VkMemoryRequirements()
      vkGetImageMemoryRequirements(device.handle, handle, &requirements)
      memory = try DeviceMemory(device: device, importing: place, requirements, for: handle)
      try check(vkBindImageMemory(device.handle, handle, memory.handle, 0), "vkBindImageMemory")
    } catch {
      vkDestroyImage(device.handle, handle, nil)
      throw error
    }
    (self.device, self.handle) = (device, handle)
    (self.width, self.height) = (width, height)
  }

  deinit { vkDestroyImage(device.handle, handle, nil) }
}

extension CommandBuffer {
  /// Copies the planes of a picture in another device's memory to whole images, which are targets of copies.
  func copy(_ picture: ImportedPicture, to planes: [Image]) {
    for (source, target) in zip(picture.planes, planes) {
      switch source {
      case .rows(let rows, let offset, let rowTexels):
        take(rows.handle, for: VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT)
        copy(rows.handle, offset: offset, rowTexels: rowTexels, to: target)
      case .texels(let image):
        var barrier = VkImageMemoryBarrier()
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT.rawValue
        // With the layout UNDEFINED the texels would be lost.
        barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL
        barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
        barrier.srcQueueFamilyIndex = device.otherQueues
        barrier.dstQueueFamilyIndex = device.physical.queueFamily
        barrier.image = image.handle
        barrier.subresourceRange = Image.whole(layers: 1)
        vkCmdPipelineBarrier(
          buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT.rawValue,
          VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue, 0, 0, nil, 0, nil, 1, &barrier)
        var region = VkImageCopy()
        (region.srcSubresource, region.dstSubresource) = (Image.firstLayer, Image.firstLayer)
        region.extent = VkExtent3D(
          width: UInt32(target.width), height: UInt32(target.height), depth: 1)
        vkCmdCopyImage(
          buffer, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target.handle,
          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region)
      }
    }
  }
}
