import Frames
import GPU
import ShaderEffects

/// How far back a chain of effects looks.
package struct EffectMemory: Sendable, Equatable {
  /// Number of frames before the current one that the chain reads.
  package var frames = 0
  /// Why a frame depends on all that came before it, one clause for each effect.
  package var endless: [String] = []

  /// Compiles the effects of a recording, whose depth may depend on the frames' size in pixels.
  package init(_ recording: Recording, width: Int, height: Int) throws {
    guard !recording.effects.isEmpty else { return }
    let prepared = try PreparedEffects(recording)
    defer { prepared.interruption.interrupt() }
    for effect in prepared.effects {
      if effect.keepsResults {
        endless.append("effect '\(effect.name)' keeps its result for the next frame")
      }
      // FFmpeg's AAC and Opus decoders give other values if they do not begin at the start.
      if !effect.audioInputs.isEmpty || effect.hearsLevels {
        endless.append("effect '\(effect.name)' hears the audio, which is decoded from its start")
      }
      frames += effect.framesBefore(width: width, height: height)
    }
  }
}
