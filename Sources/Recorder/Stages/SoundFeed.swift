import Capture
import Frames
import Render
import ShaderEffects

/// Shows effects the sound of the source at the time of each frame.
///
/// Used by one thread.
final class SoundFeed: EffectAudio {
  var channels: Int { follower.channels }

  private let follower: SoundFollower
  /// The source's own time of the first recorded frame.
  private let zero: Rational
  /// By the number of columns.
  private var spectra: [Int: SoundSpectrum] = [:]
  private let samples: UnsafeMutableBufferPointer<Float>
  private let columns: UnsafeMutableBufferPointer<Float>

  /// Opens the source's sound a second time; nil where no effect asks for it, and where there is none
  /// or it comes as it is made.
  init?(_ recording: Recording, effects: [CompiledEffect], firstTime: Rational, isLive: Bool) {
    guard !isLive || recording.source.isPaced, effects.contains(where: { !$0.soundInputs.isEmpty }),
      let follower = SoundFollower(recording.source)
    else { return nil }
    self.follower = follower
    zero = firstTime
    // Not as default values, which nobody would free where there is no feed.
    samples = .allocate(capacity: SoundFollower.longest)
    columns = .allocate(capacity: SoundFollower.longest)
  }

  deinit {
    samples.deallocate()
    columns.deallocate()
  }

  func fill(_ picture: SoundPicture, slot: Int, time: Rational) throws {
    let input = picture.input
    let values = UnsafeMutableBufferPointer(rebasing: columns[..<input.columns])
    for channel in 0..<channels {
      if input.isSpectrum {
        let spectrum = try spectrum(input.columns)
        let window = UnsafeMutableBufferPointer(rebasing: samples[..<spectrum.count])
        follower.read(channel: channel, before: zero + time, into: window)
        spectrum.fill(values, from: window)
      } else {
        follower.read(channel: channel, before: zero + time, into: values)
        for index in values.indices { values[index] = min(max(0.5 + values[index] / 2, 0), 1) }
      }
      picture.write(slot: slot, row: channel, values)
    }
  }

  private func spectrum(_ columns: Int) throws(CaptureError) -> SoundSpectrum {
    if let known = spectra[columns] { return known }
    let spectrum = try SoundSpectrum(columns: columns)
    spectra[columns] = spectrum
    return spectrum
  }
}
