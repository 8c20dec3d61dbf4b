import CV4L2
import Frames
import Glibc
import V4L2Handles

/// A video device that other programs see as a camera: one end of a loopback, or a transmitter.
///
/// Its format is set once, because programs that have opened it do not follow a change.
struct VirtualCamera: ~Copyable {
  private let device: VideoDevice
  private let layout: PixelLayout
  private let width: Int
  private let height: Int
  /// Bytes from a row of the first plane to the next.
  private let stride: Int
  /// Of a picture, in bytes.
  private let byteCount: Int
  private let memory: HeapMemory
  private var isFilled = false
  private let buffers: VideoBuffers
  /// Buffers that the device has not had yet.
  private var unused: Int
  /// The buffer that it was given last.
  private var latest: UInt32 = 0
  private var isStreaming = false

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
    } catch {
      throw EncodeError("\(path) cannot be opened as a virtual camera: \(error.reason)")
    }
    throw EncodeError(
      "\(path) takes no pictures; load v4l2loopback for a virtual camera, and give its number")
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
    return format
  }

  /// Opens a device and sets it to a format that `pixelFormat` has found.
  init(path: String, format: FrameFormat) throws(EncodeError) {
    let device = try VirtualCamera.open(path)
    guard
      let code = VirtualCamera.formats.first(where: { $0.pixelFormat == format.pixelFormat })?.code
    else { throw EncodeError("\(device.title) does not take \(format.pixelFormat.rawValue)") }
    var setting = VirtualCamera.blank(code, width: format.width, height: format.height)
    setting.fmt.pix.setColors(format.color)
    let result = kf_s_fmt(device.descriptor, &setting)
    let granted = setting.fmt.pix
    guard result == 0, granted.pixelformat == code.rawValue else {
      throw EncodeError(
        result == -EBUSY
          ? "\(device.title) is in use; close what reads or writes it, and begin again"
          : "\(device.title) does not take \(code): "
            + (result < 0 ? String(cString: strerror(-result)) : "it insists on another format"))
    }
    guard Int(granted.width) == format.width, Int(granted.height) == format.height else {
      throw EncodeError(
        "\(device.title) takes \(granted.width)x\(granted.height) only: add --size "
          + "\(granted.width)x\(granted.height)")
    }
    let buffers = try VirtualCamera.makeBuffers(device)
    unused = buffers.planes.count
    self.buffers = buffers
    layout = format.pixelFormat.layout
    width = format.width
    height = format.height
    let row = code == FourCC("YUYV") ? 2 * width : width
    stride = max(Int(granted.bytesperline), row)
    let needed =
      code == FourCC("YUYV") ? stride * height : stride * height + 2 * (stride / 2 * (height / 2))
    // What the device calls the size may be rounded up to whole pages.
    byteCount = needed
    memory = HeapMemory(byteCount: byteCount)
    memory.baseAddress.initializeMemory(as: UInt8.self, repeating: 0, count: memory.byteCount)
    self.device = device
  }

  /// Shows a frame.
  mutating func show(_ frame: Frame) throws(EncodeError) {
    if layout.chromaSubsampling == (2, 2) {
      copyPlanes(frame.pixels)
    } else {
      interleave(frame.pixels)
    }
    isFilled = true
    try send(isNew: true)
  }

  /// Shows the last frame once more.
  mutating func showAgain() throws(EncodeError) { if isFilled { try send(isNew: false) } }

  private func copyPlanes(_ pixels: PixelBuffer) {
    var target = memory.baseAddress
    for (index, plane) in layout.planes.enumerated() {
      let source = pixels.planes[index]
      let step = index == 0 ? stride : stride / 2
      for row in 0..<plane.height(height) {
        memcpy(
          target + row * step, source.baseAddress + row * source.stride, plane.width(width))
      }
      target += step * plane.height(height)
    }
  }

  private func interleave(_ pixels: PixelBuffer) {
    let planes = pixels.planes.map {
      ($0.baseAddress.assumingMemoryBound(to: UInt8.self), $0.stride)
    }
    for row in 0..<height {
      let target = (memory.baseAddress + row * stride).assumingMemoryBound(to: UInt8.self)
      let luma = planes[0].0 + row * planes[0].1
      let blue = planes[1].0 + row * planes[1].1
      let red = planes[2].0 + row * planes[2].1
      for pair in 0..<width / 2 {
        target[4 * pair] = luma[2 * pair]
        target[4 * pair + 1] = blue[pair]
        target[4 * pair + 2] = luma[2 * pair + 1]
        target[4 * pair + 3] = red[pair]
      }
    }
  }

  /// Gives the device the picture in a buffer that is free.
  private mutating func send(isNew: Bool) throws(EncodeError) {
    do throws(V4L2Error) {
      var index = try free()
      // v4l2loopback 0.12 takes any buffer, and gives back the one that readers look at now: a new
      // picture goes into another.
      if isNew, isStreaming, index == latest { index = (index + 1) % UInt32(buffers.planes.count) }
      guard let buffer = buffers.planes[Int(index)].first, let target = buffer.baseAddress else {
        return
      }
      memcpy(target, memory.baseAddress, min(buffer.count, memory.byteCount))
      let bytes = UInt32(min(buffer.count, byteCount))
      let result = buffers.withBuffer(index) { buffer, _ in
        buffer.bytesused = bytes
        buffer.field = V4L2_FIELD_NONE.rawValue
        return kf_qbuf(device.descriptor, &buffer)
      }
      try check(result, "VIDIOC_QBUF")
      latest = index
      guard !isStreaming else { return }
      var type = Int32(V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)
      try check(kf_streamon(device.descriptor, &type), "VIDIOC_STREAMON")
      isStreaming = true
    } catch {
      throw EncodeError("\(device.title) takes no more pictures: \(error.reason) (\(error.call))")
    }
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
        return min(index, UInt32(buffers.planes.count - 1))
      }
      var waited = pollfd(fd: device.descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&waited, 1, VirtualCamera.patience) != 0 else {
        throw V4L2Error(call: "poll", code: ETIMEDOUT)
      }
    }
  }
}

extension v4l2_pix_format {
  /// Says what the numbers mean, for readers that ask.
  fileprivate mutating func setColors(_ color: ColorDescription) {
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
