import FFmpegHandles
import Frames
import Synchronization

/// Shows frames through a camera that other programs can open.
///
/// While the source stalls, a separate thread shows the last frame again and again: programs treat
/// a camera that delivers nothing as hung.
final class VirtualCameraSink: MediaSink {
  private struct State: ~Copyable {
    var camera: VirtualCamera
    var lastShown = MonotonicTime.now
    /// The error of a frame that the thread could not show.
    var failure: EncodeError?
  }

  private let name: String
  private var end: FrameExtent
  private var latency = LatencyMeter()
  private let shared: Shared
  private var thread: WorkerThread?

  /// The data that both threads use.
  private final class Shared: Sendable {
    let state: Mutex<State>
    let stops = Atomic<Bool>(false)

    init(_ camera: consuming VirtualCamera) { state = Mutex(State(camera: camera)) }
  }

  init(name: String, path: String, request: SinkRequest) throws(EncodeError) {
    self.name = name
    end = FrameExtent(frameRate: request.frameRate)
    let shared = Shared(
      try VirtualCamera(path: path, format: request.format, frameRate: request.frameRate))
    self.shared = shared
    let interval = request.frameRate > .zero ? request.frameRate.reciprocal : Rational(1, 25)
    let hold = max(interval + interval, Rational(1, 10))
    do throws(ThreadError) {
      thread = try WorkerThread(name: "kfrec-hold") {
        VirtualCameraSink.hold(shared, every: hold)
      }
    } catch {
      throw EncodeError("cannot write \(name): \(error)")
    }
  }

  var encoderName: String? { nil }

  func write(_ frame: Frame) throws {
    latency.enter(0, captured: frame.captured)
    let failure: EncodeError? = shared.state.withLock { state in
      if let failure = state.failure { return failure }
      do throws(EncodeError) { try state.camera.show(frame) } catch { return error }
      state.lastShown = .now
      return nil
    }
    if let failure { throw failure }
    latency.leave(0)
    end.note(frame)
  }

  func finish() -> SinkReport {
    stop()
    var report = SinkReport(
      output: name, frames: end.frames, bytes: nil, duration: end.time, latency: latency.latency)
    report.isKept = false
    return report
  }

  func abandon() { stop() }

  private func stop() {
    shared.stops.store(true, ordering: .relaxed)
    thread.take()?.join()
  }

  /// Shows the last frame again if no other came for a while.
  private static func hold(_ shared: Shared, every interval: Rational) {
    while !shared.stops.load(ordering: .relaxed) {
      MonotonicTime.sleep(until: .now + min(interval, Rational(1, 20)))
      shared.state.withLock { state in
        guard state.failure == nil, state.lastShown + interval < .now else { return }
        do throws(EncodeError) { try state.camera.showAgain() } catch { state.failure = error }
        state.lastShown = .now
      }
    }
  }
}
