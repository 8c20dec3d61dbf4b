import CV4L2
import Glibc
import V4L2Handles

/// The buffers by which a virtual camera gets its pictures, each in the one that readers have not looked
/// at for longest.
struct VirtualCameraBuffers: ~Copyable {
  private let buffers: VideoBuffers
  private let isLoopback: Bool
  /// Buffers that the device has not had yet begin here.
  private var unused: UInt32 = 0
  private var isStreaming = false
  private var last: UInt32?
  private var turn = Turn.unknown
  /// Indexes that the device takes for what they are.
  private var limit: UInt32

  /// Who chooses the next buffer.
  private enum Turn {
    case unknown
    /// It is one that the device gives back.
    case device
    /// The one behind the last: v4l2loopback up to 0.13 gives back what it has just got, which its
    /// readers still look at.
    case ours
  }

  /// What a transmitter gets: a frame that waits in more of them is shown later.
  private static let transmitterBuffers: UInt32 = 4
  /// All that a loopback has (its max_buffers), because it uses no more than its writer asks for, and
  /// writes over the picture that a reader still looks at when it has used them up.
  private static let loopbackBuffers: UInt32 = 32
  /// How long a device may keep all buffers, in milliseconds.
  private static let patience: Int32 = 5000

  /// Has the device make them for the format that is set.
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

  /// Gives the device a picture, which is copied; waits while it has all buffers.
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

  /// Gives the device the picture in the buffer behind the last; false if it does not take that.
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
      // A reader has asked for fewer buffers, and so has taken the others from all: the device shows
      // the one of the index modulo theirs, with a picture of before.
      guard taken < index else { return false }
      limit = max(min(VirtualCameraBuffers.countInUse(of: device) ?? index, index), 1)
      last = taken
    }
  }

  /// What v4l2loopback says of itself; nil where it does not.
  private static func countInUse(of device: borrowing VideoDevice) -> UInt32? {
    let name = device.path.split(separator: "/").last ?? ""
    return firstLine(of: "/sys/class/video4linux/\(name)/buffers").flatMap { UInt32($0) }
  }

  /// Copies the picture to a buffer and gives it to the device; the device's answer.
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

  /// A buffer that the device has not got, or has done with.
  private mutating func free(_ device: borrowing VideoDevice) throws(V4L2Error) -> UInt32 {
    // A loopback shows by the first one that it gives back who must choose the others.
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
          // A loopback that gives the oldest has had all of them from its start.
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

  /// The device's answer to the request for a buffer, and which one it gives.
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
