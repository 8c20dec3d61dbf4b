import CV4L2
import Glibc

/// An open video device; one owner, closed with it.
package struct VideoDevice: ~Copyable {
  /// As the system names it: `/dev/video0`.
  package let path: String
  package let descriptor: Int32
  /// What the device calls itself: model, driver, place on the bus.
  package let card: String
  package let driver: String
  package let bus: String
  private let capabilities: UInt32

  /// Opens a device without waiting, and asks what it is.
  package init(path: String) throws(V4L2Error) {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try check(descriptor >= 0 ? 0 : -errno, "open")
    var answer = v4l2_capability()
    let result = kf_querycap(descriptor, &answer)
    guard result >= 0 else {
      close(descriptor)
      throw V4L2Error(call: "VIDIOC_QUERYCAP", code: -result)
    }
    self.path = path
    self.descriptor = descriptor
    card = text(of: answer.card)
    driver = text(of: answer.driver)
    bus = text(of: answer.bus_info)
    // One driver may serve several nodes: these are the node's own, where it tells them.
    capabilities =
      answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
      ? answer.device_caps : answer.capabilities
  }

  deinit { close(descriptor) }

  /// "/dev/video0 (Integrated Camera)".
  package var title: String { card.isEmpty ? path : "\(path) (\(card))" }

  private func has(_ capability: Int32) -> Bool {
    capabilities & UInt32(bitPattern: capability) != 0
  }

  /// Pictures have an array of memory planes.
  package var isMultiplanar: Bool {
    !has(V4L2_CAP_VIDEO_CAPTURE) && has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
  }

  /// It delivers pictures by streaming, as against radio, metadata, output and codec nodes.
  ///
  /// A codec both takes and gives pictures; so does a loopback device, but with plain buffers.
  package var isCamera: Bool {
    let captures = has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
    return captures && has(V4L2_CAP_STREAMING) && !isCodec
  }

  private var isCodec: Bool {
    has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE)
      || isMultiplanar && has(V4L2_CAP_VIDEO_OUTPUT_MPLANE)
  }

  /// It takes pictures by streaming, and another program or a cable gets them.
  package var isTransmitter: Bool {
    has(V4L2_CAP_VIDEO_OUTPUT) && has(V4L2_CAP_STREAMING) && !isCodec
  }

  /// v4l2loopback's: what one program writes others read.
  package var isLoopback: Bool { driver == "v4l2 loopback" }

  /// The kind of the buffers that it fills (V4L2_BUF_TYPE_...).
  package var bufferType: UInt32 {
    isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }
}

/// A C string in a struct's array of bytes, which may lack its end.
package func text<Bytes>(of array: Bytes) -> String {
  withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
