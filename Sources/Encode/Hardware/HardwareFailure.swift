import FFmpegHandles
import Frames

/// A failed call of an encoder on hardware.
struct HardwareFailure: ExplainedError {
  let encoder: String
  let code: Int32

  var description: String {
    "\(encoder) stopped working (\(FFmpegError.reason(code))): use --hw off, or another --codec"
  }
}
