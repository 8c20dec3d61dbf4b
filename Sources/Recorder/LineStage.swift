import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// What the GPU thread does: frames in the source's format and time come in, frames in the sink's
/// come out, in order; sound passes by, and so do frames that are in the sink's format already and
/// that nothing acts on.
final class LineStage {
  private let gpu: PreparedGPU
  private var effects: PreparedEffects
  private let plan: RecordingPlan
  private let sound: SoundFeed?
  /// The way of frames of the format that came last.
  private var way: Way
  private var previousTime: Rational?
  private var frameIndex: Int
  /// Of this thread: busy is filling slots and recording commands, not the wait for the GPU.
  private(set) var times = StageTimes()
  private(set) var gpuTimes = GPUTimes()
  /// Makes new versions of the effects while the stage runs; set before it does.
  var reloader: EffectReloader?

  private enum Way {
    case line(Line)
    /// To the encoder as they are.
    case past(FrameFormat)

    var format: FrameFormat {
      switch self {
      case .line(let line): line.source
      case .past(let format): format
      }
    }
  }

  /// Prepares the way of the first frame's format, which opens the GPU where it is needed.
  init(
    gpu: PreparedGPU, effects: PreparedEffects, plan: RecordingPlan, sound: SoundFeed? = nil
  ) throws {
    self.gpu = gpu
    self.effects = effects
    self.plan = plan
    self.sound = sound
    frameIndex = plan.firstFrameIndex
    way = try LineStage.way(
      of: plan.source, plan: plan, gpu: gpu, effects: effects, sound: sound)
  }

  /// The GPU that frames of the last format are on, if any.
  var device: Device? {
    get throws { if case .line = way { try gpu.device() } else { nil } }
  }

  /// What is done to frames of the last format, a sentence for each step; nil where they pass the GPU.
  var steps: [String]? { if case .line(let line) = way { line.steps } else { nil } }

  /// Runs until the input ends or the output's receiver has gone.
  func run(
    from input: BoundedQueue<LineItem>, to output: BoundedQueue<LineItem>
  ) throws {
    while true {
      // With nothing to do meanwhile, finished frames are handed on at once: a slow or live source
      // must not hold them back.
      guard let item = try input.receiveIfReady() ?? completeAll(output, then: input) else { break }
      switch item {
      case .sound: guard send(item, to: output) else { return }
      case .frame(let frame): guard try pass(frame, to: output) else { return }
      }
    }
    _ = try completeAll(output)
  }

  /// Sends a frame on its way; false when the receiver has gone.
  private func pass(_ frame: Frame, to output: BoundedQueue<LineItem>) throws -> Bool {
    if let fresh = reloader?.take() {
      guard try completeAll(output) else { return false }
      effects.effects = fresh.effects
      way = .line(fresh.line)
      reloader?.tell(fresh)
    }
    if frame.format != way.format {
      // A source may change its size or colours in the middle; effects then start afresh.
      guard try completeAll(output) else { return false }
      way = try LineStage.way(
        of: frame.format, plan: plan, gpu: gpu, effects: effects, sound: sound)
      reloader?.note(frame.format)
    }
    let clock = nextClock(frame.time)
    guard case .line(let line) = way else { return send(.frame(frame), to: output) }
    if line.isFull { guard try completeOne(of: line, output) == true else { return false } }
    try timed(&times.busy) { try line.submit(frame, clock: clock) }
    times.frames += 1
    return true
  }

  private func send(_ item: LineItem, to output: BoundedQueue<LineItem>) -> Bool {
    timed(&times.room) { output.send(item) }
  }

  private func nextClock(_ frameTime: Rational) -> EffectClock {
    let time = plan.firstTime + frameTime
    let clock = EffectClock(
      time: time, timeDelta: previousTime.map { time - $0 } ?? .zero, frameIndex: frameIndex,
      frameRate: plan.frameRate, creationTime: plan.creationTime)
    previousTime = time
    frameIndex += 1
    return clock
  }

  /// Hands on the oldest frame in flight; false when the receiver has gone, nil when there is none.
  private func completeOne(of line: Line, _ output: BoundedQueue<LineItem>) throws -> Bool? {
    guard let done = try timed(&gpuTimes.awaited, { try line.complete() }) else { return nil }
    gpuTimes.add(line.span)
    return send(.frame(done), to: output)
  }

  /// Hands on every frame in flight; false when the receiver has gone.
  private func completeAll(_ output: BoundedQueue<LineItem>) throws -> Bool {
    guard case .line(let line) = way else { return true }
    while let isTaken = try completeOne(of: line, output) {
      guard isTaken else { return false }
    }
    return true
  }

  private func completeAll(
    _ output: BoundedQueue<LineItem>, then input: BoundedQueue<LineItem>
  ) throws -> LineItem? {
    guard try completeAll(output) else { return nil }
    return timed(&times.input) { input.receive() }
  }

  private static func way(
    of format: FrameFormat, plan: RecordingPlan, gpu: PreparedGPU, effects: PreparedEffects,
    sound: SoundFeed?
  ) throws -> Way {
    if plan.passesGPU(format) { return .past(format) }
    return .line(try effects.line(of: format, device: gpu.device(), plan: plan, sound: sound))
  }
}
