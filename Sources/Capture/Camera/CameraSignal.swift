import CV4L2
import Frames
import Glibc
import V4L2Handles

/// What is connected to a camera's input, where that is a cable: an HDMI grabber's or a TV card's.
struct CameraSignal {
  /// The signal's own; nil where the camera is not told by it what to give, as a webcam is not.
  let size: (width: Int, height: Int)?
}

extension VideoDevice {
  /// Brings the camera to the signal at its input, if it has one that can change.
  ///
  /// - Throws: Where there is no signal, or none that it can lock on (ENOLINK, ENOLCK, ERANGE).
  func followSignal() throws(V4L2Error) -> CameraSignal {
    var number: Int32 = 0
    var input = v4l2_input()
    guard kf_g_input(descriptor, &number) == 0 else { return CameraSignal(size: nil) }
    input.index = UInt32(bitPattern: number)
    guard kf_enuminput(descriptor, &input) == 0 else { return CameraSignal(size: nil) }
    if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
      var timings = v4l2_dv_timings()
      let result = kf_query_dv_timings(descriptor, &timings)
      if result != -ENOTTY, result != -ENODATA {
        try check(result, "VIDIOC_QUERY_DV_TIMINGS")
        try check(kf_s_dv_timings(descriptor, &timings), "VIDIOC_S_DV_TIMINGS")
        return CameraSignal(size: (Int(timings.bt.width), Int(timings.bt.height)))
      }
    }
    guard input.capabilities & UInt32(V4L2_IN_CAP_STD) != 0 else { return CameraSignal(size: nil) }
    if input.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 {
      throw V4L2Error(call: "VIDIOC_ENUMINPUT", code: ENOLINK)
    }
    let mode = try setting().mode
    return CameraSignal(size: (mode.width, mode.height))
  }
}
