public import GPU

/// The audio that an effect reads: an input of the type `audio` or `audioFFT`.
public struct AudioInput: Sendable, Equatable {
  public let name: String
  /// True for frequencies, false for the waveform.
  public let isSpectrum: Bool
  public let columns: Int

  init(_ input: EffectInput) {
    name = input.name
    isSpectrum = input.kind == .audioFFT
    columns = input.columns
  }

  /// The value of a column when there is no audio.
  var silence: Float { isSpectrum ? 0 : 0.5 }
}

/// A texture that the CPU writes for each frame from the audio at that time: one column per sample or
/// frequency, one row per channel, grey and opaque.
///
/// Each frame in flight has its own copy; used by the thread that records commands.
public final class AudioTexture: Sendable {
  public let input: AudioInput
  let shape: TextureDescriptor
  let slots: [MappedTexture]

  /// Makes silent textures of `channels` rows, one for each slot.
  public init(
    device: Device, input: AudioInput, channels: Int, slotCount: Int
  ) throws(VulkanError) {
    self.input = input
    shape = TextureDescriptor(written: input.columns, channels, format: .float, on: device)
    slots = try shape.mapped(on: device, slotCount: slotCount)
    for slot in slots.indices {
      for row in 0..<channels {
        for column in 0..<input.columns { set(slot: slot, row: row, column: column, input.silence) }
      }
    }
  }

  /// Writes the row of a channel for the frame of a slot.
  public func write(slot: Int, row: Int, _ values: UnsafeMutableBufferPointer<Float>) {
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
  /// Returns the image of an audio input when there is no audio.
  static func silence(_ input: AudioInput) -> EffectImage {
    let value = input.silence
    return EffectImage(
      width: input.columns, height: 1,
      texels: (0..<input.columns).flatMap { _ in [value, value, value, 1] })
  }
}
