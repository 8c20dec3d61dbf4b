import CVulkan
import Frames
import Synchronization

/// The commands of one frame: recorded, submitted and waited for, repeatedly.
///
/// Used by one thread, in this order: `begin`, any number of copies and dispatches, `submit`, `wait`.
public final class CommandBuffer {
  let device: Device
  private let pool: VkCommandPool
  let buffer: VkCommandBuffer
  private let fence: VkFence
  /// Nil if the GPU has no clock.
  private let timer: FrameTimer?
  /// When the last commands that were waited for ran; nil if the GPU has no clock.
  public private(set) var span: GPUSpan?
  /// The commands are submitted and not yet waited for.
  public private(set) var isPending = false

  public init(device: Device) throws(VulkanError) {
    self.device = device
    var poolInfo = VkCommandPoolCreateInfo()
    poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
    poolInfo.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT.rawValue
    poolInfo.queueFamilyIndex = device.physical.queueFamily
    let owned = try create("vkCreateCommandPool") {
      vkCreateCommandPool(device.handle, &poolInfo, nil, &$0)
    }
    do {
      timer = try FrameTimer(device: device)
      var info = VkCommandBufferAllocateInfo()
      info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
      info.commandPool = owned
      info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
      info.commandBufferCount = 1
      self.buffer = try create("vkAllocateCommandBuffers") {
        vkAllocateCommandBuffers(device.handle, &info, &$0)
      }
      var fenceInfo = VkFenceCreateInfo()
      fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO
      self.fence = try create("vkCreateFence") {
        vkCreateFence(device.handle, &fenceInfo, nil, &$0)
      }
    } catch {
      vkDestroyCommandPool(device.handle, owned, nil)
      throw error
    }
    self.pool = owned
  }

  deinit {
    try? drain()
    vkDestroyFence(device.handle, fence, nil)
    vkDestroyCommandPool(device.handle, pool, nil)
  }

  /// Starts an empty list of commands; the wait for those submitted before must be over.
  public func begin() throws(VulkanError) {
    precondition(!isPending, "the commands are still running")
    try check(vkResetCommandPool(device.handle, pool, 0), "vkResetCommandPool")
    var info = VkCommandBufferBeginInfo()
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
    try check(vkBeginCommandBuffer(buffer, &info), "vkBeginCommandBuffer")
    timer?.begin(buffer)
  }

  /// Runs the kernel with `width` x `height` invocations, rounded up to whole work groups; with none,
  /// nothing runs (Vulkan, vkCmdDispatch).
  public func dispatch(_ bindings: DescriptorSet, width: Int, height: Int) {
    let kernel = bindings.kernel
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline)
    var set: VkDescriptorSet? = bindings.handle
    vkCmdBindDescriptorSets(
      buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &set, 0, nil)
    let group = kernel.groupSize
    vkCmdDispatch(
      buffer, UInt32((width + group.width - 1) / group.width),
      UInt32((height + group.height - 1) / group.height), 1)
  }

  /// Copies rows of texels from a buffer into a whole image; `rowTexels` is the row stride in texels.
  public func copy(_ source: Buffer, offset: Int, rowTexels: Int, to image: Image) {
    copy(source.handle, offset: offset, rowTexels: rowTexels, to: image)
  }

  func copy(_ source: VkBuffer, offset: Int, rowTexels: Int, to image: Image) {
    var region = VkBufferImageCopy()
    region.bufferOffset = VkDeviceSize(offset)
    region.bufferRowLength = UInt32(rowTexels)
    region.imageSubresource = Image.firstLayer
    region.imageExtent = VkExtent3D(
      width: UInt32(image.width), height: UInt32(image.height), depth: 1)
    vkCmdCopyBufferToImage(
      buffer, source, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region)
  }

  /// Prepares planes as targets of copies; their contents are lost.
  public func beginCopies(to planes: [Image]) {
    for plane in planes {
      transition(
        plane, from: VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        // The previous frame may still be reading.
        stages: (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT),
        access: (0, VK_ACCESS_TRANSFER_WRITE_BIT.rawValue))
    }
  }

  /// Lets later dispatches read what was copied to the planes.
  public func endCopies(to planes: [Image]) {
    for plane in planes {
      transition(
        plane, from: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, to: plane.format.layout,
        stages: (VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT),
        access: (
          VK_ACCESS_TRANSFER_WRITE_BIT.rawValue, VK_ACCESS_SHADER_READ_BIT.rawValue
        ))
    }
  }

  /// Transitions a texture that no command has used yet into its layout for dispatches.
  public func makeReady(_ picture: Texture) {
    guard let image = picture.image, !image.isReady else { return }
    image.isReady = true
    transition(
      image, from: VK_IMAGE_LAYOUT_UNDEFINED, to: image.format.layout,
      stages: (VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT),
      access: (0, VK_ACCESS_SHADER_WRITE_BIT.rawValue | VK_ACCESS_SHADER_READ_BIT.rawValue))
  }

  /// Copies the upper left part of a texture to an image of a swapchain, and leaves that ready to be shown.
  ///
  /// The two may order their channels differently, which a blit takes care of.
  func copy(_ source: Image, to target: VkImage, width: Int, height: Int) {
    transition(
      source.handle, layers: 1, from: VK_IMAGE_LAYOUT_GENERAL,
      to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      stages: (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT),
      access: (VK_ACCESS_SHADER_WRITE_BIT.rawValue, VK_ACCESS_TRANSFER_READ_BIT.rawValue))
    transition(
      target, layers: 1, from: VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      stages: (VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT),
      access: (0, VK_ACCESS_TRANSFER_WRITE_BIT.rawValue))
    let end = VkOffset3D(x: Int32(width), y: Int32(height), z: 1)
    var region = VkImageBlit()
    (region.srcSubresource, region.dstSubresource) = (Image.firstLayer, Image.firstLayer)
    (region.srcOffsets, region.dstOffsets) = ((VkOffset3D(), end), (VkOffset3D(), end))
    vkCmdBlitImage(
      buffer, source.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target,
      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST)
    transition(
      source.handle, layers: 1, from: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      to: VK_IMAGE_LAYOUT_GENERAL,
      stages: (VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT),
      access: (0, VK_ACCESS_SHADER_WRITE_BIT.rawValue))
    transition(
      target, layers: 1, from: VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
      to: VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
      stages: (VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT),
      access: (VK_ACCESS_TRANSFER_WRITE_BIT.rawValue, 0))
  }

  private func transition(
    _ image: Image, from old: VkImageLayout, to new: VkImageLayout,
    stages: (source: VkPipelineStageFlagBits, destination: VkPipelineStageFlagBits),
    access: (source: UInt32, destination: UInt32)
  ) {
    transition(
      image.handle, layers: image.layers, from: old, to: new, stages: stages, access: access)
  }

  private func transition(
    _ image: VkImage, layers: Int, from old: VkImageLayout, to new: VkImageLayout,
    stages: (source: VkPipelineStageFlagBits, destination: VkPipelineStageFlagBits),
    access: (source: UInt32, destination: UInt32)
  ) {
    var barrier = VkImageMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER
    barrier.srcAccessMask = access.source
    barrier.dstAccessMask = access.destination
    barrier.oldLayout = old
    barrier.newLayout = new
    barrier.srcQueueFamilyIndex = kf_vk_queue_family_ignored()
    barrier.dstQueueFamilyIndex = kf_vk_queue_family_ignored()
    barrier.image = image
    barrier.subresourceRange = Image.whole(layers: layers)
    vkCmdPipelineBarrier(
      buffer, stages.source.rawValue, stages.destination.rawValue, 0, 0, nil, 0, nil, 1, &barrier)
  }

  /// Lets later dispatches read what earlier dispatches wrote, and overwrite what they read.
  public func dispatchBeforeDispatch() {
    barrier(
      in: buffer, from: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT.rawValue,
      to: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
      VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue)
  }

  /// Lets the CPU read what the dispatches wrote, after the wait.
  ///
  /// A fence alone does not guarantee that (Vulkan, "Fences", note on host visibility).
  public func dispatchBeforeHost() {
    barrier(
      in: buffer, from: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT.rawValue,
      to: VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT.rawValue)
  }

  /// Submits the commands to the GPU; they run after those submitted before.
  public func submit() throws(VulkanError) { try submit(after: [], signalling: []) }

  /// Submits the commands; their copies wait for semaphores, and they signal others at their end.
  func submit(after: [VkSemaphore], signalling: [VkSemaphore]) throws(VulkanError) {
    timer?.end(buffer)
    try check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer")
    var commands: VkCommandBuffer? = buffer
    let (waits, signals) = (after.map { Optional($0) }, signalling.map { Optional($0) })
    let stages = after.map { _ in VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue }
    let result = withUnsafePointer(to: &commands) { commands in
      waits.withUnsafeBufferPointer { waits in
        signals.withUnsafeBufferPointer { signals in
          stages.withUnsafeBufferPointer { stages in
            var info = VkSubmitInfo()
            info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO
            info.waitSemaphoreCount = UInt32(waits.count)
            info.pWaitSemaphores = waits.baseAddress
            info.pWaitDstStageMask = stages.baseAddress
            info.commandBufferCount = 1
            info.pCommandBuffers = commands
            info.signalSemaphoreCount = UInt32(signals.count)
            info.pSignalSemaphores = signals.baseAddress
            return device.submission.withLock { _ in vkQueueSubmit(device.queue, 1, &info, fence) }
          }
        }
      }
    }
    try check(result, "vkQueueSubmit")
    isPending = true
  }

  /// Waits until the GPU has run the commands; a GPU that exceeds the device's limit counts as hung.
  public func wait() throws(VulkanError) { try wait(limit: device.frameLimit) }

  /// Waits for commands that do nothing, as long as the driver needs to compile their kernels.
  public func waitForCompiler() throws(VulkanError) { try wait(limit: Rational(1 << 31)) }

  /// Waits before the commands and their objects are released; it waits for a slow GPU too, because
  /// destroying objects in use crashes the driver.
  public func drain() throws(VulkanError) {
    try wait(limit: max(device.frameLimit, Rational(120)))
  }

  /// `limit` is in seconds.
  private func wait(limit: Rational) throws(VulkanError) {
    guard isPending else { return }
    isPending = false
    var fence: VkFence? = fence
    let nanoseconds = UInt64(clamping: limit.ticks(timeBase: Rational(1, 1_000_000_000)))
    try check(
      vkWaitForFences(device.handle, 1, &fence, VkBool32(VK_TRUE), nanoseconds), "vkWaitForFences")
    try check(vkResetFences(device.handle, 1, &fence), "vkResetFences")
    span = try timer?.span()
  }
}

/// Records that later commands of a stage access what earlier ones of a stage have accessed.
func barrier(
  in buffer: VkCommandBuffer, from source: VkPipelineStageFlagBits, _ sourceAccess: UInt32,
  to destination: VkPipelineStageFlagBits, _ destinationAccess: UInt32
) {
  var barrier = VkMemoryBarrier()
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
  barrier.srcAccessMask = sourceAccess
  barrier.dstAccessMask = destinationAccess
  vkCmdPipelineBarrier(
    buffer, source.rawValue, destination.rawValue, 0, 1, &barrier, 0, nil, 0, nil)
}
