import CFFmpeg
import FFmpegHandles
import Frames

extension EncoderPlan {
  /// Why the encoder does not open although its settings passed all checks, and what to choose instead.
  func refusal(code: Int32) -> EncodeError {
    let asked = askedOptions.map { "--encoder-option \($0)" }.joined(separator: " and ")
    return EncodeError(
      "\(name) cannot encode \(format.width)x\(format.height) \(format.pixelFormat.rawValue) at "
        + "\(frameRate) frames per second (\(FFmpegError.reason(code))): "
        + (asked.isEmpty ? "" : "leave out \(asked), or give another value, or ")
        + "choose another --codec, --size or --pixel-format")
  }

  /// What to choose instead of an encoder on hardware; `reason` is a part of the sentence.
  func refusal(because reason: String) -> EncodeError {
    let remedy =
      EncoderCatalog.software(codec.pointee.id).map {
        "use --codec \($0), which needs no such hardware"
      } ?? "choose another --codec"
    return EncodeError(
      "\(name) encodes on hardware, and cannot start here, because \(reason): \(remedy)")
  }
}
