import CV4L2
import FFmpegHandles
import Frames
import V4L2Handles

/// Frames of a camera, with the driver's timestamps.
///
/// Opening it starts the camera and takes a frame for preparing the recording. The camera continues to
/// run meanwhile. The recording begins with the second call of `next`, with the first frame that is not
/// older than this call.
final class CameraSource: MediaSource {
  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let request: SourceRequest
  private let identity: CameraIdentity
  /// The mode to request when the camera comes back: the mode that it has granted.
  private var mode: CameraRequest
  private var stream: CameraStream?
  private var reader: CameraReader
  private var clock: CameraClock
  private var first: Frame?
  private var isRecording = false
  private var warmUpEnd: Rational?
  private var lastSequence: UInt32?
  private let frameDuration: Rational
  private var hasUsableStamps = true
  private var damagedInRow = 0
  /// Whether the stream was restarted since the last frame.
  private var hasRestarted = false

  /// Opens the camera that the request names, and waits for its first frame.
  init(_ request: SourceRequest) throws(CaptureError) {
    self.request = request
    interruption = request.interruption
    let path = try CameraDescription.path(named: request.input)
    var opening = CameraOpening(path: path, request: request.camera)
    let stream = try opening.open()
    identity = CameraIdentity(stream.device)
    mode = request.camera
    mode.ask(for: stream.setting.mode)
    reader = try CameraReader(stream, overrides: request.tagOverrides, name: opening.name)
    let rate = stream.setting.mode.frameRate ?? Rational(30)
    frameDuration = rate.reciprocal
    clock = CameraClock(frameDuration: frameDuration)
    description = SourceDescription(
      name: opening.name, frameRate: rate, timeBase: Rational(1, 1_000_000))
    description.isLive = true
    description.firstFrameIsStale = true
    description.rangeIsGuessed = true
    description.leavesOutDamage = true
    description.decoder = reader.decoderName
    description.duration = request.duration
    description.frameCount = request.frames
    description.openingCalls = [stream.start]
    description.streamStart = stream.start.begin
    description.notices = opening.notices
    self.stream = stream
    first = try nextFrame()
    description.beginNow(request)
    if first == nil, !interruption.isInterrupted {
      throw CaptureError(
        report.incomplete ?? "\(description.name) gives no frames; plug it in again")
    }
    hasUsableStamps = !clock.usesArrival
    if !hasUsableStamps {
      description.notices.append(
        Notice(
          .cameraTimestamps, description.name,
          "\(description.name) has no usable timestamps; frames get the times of their arrival"))
    }
  }

  /// The size of the frames in pixels.
  var size: (width: Int, height: Int)? { mode.size }

  func next() throws(CaptureError) -> MediaSample? {
    if let frame = first {
      first = nil
      return .frame(frame)
    }
    if !isRecording { beginRecording() }
    while let frame = try nextFrame() {
      // The camera uses the time before the start to adjust its exposure.
      let end = warmUpEnd ?? request.start.map { frame.time + $0 } ?? frame.time
      warmUpEnd = end
      if frame.time >= end { return .frame(frame) }
    }
    return nil
  }

  /// Drops the frames that came during the preparation; earlier lost or damaged frames do not count.
  private func beginRecording() {
    isRecording = true
    // An error is not lost here: the wait for the next frame reports it again.
    while (try? stream?.dequeue()) != nil {}
    lastSequence = nil
    report.damaged = 0
    report.predictedTimes = 0
    report.frames = 0
    report.inPlace = 0
  }

  /// The result of waiting for a buffer.
  private enum Outcome {
    case frame(Frame)
    case damaged
    /// There is no buffer yet, or no frame from it.
    case nothing
    /// The wait was interrupted.
    case end
    /// No more frames come, for the reason in this sentence.
    case lost(String)
  }

  /// Returns the next whole frame; nil at the end.
  private func nextFrame() throws(CaptureError) -> Frame? {
    var deadline = MonotonicTime.now + request.camera.timeout
    while true {
      switch try wait(until: deadline) {
      case .frame(let frame):
        damagedInRow = 0
        return frame
      case .nothing: continue
      case .end: return nil
      case .damaged:
        report.damaged += 1
        damagedInRow += 1
        // A camera that gives only damaged frames counts as silent.
        continue
      case .lost(let sentence):
        // Close the device here: after it has gone it stays in use until it is closed.
        stream = nil
        guard try comesBack(sentence) else { return nil }
      }
      deadline = .now + request.camera.timeout
    }
  }

  private func wait(until deadline: MonotonicTime) throws(CaptureError) -> Outcome {
    guard let stream else { return .end }
    let event: CameraStream.Event
    let begin = MonotonicTime.now
    defer { report.paused += MonotonicTime.now.seconds(since: begin) }
    do throws(V4L2Error) {
      event = try stream.receive(until: deadline, or: interruption)
    } catch {
      return recover(from: error)
    }
    switch event {
    case .interrupted: return .end
    case .silence:
      let seconds = CameraText.rate(request.camera.timeout)
      return .lost(
        "\(description.name) has given \(damagedInRow > 0 ? "only damaged frames" : "no frame") "
          + "for \(seconds) seconds (--camera-timeout)")
    case .sourceChange: return .lost("the signal at \(description.name) has changed or is gone")
    case .buffer(let buffer): return try read(buffer)
    }
  }

  private func read(_ buffer: CameraBuffer) throws(CaptureError) -> Outcome {
    let arrival = MonotonicTime.now
    if let lastSequence {
      // A driver that does not count, or restarts its count, has lost nothing.
      report.lostByDriver += max(
        Int(Int32(bitPattern: buffer.sequence &- lastSequence)) - 1, 0)
    }
    lastSequence = buffer.sequence
    if buffer.hasError { return .damaged }
    hasRestarted = false
    let reading = clock.read(
      stamp: buffer.monotonicStamp, sequence: buffer.sequence, arrival: arrival)
    // The first frame is held during the whole preparation, so it must not keep a buffer.
    switch try reader.read(buffer, time: reading.time, keeps: isRecording) {
    case .pending: return .nothing
    case .damaged: return .damaged
    case .frame(var frame, let isInPlace):
      report.frames += 1
      if isInPlace { report.inPlace += 1 }
      if reading.source == .predicted { report.predictedTimes += 1 }
      report.usesArrivalTimes = hasUsableStamps && clock.usesArrival
      frame.captured = MonotonicTime(nanoseconds: 0) + frame.time
      return .frame(frame)
    }
  }

  /// Handles a failed request: restarts the stream, but not twice without a frame in between.
  private func recover(from error: V4L2Error) -> Outcome {
    if error.meansGone { return .lost("\(description.name) was unplugged") }
    if !hasRestarted {
      hasRestarted = true
      lastSequence = nil
      report.restarts += 1
      if (try? stream?.restart()) != nil { return .nothing }
    }
    return .lost("\(description.name) failed: \(error.reason) (\(error.call))")
  }

  /// Reports that the camera is lost, and waits for it if requested.
  ///
  /// Returns false if it does not come back; the report then says why.
  private func comesBack(_ loss: String) throws(CaptureError) -> Bool {
    guard isRecording, let patience = request.camera.wait else {
      if isRecording { request.notice(Notice(.sourceLost, description.name, loss)) }
      report.incomplete = loss
      return false
    }
    let seconds = CameraText.rate(patience)
    request.notice(
      Notice(
        .sourceWaiting, description.name, "\(loss); waiting up to \(seconds) seconds for it"))
    let deadline = MonotonicTime.now + patience
    while MonotonicTime.now < deadline, !interruption.isInterrupted {
      if try reopens() {
        request.notice(
          Notice(
            .sourceBack, description.name,
            "\(description.name) is back, and the recording goes on"))
        return true
      }
      interruption.wait(milliseconds: 200)
    }
    if !interruption.isInterrupted {
      report.incomplete = "\(loss), and has not come back within \(seconds) seconds"
    }
    return false
  }

  /// Opens the same camera again, if it is there and can be opened.
  private func reopens() throws(CaptureError) -> Bool {
    guard let path = identity.path() else { return false }
    var opening = CameraOpening(path: path, request: mode)
    // For example, its permissions are set a moment after it appears.
    guard let stream = try? opening.open() else { return false }
    reader = try CameraReader(stream, overrides: request.tagOverrides, name: opening.name)
    self.stream = stream
    lastSequence = nil
    return true
  }
}

/// Finds the same camera again after it was unplugged, wherever the system puts it.
struct CameraIdentity {
  private let stablePath: String?
  private let card: String
  private let bus: String
  private let lastPath: String

  init(_ device: borrowing VideoDevice) {
    stablePath = StablePaths().name(of: device.path)
    card = device.card
    bus = device.bus
    lastPath = device.path
  }

  /// Returns the camera's current path; nil if it is not plugged in.
  ///
  /// The camera is found by its stable name if it has one, else by its model and place on the bus.
  func path() -> String? {
    if let stablePath { return resolved(stablePath) }
    let numbered = names(in: "/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
    // The last path is checked first: a camera may have several nodes.
    return ([lastPath] + numbered).first { path in
      guard let device = try? VideoDevice(path: path) else { return false }
      return device.isCamera && device.card == card && device.bus == bus
    }
  }
}
