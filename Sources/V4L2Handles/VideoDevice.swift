import CV4L2
import Glibc

/// An open video device, closed when its single owner releases it.
package struct VideoDevice: ~Copyable {
  /// The device's path, such as `/dev/video0`.
  package let path: String
  package let descriptor: Int32
  /// How the device describes itself: model, driver, location on the bus.
  package let card: String
  package let driver: String
  package let bus: String
  private let capabilities: UInt32

  /// Opens a device without blocking, and queries its capabilities.
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
    // One driver may serve several nodes: these are the node's own capabilities, if reported.
    capabilities =
      answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
      ? answer.device_caps : answer.capabilities
  }

  deinit { close(descriptor) }

  /// Path and model, such as "/dev/video0 (Integrated Camera)".
  package var title: String { card.isEmpty ? path : "\(path) (\(card))" }

  private func has(_ capability: Int32) -> Bool {
    capabilities & UInt32(bitPattern: capability) != 0
  }

  /// Frames have an array of memory planes.
  package var isMultiplanar: Bool {
    !has(V4L2_CAP_VIDEO_CAPTURE) && has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
  }

  /// The device delivers frames by streaming, unlike radio, metadata, output and codec nodes.
  ///
  /// A codec both takes and delivers frames; so does a loopback device, but with single-plane
  /// buffers.
  package var isCamera: Bool {
    let captures = has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
    return captures && has(V4L2_CAP_STREAMING) && !isCodec
  }

  private var isCodec: Bool {
    has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE)
      || isMultiplanar && has(V4L2_CAP_VIDEO_OUTPUT_MPLANE)
  }

  /// The device takes frames by streaming, for another program or for a cable.
  package var isTransmitter: Bool {
    has(V4L2_CAP_VIDEO_OUTPUT) && has(V4L2_CAP_STREAMING) && !isCodec
  }

  /// A device of v4l2loopback: other programs read what one program writes.
  package var isLoopback: Bool { driver == "v4l2 loopback" }

  /// The type of the buffers that the device fills (V4L2_BUF_TYPE_...).
  package var bufferType: UInt32 {
    isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  }
}

/// Returns a C string in a struct's byte array, which may lack the final zero.
package func text<Bytes>(of array: Bytes) -> String {
  withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
