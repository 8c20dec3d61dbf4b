import FFmpegHandles
import Frames
import XCBHandles

/// Frames of a screen or a window, each with the time at which it was read.
///
/// Opening it reads a frame for preparing the recording. The recording begins with the second call of `next`, with a
/// frame that is read then.
final class ScreenSource: MediaSource {
  private(set) var description: SourceDescription
  private(set) var report = SourceReport()

  private let interruption: Interruption
  private let request: SourceRequest
  private let view: ScreenView
  private let rate: Rational
  /// Nil until the recording begins.
  private var clock: GrabClock?
  private var first: Frame?
  /// The latest picture, which stays while the window is hidden.
  private var latest: ScreenView.Picture?
  private var latestTime = Int64.min
  private var isHidden = false
  private var warmUpEnd: Rational?

  /// Opens the screen or the window that the request names, and reads a frame.
  init(_ request: SourceRequest) throws(CaptureError) {
    self.request = request
    interruption = request.interruption
    view = try ScreenView(request)
    rate = request.frameRate ?? Rational(30)
    description = SourceDescription(
      name: view.name, frameRate: rate, timeBase: Rational(1, 1_000_000))
    description.isLive = true
    description.firstFrameIsStale = true
    description.isPolled = true
    description.duration = request.duration
    description.frameCount = request.frames
    if ScreenEnvironment.current.isWayland, ScreenRequest(request.input).display == nil {
      description.notices.append(
        Notice(
          .screenWayland, view.name,
          "this is a Wayland session, where \(view.name) shows the windows of X11 programs alone"))
    }
    do throws(XCBError) {
      // A window may change its size at just this moment.
      for _ in 0..<10 where latest == nil { latest = try view.read() }
    } catch {
      throw CaptureError(error, reading: view.name)
    }
    guard let latest else { throw CaptureError("\(view.name) is not shown; show it again") }
    first = frame(latest)
    description.beginNow(request)
  }

  func next() throws(CaptureError) -> MediaSample? {
    if let frame = first {
      first = nil
      return .frame(frame)
    }
    if clock == nil { clock = GrabClock(rate: rate, begin: .now) }
    while let frame = nextFrame() {
      let end = warmUpEnd ?? request.start.map { frame.time + $0 } ?? frame.time
      warmUpEnd = end
      if frame.time >= end { return .frame(frame) }
    }
    return nil
  }

  /// Reads a frame at the next time; nil at the end.
  private func nextFrame() -> Frame? {
    guard let due = clock?.take(now: .now) else { return nil }
    report.lostByDriver += due.missed
    let begin = MonotonicTime.now
    wait(until: due.moment)
    report.paused += MonotonicTime.now.seconds(since: begin)
    guard !interruption.isInterrupted else { return nil }
    do throws(XCBError) {
      guard let picture = try view.read() else {
        tell(isHidden: true)
        return latest.map { frame(.init(format: $0.format, pixels: $0.pixels, moment: .now)) }
      }
      latest = picture
      tell(isHidden: false)
      return frame(picture)
    } catch {
      guard !interruption.isInterrupted else { return nil }
      let loss = CaptureError(error, reading: view.name).description
      request.notice(Notice(.sourceLost, view.name, loss))
      report.incomplete = loss
      return nil
    }
  }

  /// Waits until a moment or the interruption, to a fraction of a millisecond.
  private func wait(until moment: MonotonicTime) {
    let left = (moment.nanoseconds - MonotonicTime.now.nanoseconds) / 1_000_000
    if left > 0 { interruption.wait(milliseconds: Int32(clamping: left)) }
    if !interruption.isInterrupted { MonotonicTime.sleep(until: moment) }
  }

  private func frame(_ picture: ScreenView.Picture) -> Frame {
    latestTime = max(picture.moment.nanoseconds / 1000, latestTime &+ 1)
    var frame = Frame(
      format: picture.format, pixels: picture.pixels, time: Rational(latestTime, 1_000_000))
    frame.captured = MonotonicTime(nanoseconds: 0) + frame.time
    return frame
  }

  /// Says when the window is hidden, and when it is back.
  private func tell(isHidden: Bool) {
    guard isHidden != self.isHidden else { return }
    self.isHidden = isHidden
    request.notice(
      isHidden
        ? Notice(
          .screenHidden, view.name,
          "\(view.name) is not shown; its last picture stays until it is back")
        : Notice(.sourceBack, view.name, "\(view.name) is shown again"))
  }
}
