public import Frames
import Synchronization

/// Small JPEG images of the recording for remote viewers; only the newest one counts.
///
/// It is an output of its own, which no other output waits for. While nobody looks it only remembers the newest
/// frame.
public final class LivePictures: FrameView {
  public let movies: MovieSwitch?
  private let state = Mutex(State())

  /// What one recording gives to the thread that makes pictures of it; a player has several recordings.
  fileprivate final class Feed: Sendable {
    let frames = BoundedQueue<Frame>(capacity: 1, whenFull: .dropOldest)
    let interruption = Interruption()
  }

  private struct State: Sendable {
    var feed: Feed?
    var viewers = 0
    var newest: Frame?
    var picture: (number: Int, bytes: [UInt8])?
    var count = 0
    var notify: [@Sendable () -> Void] = []
  }

  /// The shortest time between two pictures: 12.5 in a second.
  static let interval = 0.08

  /// Makes the view; `movies` records what is shown, if no other output keeps the frames.
  public init(movies: MovieSwitch? = nil) { self.movies = movies }

  public var name: String { "the page" }
  public var wantsOriginals: Bool { false }

  /// The newest finished frame; nil before the first one.
  public var newestFrame: Frame? { state.withLock { $0.newest } }

  /// Adds what is called when there is a new picture, on the thread that makes pictures; it must not block.
  public func addNotify(_ notify: @escaping @Sendable () -> Void) {
    state.withLock { $0.notify.append(notify) }
  }

  /// Counts those who look; pictures are made while there is one.
  public func changeViewers(by difference: Int) {
    let frame = state.withLock { state in
      // What was seen last is old when somebody looks again.
      if state.viewers == 0 { state.picture = nil }
      state.viewers += difference
      guard difference > 0, let newest = state.newest, let feed = state.feed else {
        return (frame: Frame, feed: Feed)?.none
      }
      return (newest, feed)
    }
    // A paused recording has no frame that would come by itself.
    if let frame { frame.feed.frames.send(frame.frame) }
  }

  /// Returns the newest picture, a JPEG file, if its number is higher than the given one.
  public func picture(after number: Int) -> (number: Int, bytes: [UInt8])? {
    state.withLock { state in state.picture.flatMap { $0.number > number ? $0 : nil } }
  }

  public func open(_ request: SinkRequest) throws -> sending any MediaSink {
    try LivePictureSink(self, request)
  }

  fileprivate func begin(_ feed: Feed) { state.withLock { $0.feed = feed } }

  fileprivate func put(_ frame: Frame, _ feed: Feed) {
    let isSeen = state.withLock { state in
      state.newest = frame
      return state.viewers > 0
    }
    if isSeen { feed.frames.send(frame) }
  }

  /// Makes pictures until `end` is called; `fail` is called once if that cannot be done, and the recording goes on.
  fileprivate func run(_ feed: Feed, _ fail: (any Error) -> Void) {
    var maker: SmallPicture?
    while let frame = feed.frames.receive() {
      let (isSeen, isFirst) = state.withLock { ($0.viewers > 0, $0.picture == nil) }
      guard isSeen else { continue }
      let begin = MonotonicTime.now
      do {
        let current: SmallPicture
        if let maker, maker.source == frame.format {
          current = maker
        } else {
          current = try SmallPicture(frame.format)
          maker = current
        }
        if isFirst { current.forget() }
        if let bytes = try current.picture(of: frame) { publish(bytes) }
      } catch {
        fail(error)
        return
      }
      let rest = Self.interval - MonotonicTime.now.seconds(since: begin)
      if rest > 0 { feed.interruption.wait(milliseconds: Int32(rest * 1000)) }
    }
  }

  private func publish(_ bytes: [UInt8]) {
    let notify = state.withLock { state in
      state.count += 1
      state.picture = (state.count, bytes)
      return state.notify
    }
    for call in notify { call() }
  }

  fileprivate func end(_ feed: Feed) {
    feed.interruption.interrupt()
    feed.frames.cancel()
    state.withLock { state in
      if state.feed === feed { (state.feed, state.newest) = (nil, nil) }
    }
  }
}

/// Gives finished frames to `LivePictures`, which has a thread of its own for them.
private final class LivePictureSink: MediaSink {
  private let pictures: LivePictures
  private let feed = LivePictures.Feed()
  private var extent: FrameExtent
  private var thread: WorkerThread?
  private let failure: Failure

  /// Carries an error from the thread of the pictures.
  private final class Failure: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  init(_ pictures: LivePictures, _ request: SinkRequest) throws {
    let failure = Failure()
    (self.pictures, self.failure) = (pictures, failure)
    extent = FrameExtent(frameRate: request.frameRate)
    thread = try WorkerThread(.picture) { [feed] in
      pictures.run(feed) { error in failure.error.withLock { $0 = error } }
    }
    pictures.begin(feed)
  }

  var encoderName: String? { nil }

  func write(_ frame: Frame) {
    pictures.put(frame, feed)
    extent.note(frame)
  }

  func finish() -> SinkReport {
    close()
    // The frames that could be seen; pictures are made of some of them, or of none.
    var report = SinkReport(
      output: pictures.name, frames: extent.frames, bytes: nil, duration: extent.time)
    report.shortfall = failure.error.withLock { $0 }.map {
      Notice(.outputFailed, pictures.name, "the page had no live picture: \($0)")
    }
    return report
  }

  func abandon() { close() }

  private func close() {
    pictures.end(feed)
    thread.take()?.join()
  }
}
