package import GPU

/// Sound as an effect wants to see it: an input of the type `audio` or `audioFFT`.
package struct AudioInput: Sendable, Equatable {
  package let name: String
  /// Frequencies; else the wave.
  package let isSpectrum: Bool
  package let columns: Int

  init(_ input: EffectInput) {
    name = input.name
    isSpectrum = input.kind == .audioFFT
    columns = input.columns
  }

  /// What a column holds where there is no sound.
  var silence: Float { isSpectrum ? 0 : 0.5 }
}

/// A picture that the CPU writes for each frame from what is heard then: a column for each sample or
/// frequency, a row for each channel, grey and opaque.
///
/// Each frame in flight has one of its own; used by the thread that records commands.
package final class AudioTexture: Sendable {
  package let input: AudioInput
  let shape: TextureDescriptor
  let slots: [Slot]

  struct Slot: @unchecked Sendable {
    // @unchecked: the handles never change; the bytes are written by one thread, while the slot's
    // frame is not on the GPU.
    let buffer: Buffer
    let resource: DescriptorSet.Resource
  }

  /// Makes silent pictures of `channels` rows for the slots.
  package init(
    device: Device, input: AudioInput, channels: Int, slotCount: Int
  ) throws(VulkanError) {
    self.input = input
    let shape = TextureDescriptor(
      width: input.columns, height: channels, format: .float, storage: .buffers)
    self.shape = shape
    var slots: [Slot] = []
    for _ in 0..<slotCount {
      let (buffer, resource) = try shape.mapped(on: device)
      slots.append(Slot(buffer: buffer, resource: resource))
    }
    self.slots = slots
    for slot in slots.indices {
      for row in 0..<channels {
        for column in 0..<input.columns { set(slot: slot, row: row, column: column, input.silence) }
      }
    }
  }

  /// Writes a channel's row for the frame of a slot.
  package func write(slot: Int, row: Int, _ values: UnsafeMutableBufferPointer<Float>) {
    precondition(values.count == shape.width && row < shape.height)
    for (column, value) in values.enumerated() {
      set(slot: slot, row: row, column: column, value)
    }
  }

  private func set(slot: Int, row: Int, column: Int, _ value: Float) {
    let texel = SIMD4<Float>(value, value, value, 1)
    slots[slot].buffer.bytes.storeBytes(
      of: texel, toByteOffset: 16 * (row * shape.width + column), as: SIMD4<Float>.self)
  }
}

extension EffectImage {
  /// What a sound input shows where nothing is heard.
  static func silence(_ input: AudioInput) -> EffectImage {
    let value = input.silence
    return EffectImage(
      width: input.columns, height: 1,
      texels: (0..<input.columns).flatMap { _ in [value, value, value, 1] })
  }
}
