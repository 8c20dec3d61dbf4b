import CALSA

/// The storage format of a sample: formats that ALSA and FFmpeg both have, in the machine's byte
/// order.
package enum SampleFormat: CaseIterable, Sendable {
  case float, int32, int16

  package var byteCount: Int { self == .int16 ? 2 : 4 }

  /// ALSA's number, SND_PCM_FORMAT_...
  var number: snd_pcm_format_t {
    switch self {
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .int32: SND_PCM_FORMAT_S32_LE
    case .int16: SND_PCM_FORMAT_S16_LE
    }
  }
}
