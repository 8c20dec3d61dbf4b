import CVulkan
import Frames

/// Memory for the packed words of the last frames, so that effects read earlier frames where they were
/// uploaded.
///
/// Used by one thread.
final class WordRing {
  private let buffer: Buffer
  private let frameByteCount: Int
  private let layers: Int
  /// For each frame in flight, a uniform block with its layer.
  private let blocks: [Buffer]
  private var newest = -1

  /// The words of all layers.
  let words: KernelResource.Bound
  /// The same, four in each texel.
  let fours: KernelResource.Bound
  let place: WordReader.Ring

  /// Makes the memory; nil if the device cannot read this many words.
  init?(
    device: Device, format: FrameFormat, earlierFrames: Int, slotCount: Int
  ) throws(VulkanError) {
    // While a frame is filled, the kernels of those in flight may read the frames before them.
    layers = earlierFrames + slotCount
    frameByteCount = WordPacking.byteCount(of: format)
    let limit = device.facts.maxTexels
    guard layers * frameByteCount / 4 <= limit else { return nil }
    let byteCount = layers * frameByteCount
    buffer = try Buffer(device: device, byteCount: byteCount, use: .upload)
    words = .always(
      .texels(try TexelView(device: device, buffer: buffer, byteCount: byteCount, format: .r32)))
    fours = .always(
      .texels(try TexelView(device: device, buffer: buffer, byteCount: byteCount, format: .rgba32)))
    let blocks = try (0..<slotCount).map { _ throws(VulkanError) in
      try Buffer(device: device, byteCount: 16, use: .upload)
    }
    self.blocks = blocks
    place = WordReader.Ring(
      layers: layers, earlierFrames: earlierFrames, layer: .slots(blocks.map { .buffer($0) }))
  }

  /// Returns the memory for the next frame, which a slot's kernels will read.
  func next(slot: Int) -> UnsafeMutableRawBufferPointer {
    newest = (newest + 1) % layers
    blocks[slot].bytes.storeBytes(of: Int32(newest), as: Int32.self)
    let start = newest * frameByteCount
    return UnsafeMutableRawBufferPointer(
      rebasing: buffer.bytes[start..<start + frameByteCount])
  }
}
