import CV4L2
import Frames
import Glibc
import V4L2Handles

/// The signal at a camera's cable input: that of an HDMI grabber or a TV card.
struct CameraSignal {
  /// The signal's size in pixels; nil if no signal sets the camera's size, as for a webcam.
  let size: (width: Int, height: Int)?
}

extension VideoDevice {
  /// Sets the camera to the signal at its input, if it has an input whose signal can change.
  ///
  /// - Throws: If there is no signal, or none that the camera can lock on (ENOLINK, ENOLCK, ERANGE).
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
