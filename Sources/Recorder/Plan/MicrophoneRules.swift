import Capture
import Encode

extension Recording {
  /// Throws if a microphone is requested but the source or the outputs cannot be combined with it.
  func checkMicrophone(_ outputs: OutputSet) throws(RecorderError) {
    guard microphone != nil else { return }
    guard outputs.takesAudio else {
      throw RecorderError(
        "\(outputs.name) holds no sound; write a .mov, .mp4 or .mkv, or leave --audio out",
        isUsageError: true)
    }
    guard following.isEmpty else {
      throw RecorderError(
        "--audio goes with a camera, and not with several inputs; leave it out", isUsageError: true)
    }
    let kind = source.kind
    if kind.isLive || kind.isGenerated && source.isPaced { return }
    throw RecorderError(
      kind.isGenerated
        ? "--audio goes with what is recorded live; add --realtime to \(source.input), or leave it out"
        : "--audio goes with a camera, and \(source.input) is none; leave it out, for the sound of a "
          + "file is carried along by itself", isUsageError: true)
  }
}
