import CPosix
import Glibc
import V4L2Handles

extension CaptureError {
  /// Explains a failed request to the user, and says what to do about it.
  init(_ error: V4L2Error, path: String, name: String) {
    switch (error.call, error.code) {
    case ("open", ENOENT), ("open", ENXIO), ("open", ENODEV):
      self.init("there is no camera \(path); kfrec devices lists the cameras")
    case ("open", EACCES), ("open", EPERM):
      self.init(
        """
        \(path) may not be opened by this user: it belongs to the group \(groupName(of: path)); join \
        it with sudo usermod -aG \(groupName(of: path)) $USER and log in again
        """)
    case (_, EBUSY):
      self.init(
        """
        \(name) is in use by \(DeviceHolder.description(of: path)); close it there, or choose another \
        camera from kfrec devices
        """)
    case ("VIDIOC_STREAMON", ENOSPC):
      self.init(
        """
        \(name) does not fit on its USB bus beside the other devices; take a smaller --camera-size, a \
        lower --camera-fps or --camera-format mjpeg, or plug it into another bus
        """)
    case (_, ENOLINK):
      self.init(
        "there is no signal at the input of \(name); connect its source and switch the source on")
    case (_, ENOLCK), (_, ERANGE):
      self.init(
        """
        \(name) cannot follow the signal at its input; give it a signal of another size or frame \
        rate
        """)
    case (_, ENODEV), (_, ENXIO):
      self.init("\(name) was unplugged while it was being opened; plug it in again")
    case (_, ENOTTY):
      self.init("\(path) is not a camera; kfrec devices lists the cameras")
    default:
      self.init(
        """
        \(name) does not start: \(error.reason) (\(error.call)); plug it in again, or try another \
        --camera-size or --camera-format
        """)
    }
  }
}

/// Returns the name of the group that owns a device.
func groupName(of path: String) -> String {
  var status = stat()
  guard stat(path, &status) == 0 else { return "video" }
  var entry = group()
  var result: UnsafeMutablePointer<group>?
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { bytes in
    guard getgrgid_r(status.st_gid, &entry, bytes.baseAddress, bytes.count, &result) == 0,
      result != nil
    else { return "\(status.st_gid)" }
    return String(cString: entry.gr_name)
  }
}
