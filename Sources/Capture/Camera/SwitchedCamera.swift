import FFmpegHandles
import Frames

/// One camera after the other as one source: all frames have the format of the first camera's.
///
/// The next camera is opened on a thread of its own while the current one continues, and takes over with its first
/// frame; if it cannot be opened, the present one stays. Cameras have one clock, so the times stay those of the
/// frames.
final class SwitchedCamera: MediaSource {
  /// What is known of the cameras, and how one is opened.
  struct Cameras: Sendable {
    /// Paths and titles of those that can be used, in the order of the list.
    var list: @Sendable () -> [(path: String, title: String)]
    /// Opens a camera by its path.
    var open: @Sendable (_ path: String) throws(CaptureError) -> sending any MediaSource
  }

  let description: SourceDescription
  private let cameras: Cameras
  private let control: CameraSwitch
  private let interruption: Interruption
  private var camera: any MediaSource
  private var path: String
  /// The camera behind which the next one is: this one, or one that could not be used.
  private var latestTried: String
  private var format: FrameFormat?
  private var fitting: Letterbox?
  private var latestTime: Rational?
  /// The problems of the cameras before this one.
  private var earlier = SourceReport()

  /// Opens a camera; nil if none is being opened.
  private var opening: WorkerThread?
  private let opened = Handover<Opened>()

  private enum Opened {
    /// A camera whose first frame was read, and what fits its frames if they differ.
    case camera(any MediaSource, Letterbox?, path: String, title: String)
    /// There is none, or it cannot be used: a sentence.
    case none(String, tried: String?)
  }

  /// Takes over the first camera, of which nothing was read.
  init(
    _ camera: any MediaSource, path: String, cameras: Cameras, control: CameraSwitch,
    interruption: Interruption
  ) {
    (self.camera, self.path, self.cameras) = (camera, path, cameras)
    latestTried = path
    (self.control, self.interruption) = (control, interruption)
    description = camera.description
  }

  deinit {
    // A camera that is being opened gives up its wait.
    if opening != nil { interruption.interrupt() }
  }

  var report: SourceReport { camera.report.following(earlier) }

  func next() throws(CaptureError) -> MediaSample? {
    while true {
      if format != nil, control.takeRequest() { openNext() }
      takeOver()
      var sample: MediaSample?
      do throws(CaptureError) { sample = try camera.next() } catch {
        guard takeOverAtEnd() else { throw error }
        continue
      }
      guard case .frame(var frame)? = sample else {
        guard takeOverAtEnd() else { return nil }
        continue
      }
      let format = self.format ?? frame.format
      self.format = format
      // A frame of the camera before may have been newer.
      if let latestTime, frame.time <= latestTime { continue }
      if frame.format != format { frame = try fitted(frame, to: format) }
      latestTime = frame.time
      return .frame(frame)
    }
  }

  /// Waits for the camera that is being opened, or that was asked for, when the present one gives no frames any
  /// more; returns whether it goes on with that.
  private func takeOverAtEnd() -> Bool {
    guard !interruption.isInterrupted else { return false }
    if format != nil, control.takeRequest() { openNext() }
    // Bounded by the time limit of the camera that is opened.
    opening.take()?.join()
    return takeOver()
  }

  /// Begins to open the camera behind the present one in the list.
  private func openNext() {
    guard opening == nil, let format else { return }
    let (cameras, path, tried, opened) = (cameras, path, latestTried, opened)
    do throws(ThreadError) {
      opening = try WorkerThread(.decode) {
        opened.give(Self.find(after: tried, but: path, in: cameras, format))
      }
    } catch {
      control.say("the next camera is not opened: \(error)")
    }
  }

  private static func find(
    after tried: String, but present: String, in cameras: Cameras, _ format: FrameFormat
  ) -> sending Opened {
    let list = cameras.list()
    let place = list.firstIndex { $0.path == tried } ?? -1
    let order = list[(place + 1)...] + list[..<(place + 1)]
    guard let next = order.first(where: { $0.path != present }) else {
      return .none("there is no other camera", tried: nil)
    }
    do throws(CaptureError) {
      let camera = try cameras.open(next.path)
      guard case .frame(let first)? = try camera.next() else {
        return .none("\(next.title) gives no frames", tried: next.path)
      }
      let fitting =
        first.format == format
        ? nil : try Letterbox(from: first.format, to: format, name: next.title)
      return .camera(camera, fitting, path: next.path, title: next.title)
    } catch {
      return .none("\(error)", tried: next.path)
    }
  }

  /// Goes on with the camera that was opened; returns whether one was.
  @discardableResult
  private func takeOver() -> Bool {
    guard let result = opened.take() else { return false }
    opening = nil
    switch result {
    case .none(let sentence, let tried):
      latestTried = tried ?? path
      control.say(sentence)
      return false
    case .camera(let next, let fitting, let path, let title):
      earlier = report
      // The one before is closed here.
      (camera, self.path, self.fitting) = (next, path, fitting)
      latestTried = path
      control.say("camera \(title)")
      return true
    }
  }

  private func fitted(_ frame: Frame, to format: FrameFormat) throws(CaptureError) -> Frame {
    if let fitting, fitting.source == frame.format { return try fitting.fit(frame) }
    let made = try Letterbox(from: frame.format, to: format, name: path)
    fitting = made
    return try made.fit(frame)
  }
}

extension SourceReport {
  /// The report of a camera together with that of those before it.
  fileprivate func following(_ earlier: SourceReport) -> SourceReport {
    var sum = self
    sum.predictedTimes += earlier.predictedTimes
    sum.damaged += earlier.damaged
    sum.lostByDriver += earlier.lostByDriver
    sum.frames += earlier.frames
    sum.inPlace += earlier.inPlace
    sum.restarts += earlier.restarts
    sum.usesArrivalTimes = sum.usesArrivalTimes || earlier.usesArrivalTimes
    sum.paused += earlier.paused
    return sum
  }
}

extension SwitchedCamera {
  /// Opens the camera that a request names, and lets `control` choose others.
  convenience init(_ request: SourceRequest, control: CameraSwitch) throws(CaptureError) {
    let path = try CameraDescription.path(named: request.input)
    let first = try CameraSource(request)
    // Nearly what the first camera gives; its controls are its own.
    var other = request
    other.start = nil
    other.camera.controls = []
    other.camera.format = nil
    other.camera.frameRate = first.description.frameRate
    other.camera.size = first.size
    let base = other
    self.init(
      first, path: path,
      cameras: Cameras(
        list: { listCameras().filter(\.isReadable).map { ($0.path, $0.title) } },
        open: { path throws(CaptureError) in
          var request = base
          request.input = path
          return try CameraSource(request)
        }), control: control, interruption: request.interruption)
  }
}
