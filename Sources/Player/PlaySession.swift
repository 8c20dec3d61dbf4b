import Encode
import FFmpegHandles
import Frames
import Synchronization

/// A recording that is played instead of being written: frames and audio that wait for their time.
///
/// The recording's thread fills it, and waits while enough frames are there; `kfrec-play` empties it.
final class PlaySession: MediaSink, Sendable {
  /// Why a session takes no more frames.
  private struct Over: ExplainedError {
    var description: String { "the player went to another place" }
  }

  private struct State: Sendable {
    var frames: [Frame] = []
    var packets: [CompressedPacket] = []
    /// The time of the latest frame that came: all audio before it has come too.
    var reach = Rational.zero
    /// Frames that the source delivered after the first one, frames that came, and frames that were taken.
    var delivered = 0
    var count = 0
    var taken = 0
    var end = Rational.zero
    var hasEnded = false
    var isOver = false
    /// The times of frames that were left out behind the latest one.
    var leftOut: [Rational] = []
    /// When a frame was delivered for the last time.
    var latest = MonotonicTime.now
    /// The time that the source had waited for its packets when its last frame in time came, in seconds.
    var readingBefore = 0.0
    /// Frames are late because the source waits for its packets.
    var isSlow = false
  }

  /// The place of the first frame in the source, and the source's length, as players count them, in seconds.
  let start: Rational
  let length: Rational?
  let frameRate: Rational
  let audio: [CompressedStream]
  let bestAudio: Int?
  private let isStill: Bool
  private let state = Mutex(State())
  /// Called with the places of two frames of the source, one behind the other.
  private let follow: @Sendable (_ previous: Rational, _ next: Rational) -> Void

  /// How long a single image is shown, in seconds.
  private static let stillTime = Rational(5)
  /// Most frames that wait for their time.
  private static let most = 3
  /// Frames that may be on their way before their time is near, for steps in a pause.
  private static let ahead = 2
  /// Seconds by which the frames of a slow source may be late until the player waits for it.
  private static let mostLateness = 0.05
  /// Longest time without a frame while frames are left out, in seconds.
  private static let longestGap = 0.1
  /// How long a thread sleeps that waits for another one, in seconds.
  static let pause = Rational(1, 250)

  init(
    _ request: SinkRequest,
    follow: @escaping @Sendable (_ previous: Rational, _ next: Rational) -> Void
  ) {
    (start, length) = (request.sourceStart, request.sourceLength)
    (audio, bestAudio) = (request.codedAudio, request.bestAudio)
    (frameRate, isStill) = (request.frameRate, request.isStill)
    self.follow = follow
  }

  var encoderName: String? { nil }

  func write(_ frame: Frame) throws {
    while true {
      var previous: Rational?
      let isTaken = state.withLock { state -> Bool? in
        if state.isOver { return nil }
        guard !Self.isFull(state) else { return false }
        if state.count > 0, !state.leftOut.contains(where: { $0 < frame.time }) {
          previous = state.reach
        }
        state.leftOut.removeAll { $0 < frame.time }
        state.frames.append(frame)
        state.reach = frame.time
        state.end =
          frame.time + (isStill ? Self.stillTime : frame.duration ?? frameRate.reciprocal)
        state.count += 1
        return true
      }
      guard let isTaken else { throw Over() }
      // Outside the lock: the player has one too.
      if let previous { follow(start + previous, start + frame.time) }
      if isTaken { return }
      MonotonicTime.sleep(until: .now + Self.pause)
    }
  }

  func write(_ packet: CompressedPacket) throws {
    guard
      state.withLock({ state in
        if !state.isOver { state.packets.append(packet) }
        return !state.isOver
      })
    else { throw Over() }
  }

  private static func isFull(_ state: State) -> Bool { state.frames.count >= most }

  /// Waits until everything was played.
  func finish() -> SinkReport {
    state.withLock { $0.hasEnded = true }
    while !state.withLock({ $0.isOver }) { MonotonicTime.sleep(until: .now + Self.pause) }
    let (count, end) = state.withLock { ($0.count, $0.end) }
    return SinkReport(output: "the player", frames: count, bytes: nil, duration: end)
  }

  func abandon() { close() }

  /// Ends it: everything was played, or another place is wanted.
  func close() {
    let old = state.withLock { state in
      state.isOver = true
      defer { (state.frames, state.packets) = ([], []) }
      return state.frames
    }
    // Frames are released outside the lock: that may take other locks.
    withExtendedLifetime(old) {}
  }

  /// Notes a frame that comes too late; returns whether it is left out, so that one in each tenth of a second is not.
  func leavesOut(_ time: Rational) -> Bool {
    state.withLock { state in
      guard MonotonicTime.now.seconds(since: state.latest) < Self.longestGap else { return false }
      state.leftOut.append(time)
      return true
    }
  }

  /// Lets the source deliver a frame if its time is near, or if fewer than `ahead` frames are on their way or wait.
  ///
  /// - Parameter isDue: Whether the frame's time is near.
  /// - Returns: Whether it may be delivered now; true if the session is over.
  func admits(isDue: Bool) -> Bool {
    state.withLock { state in
      guard isDue || state.isOver || state.delivered + 1 - state.taken < Self.ahead else {
        return false
      }
      state.delivered += 1
      state.latest = .now
      return true
    }
  }

  /// Notes for how many seconds the source has waited for its packets so far, and by how many its newest frame is late.
  ///
  /// Returns whether the frame is late because the source waits for its packets.
  func note(reading: Double, lateness: Double) -> Bool {
    state.withLock { state in
      if lateness <= 0 { state.readingBefore = reading }
      // Most of the delay came about there, and not in the decoder.
      let isSlow = lateness > 0 && reading - state.readingBefore > lateness / 2
      if isSlow, lateness > Self.mostLateness { state.isSlow = true }
      return isSlow
    }
  }

  /// Goes on after a wait for a slow source.
  func resume() { state.withLock { $0.isSlow = false } }

  /// What waits, for the thread that plays it.
  struct Waiting {
    let frames: Int
    let isFull: Bool
    /// Whether frames are on their way from the source: the pipeline is slow, and not the source.
    let isRendering: Bool
    /// Frames are late because the source waits for its packets.
    let isSlow: Bool
    /// The time of the latest frame that came, and the end of that frame.
    let reach: Rational
    let end: Rational
    let hasEnded: Bool
    let isOver: Bool
  }

  var waiting: Waiting {
    state.withLock { state in
      Waiting(
        frames: state.frames.count, isFull: Self.isFull(state),
        isRendering: state.delivered + 1 > state.count, isSlow: state.isSlow,
        reach: state.reach, end: state.end, hasEnded: state.hasEnded,
        isOver: state.isOver)
    }
  }

  func takePackets() -> [CompressedPacket] {
    state.withLock { state in
      defer { state.packets = [] }
      return state.packets
    }
  }

  /// The time of the frame that is `index` frames behind the next one; nil if it is not there.
  func time(of index: Int) -> Rational? {
    state.withLock { $0.frames.indices.contains(index) ? $0.frames[index].time : nil }
  }

  /// Takes the next frame; nil if there is none.
  func takeFrame() -> Frame? {
    state.withLock { state in
      guard !state.frames.isEmpty else { return nil }
      state.taken += 1
      return state.frames.removeFirst()
    }
  }
}
