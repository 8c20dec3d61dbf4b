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
    /// On the way to the outputs.
    var dropped = 0
    var outputs: [PerOutput]

    /// Whose numbers stand for the recording's: the first output that is still written.
    var lead: PerOutput { outputs.first { !$0.isLost } ?? outputs[0] }
  }

  private struct PerOutput: Sendable {
    let name: String
    var framesOut = 0
    /// In front of it.
    var dropped = 0
    var leftOut = 0
    var duplicated = 0
    var time = Rational.zero
    var isLost = false
  }

  /// `outputs` are their names, one at least.
  init(outputs: [String], events: @escaping @Sendable (RecordingEvent) -> Void) {
    self.events = events
    state = Mutex(State(outputs: outputs.map { PerOutput(name: $0) }))
    lastEvent = Mutex(start)
  }

  /// The numbers as they stand.
  var current: RecordingProgress {
    let state = state.withLock { $0 }
    let lead = state.lead
    var progress = RecordingProgress(
      framesIn: state.framesIn, framesOut: lead.framesOut,
      dropped: state.dropped + lead.dropped + lead.leftOut, duplicated: lead.duplicated,
      time: lead.time, elapsed: MonotonicTime.now.seconds(since: start),
      processorTime: processorSeconds() - startOfProcessor)
    progress.outputs = state.outputs.map { output in
      OutputProgress(
        name: output.name, frames: output.framesOut,
        dropped: state.dropped + output.dropped + output.leftOut)
    }
    return progress
  }

  /// Counts a frame that the source gave.
  func frameIn() { state.withLock { $0.framesIn += 1 } }

  /// Notes how many frames in all had to give way to newer ones on the way to the outputs.
  ///
  /// It tells of the progress too: the encoder, which does otherwise, may be what does not get on.
  func dropped(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { $0.dropped = count }
    tell()
  }

  /// Notes how many did in front of one output.
  func dropped(_ count: Int, by output: Int) {
    guard count > 0 else { return }
    state.withLock { $0.outputs[output].dropped = count }
    tell()
  }

  /// Counts what a constant rate made of a frame.
  func matched(duplicated: Int, isLeftOut: Bool, by output: Int) {
    state.withLock {
      $0.outputs[output].duplicated += duplicated
      if isLeftOut { $0.outputs[output].leftOut += 1 }
    }
  }

  /// Counts a frame that an output took, and tells of the progress.
  func frameOut(end: Rational, by output: Int) {
    state.withLock {
      $0.outputs[output].framesOut += 1
      $0.outputs[output].time = end
    }
    tell()
  }

  /// An output takes no more, and the recording goes on without it.
  func lost(_ output: Int) { state.withLock { $0.outputs[output].isLost = true } }

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
