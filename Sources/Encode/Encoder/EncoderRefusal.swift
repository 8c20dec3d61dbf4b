import CFFmpeg
import FFmpegHandles
import Frames

/// Why an encoder does not open, although its settings passed all checks.
struct EncoderRefusal {
  private let plan: EncoderPlan
  private let code: Int32

  init(_ plan: EncoderPlan, code: Int32) {
    self.plan = plan
    self.code = code
  }

  /// A sentence that says what to choose instead.
  var error: EncodeError {
    let asked = plan.askedOptions.map { "--encoder-option \($0)" }.joined(separator: " and ")
    return EncodeError(
      "\(plan.name) cannot encode \(picture) (\(FFmpegError.reason(code))): "
        + (asked.isEmpty ? "" : "leave out \(asked), or give another value, or ")
        + "choose another --codec, --size or --pixel-format")
  }

  /// A sentence about an encoder on hardware, which says what to choose instead; `reason` is a part of it.
  func error(because reason: String) -> EncodeError {
    EncodeError(
      "\(plan.name) encodes on hardware, and cannot start here, because \(reason): \(software)")
  }

  private var picture: String {
    "\(plan.format.width)x\(plan.format.height) \(plan.format.pixelFormat.rawValue) at "
      + "\(plan.frameRate) frames per second"
  }

  private var software: String {
    guard let codec = EncoderCatalog.software(plan.codec.pointee.id) else {
      return "choose another --codec"
    }
    return "use --codec \(codec), which needs no such hardware"
  }
}
