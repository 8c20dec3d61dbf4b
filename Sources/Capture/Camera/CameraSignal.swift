import CV4L2
import Frames
import Glibc
import V4L2Handles

extension VideoDevice {
  /// Sets the camera to the signal at its cable input, as of an HDMI grabber or a TV card, and returns the signal's size in
  /// pixels; nil if no signal sets the camera's size, as for a webcam.
  ///
  /// Without a signal, or with one that the camera cannot lock on, it throws ENOLINK, ENOLCK or ERANGE.
  func followSignal() throws(V4L2Error) -> (width: Int, height: Int)? {
    var number: Int32 = 0
    var input = v4l2_input()
    guard kf_g_input(descriptor, &number) == 0 else { return nil }
    input.index = UInt32(bitPattern: number)
    guard kf_enuminput(descriptor, &input) == 0 else { return nil }
    if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
      var timings = v4l2_dv_timings()
      let result = kf_query_dv_timings(descriptor, &timings)
      if result != -ENOTTY, result != -ENODATA {
        try check(result, "VIDIOC_QUERY_DV_TIMINGS")
        try check(kf_s_dv_timings(descriptor, &timings), "VIDIOC_S_DV_TIMINGS")
        return (Int(timings.bt.width), Int(timings.bt.height))
      }
    }
    guard input.capabilities & UInt32(V4L2_IN_CAP_STD) != 0 else { return nil }
    if input.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 {
      throw V4L2Error(call: "VIDIOC_ENUMINPUT", code: ENOLINK)
    }
    let mode = try setting().mode
    return (mode.width, mode.height)
  }
}
