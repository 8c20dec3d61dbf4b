import Frames
import Glibc
import Synchronization

/// The numbers of a running recording, counted by its threads, and the progress events made of them.
final class RecordingCounts: Sendable {
  private let state: Mutex<State>
  private let events: @Sendable (RecordingEvent) -> Void
  private let start = MonotonicTime.now
  private let startOfProcessor = processorSeconds()
  /// When the last event was told; held while one is, because they are told one at a time.
  private let lastEvent: Mutex<MonotonicTime>

  /// Between two events, in seconds.
  private static let interval = 0.1

  private struct State: Sendable {
    var framesIn = 0
    var framesOut = 0
    var dropped = 0
    var leftOut = 0
    var duplicated = 0
    var time = Rational.zero
  }

  init(events: @escaping @Sendable (RecordingEvent) -> Void) {
    self.events = events
    state = Mutex(State())
    lastEvent = Mutex(start)
  }

  /// The numbers as they stand.
  var current: RecordingProgress {
    let state = state.withLock { $0 }
    return RecordingProgress(
      framesIn: state.framesIn, framesOut: state.framesOut, dropped: state.dropped + state.leftOut,
      duplicated: state.duplicated,
      time: state.time, elapsed: MonotonicTime.now.seconds(since: start),
      processorTime: processorSeconds() - startOfProcessor)
  }

  /// Counts a frame that the source gave.
  func frameIn() { state.withLock { $0.framesIn += 1 } }

  /// Notes how many frames in all had to give way to newer ones.
  ///
  /// It tells of the progress too: the encoder, which does otherwise, may be what does not get on.
  func dropped(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { $0.dropped = count }
    tell()
  }

  /// Counts what a constant rate made of a frame.
  func matched(duplicated: Int, isLeftOut: Bool) {
    state.withLock {
      $0.duplicated += duplicated
      if isLeftOut { $0.leftOut += 1 }
    }
  }

  /// Counts a frame that the encoder took, and tells of the progress.
  func frameOut(end: Rational) {
    state.withLock {
      $0.framesOut += 1
      $0.time = end
    }
    tell()
  }

  /// Ten times a second at most, and not while another thread does.
  private func tell() {
    lastEvent.withLockIfAvailable { last in
      let now = MonotonicTime.now
      guard now.seconds(since: last) >= RecordingCounts.interval else { return }
      last = now
      events(.progress(current))
    }
  }
}

/// What all threads of the process have used of the processor, in seconds.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
