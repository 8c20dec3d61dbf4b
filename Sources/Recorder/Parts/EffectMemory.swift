import Frames
import GPU
import ShaderEffects

/// How far back a chain of effects looks.
package struct EffectMemory: Sendable, Equatable {
  /// Number of frames before the current one that the chain reads.
  package var frames = 0
  /// Names of the effects that keep a result for the next frame, so that it depends on all frames before.
  package var endless: [String] = []

  /// Compiles the effects of a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - width: The frames' width in pixels, on which a depth may depend.
  ///   - height: The frames' height in pixels.
  /// - Throws: The mistakes of the effects.
  package init(_ recording: Recording, width: Int, height: Int) throws {
    guard !recording.effects.isEmpty else { return }
    let prepared = try PreparedEffects(recording)
    defer { prepared.interruption.interrupt() }
    for effect in prepared.effects {
      if effect.keepsResults { endless.append(effect.name) }
      frames += effect.framesBefore(width: width, height: height)
    }
  }
}
