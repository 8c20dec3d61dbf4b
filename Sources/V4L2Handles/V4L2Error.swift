import Glibc

/// A failed request to a video device.
package struct V4L2Error: Error {
  /// The request or function, such as "VIDIOC_S_FMT" or "open".
  package let call: String
  /// The system's error number (positive).
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The system's own text for the error.
  package var reason: String { String(cString: strerror(code)) }

  /// The device is gone: unplugged, or its driver was unloaded.
  package var meansGone: Bool { [ENODEV, ENXIO, ENOENT].contains(code) }
}

/// The single check for requests to video devices, which return 0 or a negative error number.
package func check(_ result: Int32, _ call: String) throws(V4L2Error) {
  guard result >= 0 else { throw V4L2Error(call: call, code: -result) }
}
