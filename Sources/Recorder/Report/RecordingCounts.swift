import Frames
import Synchronization

/// The numbers of a running recording, counted by its threads, and the progress events made from them.
final class RecordingCounts: Sendable {
  private let state: Mutex<State>
  private let events: @Sendable (RecordingEvent) -> Void
  private let start = MonotonicTime.now
  private let startOfProcessor = ThreadGroup.secondsOfProcess
  /// Time of the last event; the mutex is held while an event is sent, because events are sent one at a
  /// time.
  private let lastEvent: Mutex<MonotonicTime>

  /// Minimum seconds between two events.
  private static let interval = 0.1

  private struct State: Sendable {
    var framesIn = 0
    /// Frames dropped before they reached the outputs.
    var dropped = 0
    var outputs: [PerOutput]

    /// The output whose numbers represent the recording: the first that is still written.
    var lead: PerOutput { outputs.first { !$0.isLost } ?? outputs[0] }
  }

  private struct PerOutput: Sendable {
    let name: String
    var framesOut = 0
    /// Frames dropped in the queue of this output.
    var dropped = 0
    var leftOut = 0
    var duplicated = 0
    var time = Rational.zero
    var isLost = false
  }

  /// Creates the counts; `outputs` are the names of the outputs, at least one.
  init(outputs: [String], events: @escaping @Sendable (RecordingEvent) -> Void) {
    self.events = events
    state = Mutex(State(outputs: outputs.map { PerOutput(name: $0) }))
    lastEvent = Mutex(start)
  }

  var current: RecordingProgress {
    let state = state.withLock { $0 }
    let lead = state.lead
    var progress = RecordingProgress(
      framesIn: state.framesIn, framesOut: lead.framesOut,
      dropped: state.dropped + lead.dropped + lead.leftOut, duplicated: lead.duplicated,
      time: lead.time, elapsed: MonotonicTime.now.seconds(since: start),
      processorTime: ThreadGroup.secondsOfProcess - startOfProcessor)
    progress.outputs = state.outputs.map { output in
      OutputProgress(
        name: output.name, frames: output.framesOut,
        dropped: state.dropped + output.dropped + output.leftOut)
    }
    return progress
  }

  func frameIn() { state.withLock { $0.framesIn += 1 } }

  /// Sets the total number of frames dropped for newer ones before they reached the outputs.
  ///
  /// It also reports progress: usually the encoder does this, but the encoder may be the stage that is
  /// slow.
  func dropped(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { $0.dropped = count }
    tell()
  }

  /// Sets the number of frames dropped for newer ones in the queue of one output.
  func dropped(_ count: Int, by output: Int) {
    guard count > 0 else { return }
    state.withLock { $0.outputs[output].dropped = count }
    tell()
  }

  func matched(duplicated: Int, isLeftOut: Bool, by output: Int) {
    state.withLock {
      $0.outputs[output].duplicated += duplicated
      if isLeftOut { $0.outputs[output].leftOut += 1 }
    }
  }

  /// Counts a frame that an output accepted, and reports the progress.
  func frameOut(end: Rational, by output: Int) {
    state.withLock {
      $0.outputs[output].framesOut += 1
      $0.outputs[output].time = end
    }
    tell()
  }

  /// Marks an output that accepts no more frames while the recording continues without it.
  func lost(_ output: Int) { state.withLock { $0.outputs[output].isLost = true } }

  /// Sends a progress event, at most ten times a second, and not while another thread sends one.
  private func tell() {
    lastEvent.withLockIfAvailable { last in
      let now = MonotonicTime.now
      guard now.seconds(since: last) >= RecordingCounts.interval else { return }
      last = now
      events(.progress(current))
    }
  }
}
