import Capture
import FFmpegHandles
import Frames

/// Stage one: reads the source, leaves out pauses, and stops when the limit is reached.
struct CaptureStage {
  let control: RecordingControl
  let plan: RecordingPlan
  let counts: RecordingCounts
  let microphone: MicrophoneTrack?

  /// Reads to the end, or until the receiver has ended.
  ///
  /// `droppedBehind` returns how many frames were dropped after the queue.
  func run(
    _ source: any FrameSetSource, to captured: BoundedQueue<TimelineItem>,
    droppedBehind: () -> Int, times: inout StageTimes
  ) throws {
    defer { source.finish() }
    let trim = plan.trim
    var pause = PauseCut(interval: plan.frameRate.reciprocal)
    var end = Rational.zero
    defer { microphone?.end(at: end) }
    while var item = try timed(&times.busy, { try source.next() }) {
      while control.isPaused, !plan.isLive {
        MonotonicTime.sleep(until: .now + Rational(1, 50))
      }
      if control.isPaused {
        if let time = pause.skip() { microphone?.pause(at: time) }
        continue
      }
      if case .frame(var set) = item {
        set.primary.time = pause.time(of: set.time)
        let dropped = captured.droppedCount + droppedBehind()
        guard !trim.excludes(frameAt: set.time, after: times.frames, dropped: dropped) else {
          return
        }
        end = trim.end(
          ofFrameAt: set.time, lasting: set.primary.duration ?? pause.interval)
        set.primary.duration =
          set.primary.duration ?? trim.shown(frameAt: set.time, lasting: pause.interval)
        microphone?.frame(taken: set.primary.captured ?? .now, shown: set.time)
        item = .frame(set)
        counts.frameIn()
        times.frames += 1
      } else {
        item = try item.earlier(by: pause.cut)
      }
      guard timed(&times.room, { captured.send(item) }) else { return }
      counts.dropped(captured.droppedCount)
      let dropped = captured.droppedCount + droppedBehind()
      if trim.hasAll(sent: times.frames, dropped: dropped) { return }
    }
  }
}
