import CV4L2
import Frames
import Glibc
import V4L2Handles

/// A video device that other programs see as a camera: one end of a loopback, or a transmitter.
///
/// Its format is set once, because programs that have opened it do not follow a change.
struct VirtualCamera: ~Copyable {
  private let device: VideoDevice
  /// Shown last.
  private let picture: VirtualCameraPicture
  private var isFilled = false
  private let buffers: VideoBuffers
  /// Buffers that the device has not had yet.
  private var unused: Int
  private var isStreaming = false
  private var lastGiven: UInt32?
  /// The next buffer is taken in the place of the one that the device gives back: v4l2loopback 0.12
  /// gives the one that it has just got, which its readers still look at.
  private var rotates = false
  private var hasRotated = false

  /// Formats that every reader takes, in the order in which they are tried, with the layout in which
  /// the frames come for it.
  static let formats: [(code: FourCC, pixelFormat: PixelFormat)] = [
    (FourCC("YU12"), .yuv420p), (FourCC("YUYV"), .yuv422p),
  ]
  private static let bufferCount: UInt32 = 4
  /// How long a device may keep all buffers, in milliseconds.
  private static let patience: Int32 = 5000

  /// The layout in which a device wants its frames; of the given one, if it takes that.
  ///
  /// - Throws: A sentence where it cannot be opened or takes neither.
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
      // While one program writes into a loopback, it is nothing but a camera to all others.
      if device.isLoopback { throw V4L2Error(call: "VIDIOC_QUERYCAP", code: EBUSY) }
    } catch {
      if error.code == EBUSY { throw busy(path, name: path) }
      throw EncodeError("\(path) cannot be opened as a virtual camera: \(error.reason)")
    }
    throw EncodeError(
      "\(path) takes no pictures; load v4l2loopback for a virtual camera, and give its number")
  }

  private static func busy(_ path: String, name: String) -> EncodeError {
    // v4l2loopback 0.12 takes a device for written to, also when the program has gone that only
    // called write().
    guard !DeviceHolder.all(of: path).isEmpty else {
      return EncodeError(
        """
        \(name) is written to by another program, or was left so by one: end that one, give another \
        device, or load v4l2loopback anew
        """)
    }
    return EncodeError(
      """
      \(name) is written to by another program already; it is open in \
      \(DeviceHolder.description(of: path)): end that one, or give another device
      """)
  }

  private static func makeBuffers(
    _ device: borrowing VideoDevice
  ) throws(EncodeError) -> VideoBuffers {
    do throws(V4L2Error) {
      return try VideoBuffers(
        device, type: V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue, count: bufferCount)
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
    // Without it the kernel forgets the matrix and the range.
    format.fmt.pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    return format
  }

  /// Says how many frames come, which readers are told; a device that does not ask is left alone.
  private static func set(frameRate: Rational, of device: borrowing VideoDevice) {
    guard frameRate > .zero else { return }
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    parameters.parm.output.timeperframe.numerator = UInt32(clamping: frameRate.denominator)
    parameters.parm.output.timeperframe.denominator = UInt32(clamping: frameRate.numerator)
    _ = kf_s_parm(device.descriptor, &parameters)
  }

  /// Opens a device and sets it to a format that `pixelFormat` has found.
  ///
  /// - Parameters:
  ///   - path: The device's.
  ///   - format: Of every frame.
  ///   - frameRate: In frames a second, for readers that ask.
  /// - Throws: A sentence where the device is in use or grants another size.
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
          + (result < 0 ? String(cString: strerror(-result)) : "it insists on another format"))
    }
    guard Int(granted.width) == format.width, Int(granted.height) == format.height else {
      throw EncodeError(
        "\(device.title) takes \(granted.width)x\(granted.height) only: add --size "
          + "\(granted.width)x\(granted.height)")
    }
    VirtualCamera.set(frameRate: frameRate, of: device)
    let buffers = try VirtualCamera.makeBuffers(device)
    unused = buffers.count
    self.buffers = buffers
    picture = VirtualCameraPicture(format: format, stride: Int(granted.bytesperline))
    self.device = device
  }

  /// Shows a frame.
  mutating func show(_ frame: Frame) throws(EncodeError) {
    picture.fill(frame.pixels)
    isFilled = true
    try send()
  }

  /// Shows the last frame once more.
  mutating func showAgain() throws(EncodeError) { if isFilled { try send() } }

  /// Gives the device the picture in a buffer that is free.
  private mutating func send() throws(EncodeError) {
    do throws(V4L2Error) {
      let index = try free()
      if rotates {
        rotates = give((index + 1) % UInt32(buffers.count)) == 0
        if rotates { return }
      }
      try check(give(index), "VIDIOC_QBUF")
      guard !isStreaming else { return }
      var type = Int32(V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)
      try check(kf_streamon(device.descriptor, &type), "VIDIOC_STREAMON")
      isStreaming = true
    } catch {
      throw EncodeError("\(device.title) takes no more pictures: \(error.reason) (\(error.call))")
    }
  }

  /// Copies the picture to a buffer and gives it to the device; the device's answer.
  private mutating func give(_ index: UInt32) -> Int32 {
    guard let buffer = buffers.memory.planes[Int(index)].first, let target = buffer.baseAddress
    else {
      return -EINVAL
    }
    let bytes = picture.bytes
    let count = min(buffer.count, bytes.count)
    if let source = bytes.baseAddress { memcpy(target, source, count) }
    let result = buffers.withBuffer(index) { buffer, _ in
      buffer.bytesused = UInt32(count)
      buffer.field = V4L2_FIELD_NONE.rawValue
      return kf_qbuf(device.descriptor, &buffer)
    }
    if result == 0 { lastGiven = index }
    return result
  }

  /// A buffer that the device has not got, or has done with.
  private mutating func free() throws(V4L2Error) -> UInt32 {
    if unused > 0 {
      unused -= 1
      return UInt32(unused)
    }
    while true {
      var index: UInt32 = 0
      let result = buffers.withBuffer(0) { buffer, _ in
        let result = kf_dqbuf(device.descriptor, &buffer)
        index = buffer.index
        return result
      }
      if result != -EAGAIN {
        try check(result, "VIDIOC_DQBUF")
        index = min(index, UInt32(buffers.count - 1))
        if !hasRotated, device.isLoopback, index == lastGiven {
          (rotates, hasRotated) = (true, true)
        }
        return index
      }
      var waited = pollfd(fd: device.descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&waited, 1, VirtualCamera.patience) != 0 else {
        throw V4L2Error(call: "poll", code: ETIMEDOUT)
      }
    }
  }
}
