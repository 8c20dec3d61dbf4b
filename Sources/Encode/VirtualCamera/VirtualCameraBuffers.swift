import CV4L2
import Glibc
import V4L2Handles

/// The buffers that carry frames to a virtual camera; each frame goes into the buffer that readers
/// have not used for the longest time.
struct VirtualCameraBuffers: ~Copyable {
  private let buffers: VideoBuffers
  private let isLoopback: Bool
  /// Index of the first buffer that the device has not had yet.
  private var unused: UInt32 = 0
  private var isStreaming = false
  private var last: UInt32?
  private var turn = Turn.unknown
  /// Indexes below this number are different buffers for the device.
  private var limit: UInt32

  /// Who chooses the next buffer.
  private enum Turn {
    case unknown
    /// The device: it is the buffer that the device returns.
    case device
    /// kfrec: it is the one after the last, because v4l2loopback up to 0.13 returns the buffer that
    /// it has just received, which its readers still use.
    case ours
  }

  /// Number of buffers for a transmitter: with more of them, a waiting frame is shown later.
  private static let transmitterBuffers: UInt32 = 4
  /// Number of buffers for a loopback: all that it has (its max_buffers), because it uses only as
  /// many as its writer requests, and after the last one overwrites the frame that a reader still
  /// uses.
  private static let loopbackBuffers: UInt32 = 32
  /// Longest time that a device may keep all buffers, in milliseconds.
  private static let patience: Int32 = 5000

  /// Makes the device allocate the buffers for the current format.
  init(_ device: borrowing VideoDevice) throws(V4L2Error) {
    let isLoopback = device.isLoopback
    let buffers = try VideoBuffers(
      device, type: V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue,
      count: isLoopback
        ? VirtualCameraBuffers.loopbackBuffers : VirtualCameraBuffers.transmitterBuffers)
    limit = UInt32(buffers.count)
    self.isLoopback = isLoopback
    self.buffers = buffers
  }

  /// Sends a copy of a frame to the device; waits while the device has all buffers.
  mutating func send(
    _ picture: UnsafeRawBufferPointer, to device: borrowing VideoDevice
  ) throws(V4L2Error) {
    if turn == .ours {
      if try sendNext(picture, to: device) { return }
      turn = .device
    }
    let index = try free(device)
    if turn == .ours, try sendNext(picture, to: device) { return }
    try check(give(index, picture, to: device), "VIDIOC_QBUF")
    guard !isStreaming else { return }
    var type = Int32(V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue)
    try check(kf_streamon(device.descriptor, &type), "VIDIOC_STREAMON")
    isStreaming = true
  }

  /// Sends the frame in the buffer after the last one; returns false if the device does not take
  /// that.
  private mutating func sendNext(
    _ picture: UnsafeRawBufferPointer, to device: borrowing VideoDevice
  ) throws(V4L2Error) -> Bool {
    while true {
      let index = ((last ?? 0) + 1) % limit
      guard give(index, picture, to: device) == 0 else { return false }
      let (result, taken) = takeBack(device)
      guard result != -EAGAIN else { return false }
      try check(result, "VIDIOC_DQBUF")
      if taken == index { return true }
      // A reader has requested fewer buffers, and so reduced their number for everyone: the device
      // shows the buffer at the index modulo that number, with an earlier frame.
      guard taken < index else { return false }
      limit = max(min(VirtualCameraBuffers.countInUse(of: device) ?? index, index), 1)
      last = taken
    }
  }

  /// Returns the number of buffers that v4l2loopback reports; nil if it does not.
  private static func countInUse(of device: borrowing VideoDevice) -> UInt32? {
    let name = device.path.split(separator: "/").last ?? ""
    return firstLine(of: "/sys/class/video4linux/\(name)/buffers").flatMap { UInt32($0) }
  }

  /// Copies the frame to a buffer and sends it to the device; returns the device's result.
  private mutating func give(
    _ index: UInt32, _ picture: UnsafeRawBufferPointer, to device: borrowing VideoDevice
  ) -> Int32 {
    guard let buffer = buffers.memory.planes[Int(index)].first, let target = buffer.baseAddress,
      let source = picture.baseAddress
    else { return -EINVAL }
    let count = min(buffer.count, picture.count)
    memcpy(target, source, count)
    let result = buffers.withBuffer(index) { buffer, _ in
      buffer.bytesused = UInt32(count)
      buffer.field = V4L2_FIELD_NONE.rawValue
      return kf_qbuf(device.descriptor, &buffer)
    }
    if result == 0 { last = index }
    return result
  }

  /// Returns a buffer that the device has not had yet, or has finished with.
  private mutating func free(_ device: borrowing VideoDevice) throws(V4L2Error) -> UInt32 {
    // The first buffer that a loopback returns shows whether kfrec or the device must choose the later ones.
    let asks = isLoopback && turn == .unknown && last != nil
    if !asks, unused < limit {
      unused += 1
      return unused - 1
    }
    while true {
      let (result, index) = takeBack(device)
      if result != -EAGAIN {
        try check(result, "VIDIOC_DQBUF")
        if turn == .unknown {
          turn = isLoopback && index == last ? .ours : .device
          // A loopback that returns the oldest buffer has had all of them from its start.
          if isLoopback { unused = limit }
        }
        return min(index, limit - 1)
      }
      var waited = pollfd(fd: device.descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&waited, 1, VirtualCameraBuffers.patience) != 0 else {
        throw V4L2Error(call: "poll", code: ETIMEDOUT)
      }
    }
  }

  /// Requests a buffer from the device; returns the device's result and the buffer's index.
  private func takeBack(_ device: borrowing VideoDevice) -> (result: Int32, index: UInt32) {
    var index: UInt32 = 0
    let result = buffers.withBuffer(0) { buffer, _ in
      let result = kf_dqbuf(device.descriptor, &buffer)
      index = buffer.index
      return result
    }
    return (result, index)
  }
}
