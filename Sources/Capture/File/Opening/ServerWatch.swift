import CFFmpeg
import FFmpegHandles
import Frames
import Synchronization

/// Watches how long a server gives no data, says so, and gives up after a limit.
///
/// libavformat asks between its waits whether it shall continue, every tenth of a second while nothing comes and at
/// once while data comes. That is all that is known of its protocols, and the same for each of them.
final class ServerWatch: Sendable {
  private let name: String
  private let interruption: Interruption
  /// In seconds.
  private let limit: Rational
  private let notice: @Sendable (Notice) -> Void
  private let state = Mutex(State())

  private struct State {
    var stall = ServerStall()
    var hasGivenUp = false
  }

  init(
    name: String, interruption: Interruption, limit: Rational,
    notice: @escaping @Sendable (Notice) -> Void
  ) {
    (self.name, self.interruption, self.limit) = (name, interruption, limit)
    self.notice = notice
  }

  /// Why the server was given up, as a sentence; nil if it was not.
  var loss: String? {
    guard state.withLock({ $0.hasGivenUp }) else { return nil }
    return "\(name) has given no data for \(CameraText.rate(limit)) seconds (--network-timeout)"
  }

  /// Whether libavformat must stop waiting.
  private func mustEnd() -> Bool {
    if interruption.isInterrupted { return true }
    let (isOver, reported) = state.withLock { state in
      state.stall.note(now: .now)
      if state.stall.seconds >= limit.doubleValue { state.hasGivenUp = true }
      return (state.hasGivenUp, state.hasGivenUp ? nil : state.stall.takeNews())
    }
    if let reported {
      notice(
        Notice(
          .sourceStalled, name,
          "\(name) has given no data for \(reported) seconds; kfrec waits for it")
      )
    }
    return isOver
  }

  /// Makes the context's blocking calls check this watch, which must outlive the context.
  func watchCalls(of context: UnsafeMutablePointer<AVFormatContext>) {
    kf_set_interrupt(
      context,
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<ServerWatch>.fromOpaque(watch).takeUnretainedValue().mustEnd() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// Measures for how long no data has come, from the times of libavformat's questions.
struct ServerStall {
  /// For how long nothing has come, in seconds.
  private(set) var seconds = 0.0
  private var latest: MonotonicTime?
  /// The longest stall that was reported, in seconds.
  private var reported = 0.0

  /// Two questions with a wait between them that found no data are at least this many seconds apart.
  private static let pause = 0.09
  /// A pause counts for at most this many seconds: a machine that slept has not waited for a server.
  private static let most = 0.25
  /// Seconds after which a stall is reported for the first time.
  private static let news = 5.0

  /// Notes that libavformat asked at a moment.
  mutating func note(now: MonotonicTime) {
    if let latest {
      let pause = now.seconds(since: latest)
      seconds = pause < Self.pause ? 0 : seconds + min(pause, Self.most)
    }
    latest = now
  }

  /// The whole seconds of the stall, if it is due to be reported: each time it lasts twice as long as the last one
  /// that was reported, because a live playlist always stalls a little.
  mutating func takeNews() -> Int? {
    guard seconds >= max(Self.news, reported * 2) else { return nil }
    reported = seconds
    return Int(seconds)
  }
}
