import GPU

/// Uniform blocks, one after another in one buffer per slot; each frame writes them in place without
/// allocation.
struct UniformBlocks {
  private let buffers: [Buffer]
  private let blocks: [(offset: Int, byteCount: Int)]

  /// Allocates blocks of these sizes, for `slotCount` frames in flight.
  init(device: Device, byteCounts: [Int], slotCount: Int) throws(VulkanError) {
    var end = 0
    var blocks: [(offset: Int, byteCount: Int)] = []
    for byteCount in byteCounts {
      blocks.append((end, byteCount))
      // The largest allowed minUniformBufferOffsetAlignment (Vulkan, table "Required Limits").
      end += (byteCount + 255) / 256 * 256
    }
    self.blocks = blocks
    let (byteCount, slots) = (end, 0..<(blocks.isEmpty ? 0 : slotCount))
    buffers = try slots.map { _ throws(VulkanError) in
      try Buffer(device: device, byteCount: byteCount, use: .upload)
    }
  }

  /// Returns the resource that kernels bind to read a block.
  func bound(_ block: Int) -> KernelResource.Bound {
    let (offset, byteCount) = blocks[block]
    return .slots(buffers.map { .buffer($0, offset: offset, byteCount: byteCount) })
  }

  /// Returns the bytes of a block, which a frame writes.
  func bytes(slot: Int, block: Int) -> UnsafeMutableRawBufferPointer {
    let (offset, byteCount) = blocks[block]
    return UnsafeMutableRawBufferPointer(
      rebasing: buffers[slot].bytes[offset..<offset + byteCount])
  }
}
