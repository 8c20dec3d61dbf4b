import CV4L2
import Frames
import Glibc
import V4L2Handles

/// A streaming camera: it delivers filled buffers, and returns them to the driver after their release.
///
/// Used by one thread; any thread may release buffers, also after the stream's end.
final class CameraStream {
  let device: VideoDevice
  let setting: CameraSetting
  /// The call that told the driver to start, with its time.
  private(set) var start: TimedCall
  private let buffers: VideoBuffers
  /// Indexes of buffers that kfrec has to give to the driver, which may refuse one for a while.
  private var strays: [UInt32] = []
  /// Whether each buffer is in the pipeline, by buffer index.
  private var areOut: [Bool]
  private let returns = CameraBuffer.Returns()

  /// Largest number of buffers.
  ///
  /// Two thirds stay with the driver, enough that a thread that is some frames late loses none; the
  /// others may be in the pipeline.
  private static let bufferCount = 12
  /// Largest size of all buffers together, in bytes: large images get fewer buffers.
  private static let largestTotal = 128 << 20

  /// Smallest number of buffers that the driver must have when a frame keeps one.
  private var reserve: Int { max((2 * buffers.count + 2) / 3, 3) }

  /// The result of waiting.
  enum Event {
    case buffer(CameraBuffer)
    case interrupted
    /// No buffer came in time.
    case silence
    /// The signal at the camera's input has changed its size or rate.
    case sourceChange
  }

  /// Takes over a device whose mode is set, and starts it.
  init(_ device: consuming VideoDevice, setting: CameraSetting) throws(V4L2Error) {
    let bytes = max(setting.planes.reduce(0) { $0 + $1.byteCount }, 1)
    let count = min(CameraStream.bufferCount, max(CameraStream.largestTotal / bytes, 3))
    buffers = try VideoBuffers(device, type: device.bufferType, count: UInt32(count))
    areOut = Array(repeating: false, count: buffers.count)
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

  deinit {
    stop()
    takeBack()
    buffers.memory.detach(keeping: areOut)
  }

  private func run() throws(V4L2Error) {
    takeBack()
    strays = (0..<UInt32(buffers.count)).filter { !areOut[Int($0)] }
    let ours = strays.count
    let refusal = returnStrays()
    if strays.count == ours { try check(refusal, "VIDIOC_QBUF") }
    var type = Int32(device.bufferType)
    try check(kf_streamon(device.descriptor, &type), "VIDIOC_STREAMON")
  }

  private func stop() {
    var type = Int32(device.bufferType)
    _ = kf_streamoff(device.descriptor, &type)
  }

  /// Restarts the stream after a failure from which a driver recovers only this way.
  func restart() throws(V4L2Error) {
    stop()
    try run()
  }

  /// Waits for a filled buffer, at most until a deadline.
  func receive(
    until deadline: MonotonicTime, or interruption: Interruption
  ) throws(V4L2Error) -> Event {
    while true {
      if interruption.isInterrupted { return .interrupted }
      takeBack()
      _ = returnStrays()
      var left = deadline.seconds(since: .now)
      // A returned buffer does not wake this thread, and the driver may be waiting for it.
      if areOut.contains(true) { left = min(left, 0.05) }
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
      if ready == 0 {
        if MonotonicTime.now < deadline { continue }
        return .silence
      }
      let found = Int32(waited[0].revents)
      guard found != 0 else { continue }
      if found & POLLPRI != 0, sourceHasChanged() { return .sourceChange }
      if let buffer = try dequeue() { return .buffer(buffer) }
      // poll reports an error that taking a buffer does not show: the stream has stopped.
      if found & (POLLERR | POLLHUP | POLLNVAL) != 0 {
        throw V4L2Error(call: "poll", code: found & POLLHUP != 0 ? ENODEV : EIO)
      }
    }
  }

  /// Takes the next buffer that is already filled; nil if there is none.
  func dequeue() throws(V4L2Error) -> CameraBuffer? {
    takeBack()
    _ = returnStrays()
    var filled: CameraBuffer?
    let result = buffers.withBuffer(0) { buffer, planes in
      let result = kf_dqbuf(device.descriptor, &buffer)
      if result == 0, areOut.indices.contains(Int(buffer.index)) {
        areOut[Int(buffer.index)] = true
        filled = CameraBuffer(
          buffer, planes: planes, memory: buffers.memory, mayBeKept: canSpareOne, returns: returns)
      }
      return result
    }
    if result == -EAGAIN { return nil }
    try check(result, "VIDIOC_DQBUF")
    return filled
  }

  /// Whether the driver has enough buffers without those in the pipeline.
  private var canSpareOne: Bool {
    buffers.areKeepable
      && buffers.count - strays.count - areOut.count(where: \.self) >= reserve
  }

  /// Collects the released buffers.
  private func takeBack() {
    for index in returns.takeAll() {
      areOut[Int(index)] = false
      strays.append(index)
    }
  }

  /// Offers the driver all buffers that it does not have; returns its last refusal, or 0.
  ///
  /// A refused buffer is offered again with the next call; a driver without any buffer delivers no frames.
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
