public import Frames
import GPU
public import ShaderEffects

/// Provides the audio that effects read.
///
/// Only one thread uses it.
public protocol EffectAudio: AnyObject {
  /// Number of audio channels, which is the number of rows in each texture.
  var channels: Int { get }

  /// Writes the audio just before a frame's time into a slot's texture.
  ///
  /// The time is in seconds from the first recorded frame.
  func fill(_ texture: AudioTexture, slot: Int, time: Rational) throws
}

/// The audio inputs of a pipeline's effects, with one texture for each input.
struct AudioTextures {
  private let audio: (any EffectAudio)?
  private let textures: [AudioTexture]

  /// Creates the textures and gives them to the effects; without audio, the inputs stay silent.
  init(
    _ audio: (any EffectAudio)?, effects: inout [EffectInstance], device: Device, slotCount: Int
  ) throws {
    var textures: [AudioTexture] = []
    for index in effects.indices {
      for input in effects[index].audioInputs {
        // It begins silent, and may have more columns than an image of the device.
        let texture = try AudioTexture(
          device: device, input: input, channels: audio?.channels ?? 1, slotCount: slotCount)
        _ = effects[index].setImage(input.name, to: EffectImage(audio: texture))
        textures.append(texture)
      }
    }
    self.audio = audio
    self.textures = textures
  }

  /// Writes the audio for a frame into the textures of a slot.
  func fill(slot: Int, time: Rational) throws {
    for texture in textures { try audio?.fill(texture, slot: slot, time: time) }
  }
}
