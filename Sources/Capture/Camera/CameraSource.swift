import CV4L2
import Frames

/// Frames of a camera, with the driver's times.
///
/// Opening it starts the camera and takes a frame, by which a recording is prepared. The camera runs
/// on meanwhile; with the call after that the recording begins, with the first frame that is not
/// older than the call.
final class CameraSource: MediaSource, @unchecked Sendable {
  // @unchecked: all but `interruption`, which is atomic, is one thread's business by the protocol.

  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let request: SourceRequest
  private let path: String
  private var stream: CameraStream?
  private var reader: CameraReader
  private var clock: CameraClock
  private var part: SourcePart?
  private var first: Frame?
  private var lastSequence: UInt32?
  private let frameDuration: Rational
  /// Since the last frame.
  private var hasRestarted = false

  /// Opens the camera that the request names, and waits for its first frame.
  init(_ request: SourceRequest) throws(CaptureError) {
    self.request = request
    interruption = request.interruption
    path = try CameraDescription.path(named: request.input)
    var opening = CameraOpening(path: path, request: request.camera)
    let stream = try opening.open()
    reader = try CameraReader(stream, overrides: request.tagOverrides, name: opening.name)
    let rate = stream.setting.mode.frameRate ?? Rational(30)
    frameDuration = rate.reciprocal
    clock = CameraClock(frameDuration: frameDuration)
    description = SourceDescription(
      name: opening.name, frameRate: rate, timeBase: Rational(1, 1_000_000))
    description.isLive = true
    description.isCamera = true
    description.decoder = reader.decoderName
    description.duration = request.duration
    description.frameCount = request.frames
    description.openingCalls = [stream.start]
    description.streamStart = stream.start.begin
    description.notes = opening.notes
    description.warnings = opening.warnings
    self.stream = stream
    first = try nextFrame()
    if first == nil, !interruption.isInterrupted {
      throw CaptureError(
        report.incomplete ?? "\(description.name) gives no frames; plug it in again")
    }
    if clock.usesArrival {
      description.warnings.append(
        "\(description.name) has no usable time stamps; frames get the times of their arrival")
    }
  }

  func interrupt() { interruption.interrupt() }

  func next() throws(CaptureError) -> MediaSample? {
    if let frame = first {
      first = nil
      return .frame(frame)
    }
    if part == nil { beginRecording() }
    while let frame = try nextFrame() {
      if part == nil {
        part = SourcePart(request, origin: frame.time, frameDuration: frameDuration)
      }
      switch part?.judge(frameAt: frame.time, duration: nil) {
      case .skip: continue
      case .end: return nil
      default: return .frame(frame)
      }
    }
    return nil
  }

  /// Lets go of the frames that came while the recording was prepared; what was lost or damaged until
  /// now does not count.
  private func beginRecording() {
    // A failure shows again when the next frame is waited for.
    while let buffer = try? stream?.dequeue() { stream?.giveBack(buffer) }
    lastSequence = nil
    report.damaged = 0
    report.predictedTimes = 0
  }

  /// What became of waiting for a buffer.
  private enum Outcome {
    case frame(Frame)
    case damaged
    case nothing
    /// No more will come; why stands in the report, unless it was the interruption.
    case end
  }

  /// The next whole frame; nil at the end.
  private func nextFrame() throws(CaptureError) -> Frame? {
    var deadline = MonotonicTime.now + request.camera.timeout
    while part?.hasAllFrames != true {
      switch try wait(until: deadline) {
      case .frame(let frame): return frame
      case .damaged:
        report.damaged += 1
        deadline = .now + request.camera.timeout
      case .nothing: break
      case .end: return nil
      }
    }
    return nil
  }

  private func wait(until deadline: MonotonicTime) throws(CaptureError) -> Outcome {
    guard let stream else { return .end }
    let event: CameraStream.Event
    do throws(V4L2Error) {
      event = try stream.receive(until: deadline, or: interruption)
    } catch {
      return recover(from: error) ? .nothing : .end
    }
    switch event {
    case .interrupted: return .end
    case .silence:
      report.incomplete =
        "\(description.name) has given no frame for \(CameraText.rate(request.camera.timeout)) seconds "
        + "(--camera-timeout)"
      return .end
    case .sourceChange:
      report.incomplete = "the signal at \(description.name) has changed or is gone"
      return .end
    case .buffer(let buffer):
      // Read at once, so that the driver never lacks a buffer.
      defer { stream.giveBack(buffer) }
      return try read(buffer)
    }
  }

  private func read(_ buffer: CameraBuffer) throws(CaptureError) -> Outcome {
    let arrival = MonotonicTime.now
    if let lastSequence {
      // A driver that does not count, or begins anew, has lost nothing.
      report.lostByDriver += max(
        Int(Int32(bitPattern: buffer.sequence &- lastSequence)) - 1, 0)
    }
    lastSequence = buffer.sequence
    if buffer.hasError { return .damaged }
    hasRestarted = false
    let reading = clock.read(
      stamp: buffer.monotonicStamp, sequence: buffer.sequence, arrival: arrival)
    switch try reader.read(buffer, time: reading.time) {
    case .pending: return .nothing
    case .damaged: return .damaged
    case .frame(var frame):
      if reading.source == .predicted { report.predictedTimes += 1 }
      frame.captured = MonotonicTime(nanoseconds: 0) + frame.time
      return .frame(frame)
    }
  }

  /// Whether it goes on after a failure: by starting the stream again, but not twice without a frame
  /// in between.
  private func recover(from error: V4L2Error) -> Bool {
    if !error.meansGone, !hasRestarted {
      hasRestarted = true
      lastSequence = nil
      if (try? stream?.restart()) != nil { return true }
    }
    report.incomplete =
      error.meansGone
      ? "\(description.name) was unplugged"
      : "\(description.name) failed: \(error.reason) (\(error.call))"
    // Closed now, because a device that has gone stays in use until then.
    stream = nil
    return false
  }
}
