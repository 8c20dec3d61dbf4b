import Frames
import Glibc
import Synchronization
import Render

/// Where the thread of a stage spends its time, in seconds; only that thread fills it, by reading the clock.
struct StageTimes: Sendable {
  var frames = 0
  var busy = 0.0
  var input = 0.0
  /// Time waiting for room in the next queue.
  var room = 0.0
}

/// Times that the threads of a recording report, each at its end.
final class RunTimes: Sendable {
  private struct State: Sendable {
    var capture = StageTimes()
    var upload = StageTimes()
    var gpu = RenderTimes()
    var threads: [ThreadGroup] = []
  }

  private let state = Mutex(State())
  private let begin = MonotonicTime.now
  private let processorAtBegin = ThreadGroup.secondsOfProcess

  /// Called by the capture thread at its end.
  func capture(_ times: StageTimes) {
    state.withLock {
      $0.capture = times
      $0.threads.add(.thisThread(.capture))
    }
  }

  /// Called by the GPU thread at its end.
  func gpu(_ upload: StageTimes, _ gpu: RenderTimes) {
    state.withLock {
      ($0.upload, $0.gpu) = (upload, gpu)
      $0.threads.add(.thisThread(.gpu))
    }
  }

  /// Called by each encoding thread at its end.
  func encodingEnds() { state.withLock { $0.threads.add(.thisThread(.encode)) } }

  /// Returns the statistics, once the threads have ended and the output is complete.
  func statistics(
    encoding: [EncodeResult], paused: Double, queues: [RecordingStatistics.Queue],
    start: MonotonicTime, calls: [TimedCall], streamStart: MonotonicTime?
  ) -> RecordingStatistics {
    let state = state.withLock { $0 }
    let (capture, upload) = (state.capture, state.upload)
    var stages: [RecordingStatistics.Stage] = [
      .init(
        name: "read+decode", frames: capture.frames, busy: max(capture.busy - paused, 0),
        input: paused, room: capture.room),
      .init(
        name: "upload", frames: upload.frames, busy: upload.busy, input: upload.input,
        room: upload.room),
      .init(
        name: "GPU", frames: state.gpu.frames, busy: state.gpu.busy, awaited: state.gpu.awaited),
    ]
    for end in encoding {
      // Time for the encoder's remaining frames and for completing the output is also encoding time.
      stages.append(
        .init(
          name: encoding.count == 1 ? "encode" : "encode \(end.result.name)",
          frames: end.times.frames, busy: end.times.busy + end.completion, input: end.times.input))
    }
    let firstFrame = encoding.compactMap(\.firstFrame).min()
    let processor = ThreadGroup.secondsOfProcess
    var statistics = RecordingStatistics(
      wall: MonotonicTime.now.seconds(since: begin), stages: stages.filter { $0.frames > 0 },
      paused: paused, queues: queues, threads: threads(state.threads, processor: processor),
      processor: processor - processorAtBegin,
      startUp: firstFrame.map { StartUp(start: start, end: $0, calls: calls) },
      peakMemory: peakMemory())
    if let streamStart, let firstFrame {
      statistics.streamToFirstFrame = firstFrame.seconds(since: streamStart)
    }
    return statistics
  }

  /// Returns the running threads, kfrec's ended threads, and one group for the rest of the process's CPU
  /// time: threads that only opened something.
  private func threads(_ ended: [ThreadGroup], processor: Double) -> [ThreadGroup] {
    var groups = ended
    for group in ThreadGroup.running() { groups.add(group) }
    let known = groups.reduce(0) { $0 + $1.seconds }
    groups.append(ThreadGroup(name: "ended", count: 0, seconds: max(processor - known, 0)))
    return groups.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) }
  }
}

extension ThreadGroup {
  fileprivate static func thisThread(_ name: ThreadName) -> ThreadGroup {
    ThreadGroup(name: name.rawValue, count: 1, seconds: secondsOfThisThread)
  }
}

/// Returns the peak memory of the process, in bytes; 0 if the system does not report it.
///
/// `getrusage` would count the program that started this one, too: Linux keeps its peak across exec.
private func peakMemory() -> Int {
  let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  let lines = String(decoding: bytes(of: file) ?? [], as: UTF8.self).split(separator: "\n")
  let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
  return words.count > 1 ? (Int(words[1]) ?? 0) << 10 : 0
}
