import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

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
    let codec = plan.codec.pointee
    let isHardware = codec.capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID) != 0
    // OpenMAX encoders do not report that they are hardware.
    if isHardware || plan.name.hasSuffix("_omx") {
      return EncodeError("\(hardware): \(software)")
    }
    if codec.supported_framerates != nil {
      return EncodeError(
        "\(plan.name) needs one of its constant frame rates, but kfrec gives each frame its own "
          + "timestamp: choose another --codec, such as mpeg4")
    }
    return EncodeError(
      "\(plan.name) cannot encode \(picture) (\(FFmpegError.reason(code))): choose another --codec, "
        + "--size or --pixel-format")
  }

  private var picture: String {
    "\(plan.format.width)x\(plan.format.height) \(plan.format.pixelFormat.rawValue) at "
      + "\(plan.frameRate) frames per second"
  }

  /// Missing hardware is far more common than hardware that does not take the frames.
  private var hardware: String {
    let start = "\(plan.name) encodes on hardware, and cannot start here"
    guard plan.name.hasSuffix("_nvenc") else {
      return "\(start) (\(FFmpegError.reason(code))): this machine may have no suitable hardware"
    }
    // libavcodec's wrapper looks for the driver in the same way.
    guard let driver = dlopen("libcuda.so.1", RTLD_LAZY) else {
      return "\(start), because there is no NVIDIA driver (libcuda.so.1)"
    }
    dlclose(driver)
    return
      "\(start) (\(FFmpegError.reason(code))): the NVIDIA GPU, or its driver, may not encode \(picture)"
  }

  private var software: String {
    guard let codec = EncoderCatalog.software(plan.codec.pointee.id) else {
      return "choose another --codec"
    }
    return "use --codec \(codec), which needs no such hardware"
  }
}
