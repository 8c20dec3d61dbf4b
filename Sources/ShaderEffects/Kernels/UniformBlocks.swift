import GPU

/// Uniform blocks, one after another in a buffer for each slot; what a frame writes there is never moved
/// or allocated anew.
struct UniformBlocks {
  private let buffers: [Buffer]
  private let blocks: [(offset: Int, byteCount: Int)]

  /// Makes room for blocks of these sizes, for `slotCount` frames in flight.
  init(device: Device, byteCounts: [Int], slotCount: Int) throws(VulkanError) {
    var end = 0
    var blocks: [(offset: Int, byteCount: Int)] = []
    for byteCount in byteCounts {
      blocks.append((end, byteCount))
      // The most that minUniformBufferOffsetAlignment may be (Vulkan, table "Required Limits").
      end += (byteCount + 255) / 256 * 256
    }
    self.blocks = blocks
    var buffers: [Buffer] = []
    for _ in 0..<(blocks.isEmpty ? 0 : slotCount) {
      buffers.append(try Buffer(device: device, byteCount: end, use: .upload))
    }
    self.buffers = buffers
  }

  /// What kernels that read a block are bound to.
  func bound(_ block: Int) -> KernelResource.Bound {
    let (offset, byteCount) = blocks[block]
    return .slots(buffers.map { .buffer($0, offset: offset, byteCount: byteCount) })
  }

  /// Where a frame writes a block.
  func bytes(slot: Int, block: Int) -> UnsafeMutableRawBufferPointer {
    let (offset, byteCount) = blocks[block]
    return UnsafeMutableRawBufferPointer(
      rebasing: buffers[slot].bytes[offset..<offset + byteCount])
  }
}
