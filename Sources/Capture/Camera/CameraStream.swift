import CV4L2
import Frames
import Glibc
import V4L2Handles

/// A camera that streams: filled buffers come out and go back to the driver.
///
/// Used by one thread.
final class CameraStream {
  let device: VideoDevice
  let setting: CameraSetting
  /// When the driver was told to begin.
  private(set) var start: TimedCall
  private let buffers: VideoBuffers
  /// Buffers that the driver did not take back, to be offered again.
  private var strays: [UInt32] = []

  /// What a driver can need at once beside the one that is read: enough that a copy which is late by
  /// some frames loses none.
  private static let bufferCount = 8
  /// Of all buffers together, in bytes: large pictures get fewer.
  private static let largestTotal = 128 << 20

  /// What comes of waiting.
  enum Event {
    case buffer(CameraBuffer)
    case interrupted
    /// Nothing came in time.
    case silence
    /// What is behind the camera's input has changed its size or rate.
    case sourceChange
  }

  /// Takes over a device that has been set, and starts it.
  init(_ device: consuming VideoDevice, setting: CameraSetting) throws(V4L2Error) {
    let bytes = max(setting.planes.reduce(0) { $0 + $1.byteCount }, 1)
    let count = min(CameraStream.bufferCount, max(CameraStream.largestTotal / bytes, 3))
    buffers = try VideoBuffers(device, type: device.bufferType, count: UInt32(count))
    self.setting = setting
    var input: Int32 = 0
    _ = kf_g_input(device.descriptor, &input)
    var events = v4l2_event_subscription()
    events.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    events.id = UInt32(bitPattern: input)
    // Most cameras have no such event.
    _ = kf_subscribe_event(device.descriptor, &events)
    self.device = device
    let begin = MonotonicTime.now
    start = TimedCall("VIDIOC_STREAMON", since: begin)
    try run()
    start = TimedCall("VIDIOC_STREAMON", since: begin)
  }

  deinit { stop() }

  private func run() throws(V4L2Error) {
    strays = Array(0..<UInt32(buffers.planes.count))
    let refusal = returnStrays()
    if strays.count == buffers.planes.count { try check(refusal, "VIDIOC_QBUF") }
    var type = Int32(device.bufferType)
    try check(kf_streamon(device.descriptor, &type), "VIDIOC_STREAMON")
  }

  private func stop() {
    var type = Int32(device.bufferType)
    _ = kf_streamoff(device.descriptor, &type)
  }

  /// Starts again after a failure from which a driver recovers only so.
  func restart() throws(V4L2Error) {
    stop()
    try run()
  }

  /// Waits for a filled buffer, at most until a moment.
  ///
  /// Whoever gets a buffer must give it back by `giveBack`.
  func receive(
    until deadline: MonotonicTime, or interruption: Interruption
  ) throws(V4L2Error) -> Event {
    while true {
      if interruption.isInterrupted { return .interrupted }
      let left = deadline.seconds(since: .now)
      var waited = [
        pollfd(fd: device.descriptor, events: Int16(POLLIN | POLLPRI), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waited, 2, Int32(min(max(left * 1000, 0), 1e6).rounded(.up)))
      if ready < 0 {
        let code = errno
        if code != EINTR, code != EAGAIN { throw V4L2Error(call: "poll", code: code) }
        continue
      }
      if ready == 0 { return .silence }
      let found = Int32(waited[0].revents)
      guard found != 0 else { continue }
      if found & POLLPRI != 0, sourceHasChanged() { return .sourceChange }
      if let buffer = try dequeue() { return .buffer(buffer) }
      // An error is reported that taking a buffer does not show: nothing streams any more.
      if found & (POLLERR | POLLHUP | POLLNVAL) != 0 {
        throw V4L2Error(call: "poll", code: found & POLLHUP != 0 ? ENODEV : EIO)
      }
    }
  }

  /// The next buffer that is filled already; nil if there is none.
  func dequeue() throws(V4L2Error) -> CameraBuffer? {
    var filled: CameraBuffer?
    let result = buffers.withBuffer(0) { buffer, planes in
      let result = kf_dqbuf(device.descriptor, &buffer)
      if result == 0 { filled = CameraBuffer(buffer, planes: planes, mapped: buffers.planes) }
      return result
    }
    if result == -EAGAIN { return nil }
    try check(result, "VIDIOC_DQBUF")
    return filled
  }

  /// Gives a buffer back to the driver.
  ///
  /// One that is refused is offered again with the next; when none is left, `receive` fails.
  func giveBack(_ buffer: CameraBuffer) {
    strays.append(buffer.index)
    _ = returnStrays()
  }

  /// Offers the driver what it has not got; its answer to the last that it refused, or 0.
  private func returnStrays() -> Int32 {
    var refusal: Int32 = 0
    strays.removeAll { index in
      let result = buffers.withBuffer(index) { buffer, _ in
        kf_qbuf(device.descriptor, &buffer)
      }
      if result < 0 { refusal = result }
      return result == 0
    }
    return refusal
  }

  private func sourceHasChanged() -> Bool {
    var hasChanged = false
    var event = v4l2_event()
    while kf_dqevent(device.descriptor, &event) == 0 {
      hasChanged =
        hasChanged
        || event.type == V4L2_EVENT_SOURCE_CHANGE
          && event.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
    }
    return hasChanged
  }
}

/// A filled buffer, lent by the driver.
struct CameraBuffer {
  let index: UInt32
  /// Counts frames from 0, lost ones too, modulo 2^32.
  let sequence: UInt32
  let flags: UInt32
  /// By the clock that the flags name.
  let stamp: timeval
  /// What was filled of each plane.
  let planes: [UnsafeRawBufferPointer]

  /// What is in it may be damaged.
  var hasError: Bool { flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

  /// Nil for what no driver may answer.
  fileprivate init?(
    _ buffer: v4l2_buffer, planes: UnsafeMutableBufferPointer<v4l2_plane>?,
    mapped: [[UnsafeMutableRawBufferPointer]]
  ) {
    guard mapped.indices.contains(Int(buffer.index)) else { return nil }
    let mapped = mapped[Int(buffer.index)]
    index = buffer.index
    sequence = buffer.sequence
    flags = buffer.flags
    stamp = buffer.timestamp
    if let planes {
      self.planes = zip(mapped, planes).map { memory, plane in
        // The image begins behind the offset, which the count of bytes used includes.
        let end = min(Int(plane.bytesused), memory.count)
        return UnsafeRawBufferPointer(
          rebasing: memory[min(Int(plane.data_offset), end)..<end])
      }
    } else {
      self.planes = mapped.prefix(1).map {
        UnsafeRawBufferPointer(rebasing: $0[0..<min(Int(buffer.bytesused), $0.count)])
      }
    }
  }
}
