package import Frames
import GPU
package import ShaderEffects

/// The sound that effects hear.
///
/// Used by one thread.
package protocol EffectAudio: AnyObject {
  /// The rows of each texture: the channels of the sound.
  var channels: Int { get }

  /// Writes into a slot's texture what was heard just before the time of a frame, in seconds from the
  /// first recorded frame.
  func fill(_ texture: AudioTexture, slot: Int, time: Rational) throws
}

/// The audio inputs of a pipeline's effects, each with its texture.
struct AudioTextures {
  private let audio: (any EffectAudio)?
  private let textures: [AudioTexture]

  /// Makes the textures and gives them to the effects; without audio the inputs stay silent.
  init(
    _ audio: (any EffectAudio)?, effects: inout [EffectInstance], device: Device, slotCount: Int
  ) throws {
    var textures: [AudioTexture] = []
    if let audio {
      for index in effects.indices {
        for input in effects[index].audioInputs {
          let texture = try AudioTexture(
            device: device, input: input, channels: audio.channels, slotCount: slotCount)
          _ = effects[index].setImage(input.name, to: EffectImage(sound: texture))
          textures.append(texture)
        }
      }
    }
    self.audio = audio
    self.textures = textures
  }

  /// Writes the sound of a frame into the textures of a slot.
  func fill(slot: Int, time: Rational) throws {
    for texture in textures { try audio?.fill(texture, slot: slot, time: time) }
  }
}
