import Capture
import Encode
import Frames
import Recorder

extension Options {
  /// Which audio is read, and how it is changed.
  var sound: SoundRequest {
    var sound = SoundRequest()
    if case .one(let number)? = audioTrack { sound.track = number }
    if let factor = gain?.constant { sound.volume = factor } else { sound.volumeCurve = gain }
    sound.loudness = loudness
    return sound
  }

  /// How the audio is encoded.
  var audioSettings: AudioSettings {
    var settings = AudioSettings()
    switch audioCodec {
    case .copy?: settings.isCopied = true
    case .encoded(let codec)?: settings.codec = codec
    case nil: break
    }
    settings.bitrate = audioBitrate
    return settings
  }
}
