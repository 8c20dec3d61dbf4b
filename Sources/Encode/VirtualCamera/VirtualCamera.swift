import CV4L2
import Frames
import Glibc
import V4L2Handles

/// A video device that other programs see as a camera: one end of a loopback, or a transmitter.
///
/// Its format is set once, because programs that have opened it do not follow a change.
struct VirtualCamera: ~Copyable {
  private let device: VideoDevice
  private let picture: VirtualCameraFrame
  private var isFilled = false
  private var buffers: VirtualCameraBuffers

  /// Formats that every reader takes, in the order in which they are tried, with the layout of the
  /// frames for each.
  static let formats: [(code: FourCC, pixelFormat: PixelFormat)] = [
    (FourCC("YU12"), .yuv420p), (FourCC("YUYV"), .yuv422p),
  ]

  /// Returns the frame layout that a device takes: `wanted`, or the first supported one if that is nil.
  static func pixelFormat(of path: String, wanted: PixelFormat?) throws(EncodeError) -> PixelFormat
  {
    let device = try open(path)
    let taken = formats.filter { format in
      var question = blank(format.code, width: 640, height: 480)
      return kf_try_fmt(device.descriptor, &question) == 0
        && question.fmt.pix.pixelformat == format.code.rawValue
    }.map(\.pixelFormat)
    if let format = taken.first(where: { wanted == nil || wanted == $0 }) { return format }
    guard let wanted, !taken.isEmpty else {
      throw EncodeError(
        "\(device.title) takes neither YU12 nor YUYV, the formats of virtual cameras")
    }
    throw EncodeError(
      "\(device.title) does not take \(wanted.rawValue): add --pixel-format "
        + taken.map(\.rawValue).joined(separator: " or "), isUsageError: true)
  }

  private static func open(_ path: String) throws(EncodeError) -> VideoDevice {
    do throws(V4L2Error) {
      let device = try VideoDevice(path: path)
      if device.isTransmitter { return device }
      // While one program writes to a loopback, all other programs see only a camera.
      if device.isLoopback { throw V4L2Error(call: "VIDIOC_QUERYCAP", code: EBUSY) }
    } catch {
      if error.code == EBUSY { throw busy(path, name: path) }
      throw EncodeError("\(path) cannot be opened as a virtual camera: \(error.reason)")
    }
    throw EncodeError(
      "\(path) takes no frames; load v4l2loopback for a virtual camera, and give "
        + "the number of that camera")
  }

  private static func busy(_ path: String, name: String) -> EncodeError {
    // v4l2loopback 0.12 treats a device as in use even after a program that only called write() has
    // ended.
    guard !DeviceHolder.all(of: path).isEmpty else {
      return EncodeError(
        """
        \(name) is in use by another program, or was left in that state by one that has ended: end the \
        program, give another device, or load v4l2loopback again
        """)
    }
    return EncodeError(
      """
      \(name) is in use by another program; the device is open in \
      \(DeviceHolder.description(of: path)): end that program, or give another device
      """)
  }

  private static func makeBuffers(
    _ device: borrowing VideoDevice
  ) throws(EncodeError) -> VirtualCameraBuffers {
    do throws(V4L2Error) {
      return try VirtualCameraBuffers(device)
    } catch {
      throw EncodeError("\(device.title) cannot be written to: \(error.reason) (\(error.call))")
    }
  }

  private static func blank(_ code: FourCC, width: Int, height: Int) -> v4l2_format {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    format.fmt.pix.width = UInt32(clamping: width)
    format.fmt.pix.height = UInt32(clamping: height)
    format.fmt.pix.pixelformat = code.rawValue
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    // Without this the kernel ignores the matrix and the range.
    format.fmt.pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    return format
  }

  /// Sets the frame rate that the device reports to readers; a device that rejects it is ignored.
  private static func set(frameRate: Rational, of device: borrowing VideoDevice) {
    guard frameRate > .zero else { return }
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    parameters.parm.output.timeperframe.numerator = UInt32(clamping: frameRate.denominator)
    parameters.parm.output.timeperframe.denominator = UInt32(clamping: frameRate.numerator)
    _ = kf_s_parm(device.descriptor, &parameters)
  }

  /// Opens a device and sets it to a format that `pixelFormat` has found.
  init(path: String, format: FrameFormat, frameRate: Rational) throws(EncodeError) {
    let device = try VirtualCamera.open(path)
    guard
      let code = VirtualCamera.formats.first(where: { $0.pixelFormat == format.pixelFormat })?.code
    else { throw EncodeError("\(device.title) does not take \(format.pixelFormat.rawValue)") }
    var setting = VirtualCamera.blank(code, width: format.width, height: format.height)
    setting.fmt.pix.setColors(format.color)
    let result = kf_s_fmt(device.descriptor, &setting)
    let granted = setting.fmt.pix
    guard result == 0, granted.pixelformat == code.rawValue else {
      if result == -EBUSY { throw VirtualCamera.busy(path, name: device.title) }
      throw EncodeError(
        "\(device.title) does not take \(code): "
          + (result < 0 ? String(cString: strerror(-result)) : "it accepts only another format"))
    }
    guard Int(granted.width) == format.width, Int(granted.height) == format.height else {
      throw EncodeError(
        "\(device.title) takes \(granted.width)x\(granted.height) only: add --size "
          + "\(granted.width)x\(granted.height)")
    }
    VirtualCamera.set(frameRate: frameRate, of: device)
    buffers = try VirtualCamera.makeBuffers(device)
    picture = VirtualCameraFrame(format: format, stride: Int(granted.bytesperline))
    self.device = device
  }

  mutating func show(_ frame: Frame) throws(EncodeError) {
    picture.fill(frame.pixels)
    isFilled = true
    try send()
  }

  mutating func showAgain() throws(EncodeError) { if isFilled { try send() } }

  private mutating func send() throws(EncodeError) {
    do throws(V4L2Error) {
      try buffers.send(picture.bytes, to: device)
    } catch {
      throw EncodeError("\(device.title) takes no more frames: \(error.reason) (\(error.call))")
    }
  }
}

extension v4l2_pix_format {
  /// Describes what the pixel values mean, for readers that ask.
  mutating func setColors(_ color: ColorDescription) {
    let isHD = color.primaries == 1 && color.transfer != 13
    colorspace =
      switch color.primaries {
      case 9: V4L2_COLORSPACE_BT2020.rawValue
      case 5, 6: V4L2_COLORSPACE_SMPTE170M.rawValue
      default: isHD ? V4L2_COLORSPACE_REC709.rawValue : V4L2_COLORSPACE_SRGB.rawValue
      }
    ycbcr_enc =
      switch color.matrix {
      case .bt709: V4L2_YCBCR_ENC_709.rawValue
      case .bt2020NonConstant: V4L2_YCBCR_ENC_BT2020.rawValue
      case .smpte240m: V4L2_YCBCR_ENC_SMPTE240M.rawValue
      default: V4L2_YCBCR_ENC_601.rawValue
      }
    quantization =
      color.range == .full
      ? V4L2_QUANTIZATION_FULL_RANGE.rawValue : V4L2_QUANTIZATION_LIM_RANGE.rawValue
  }
}
