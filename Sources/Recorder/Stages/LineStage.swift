import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// What the GPU thread does: frames in the source's format and time come in, frames in the sink's
/// come out, in order; sound passes by, and so do frames that are in the sink's format already and
/// that nothing acts on.
final class LineStage {
  private let gpu: PreparedGPU
  private var effects: PreparedEffects
  private var plan: RecordingPlan
  private let sound: SoundFeed?
  private let control: RecordingControl
  /// The way of frames of the format that came last.
  private var way: Way
  private var previousTime: Rational?
  private var frameIndex: Int
  /// Of this thread: busy is filling slots and recording commands, not the wait for the GPU.
  private(set) var times = StageTimes()
  private(set) var gpuTimes = RenderTimes()
  /// Makes new versions of the effects while the stage runs; set before it does.
  var reloader: EffectReloader?
  /// Told once, of the first frame that lost transparency; set before the stage runs.
  var flattened: (() -> Void)?

  private enum Way {
    case line(RenderPipeline)
    /// To the encoder as they are.
    case past(FrameFormat)

    func takes(_ frame: JoinedFrame) -> Bool {
      switch self {
      case .line(let line): line.takes(frame)
      case .past(let format): frame.first?.format == format
      }
    }

    var format: FrameFormat {
      switch self {
      case .line(let line): line.source
      case .past(let format): format
      }
    }
  }

  /// Prepares the way of the first frame's format, which opens the GPU where it is needed.
  init(
    gpu: PreparedGPU, effects: PreparedEffects, plan: RecordingPlan, sound: SoundFeed? = nil,
    control: RecordingControl = RecordingControl()
  ) throws {
    self.control = control
    self.gpu = gpu
    self.effects = effects
    self.plan = plan
    self.sound = sound
    frameIndex = plan.firstFrameIndex
    way = try LineStage.way(
      of: plan.source, plan: plan, gpu: gpu, effects: effects, sound: sound, control: control)
  }

  /// The GPU that frames of the last format are on, if any.
  var device: Device? {
    get throws { if case .line = way { try gpu.device() } else { nil } }
  }

  /// What is done to frames of the last format, a sentence for each step; nil where they pass the GPU.
  var steps: [String]? { if case .line(let line) = way { line.steps } else { nil } }

  /// Runs until the input ends or no output takes more.
  func run(
    from input: BoundedQueue<LineItem>, to outputs: EncodeStages
  ) throws {
    defer { collectTimes() }
    while true {
      // With nothing to do meanwhile, finished frames are handed on at once: a slow or live source
      // must not hold them back.
      guard let item = try input.receiveIfReady() ?? completeAll(outputs, then: input) else {
        break
      }
      switch item {
      case .sound: guard send(item, to: outputs) else { return }
      case .frame(let frame): guard try pass(JoinedFrame(frame), to: outputs) else { return }
      case .joined(let frame): guard try pass(frame, to: outputs) else { return }
      }
    }
    _ = try completeAll(outputs)
  }

  /// Sends a frame on its way; false when no output takes more.
  private func pass(_ frame: JoinedFrame, to outputs: EncodeStages) throws -> Bool {
    if let fresh = reloader?.take() {
      guard try completeAll(outputs) else { return false }
      effects.effects = fresh.effects
      collectTimes()
      way = .line(fresh.pipeline)
      reloader?.tell(fresh)
    }
    if let passing = plan.passing(frame) {
      // Those before it are still on their way.
      guard try completeAll(outputs) else { return false }
      _ = nextClock(passing.time)
      return send(.frame(passing), to: outputs)
    }
    if !way.takes(frame) {
      // A source may change its size or colours in the middle; effects then start afresh.
      guard try completeAll(outputs) else { return false }
      if let second = frame.second { plan.join?.format = second.format }
      let format = frame.first?.format ?? way.format
      collectTimes()
      way = try LineStage.way(
        of: format, plan: plan, gpu: gpu, effects: effects, sound: sound, control: control)
      reloader?.note(format)
    }
    let clock = nextClock(frame.time)
    guard case .line(let pipeline) = way else {
      return frame.first.map { send(.frame($0), to: outputs) } ?? true
    }
    let isWanted = try pipeline.render(frame, clock: clock) { hand($0, of: pipeline, to: outputs) }
    if isWanted { times.frames += 1 }
    return isWanted
  }

  /// Adds the times of the pipeline that is about to go.
  private func collectTimes() {
    guard case .line(let pipeline) = way else { return }
    gpuTimes.add(pipeline.takeTimes())
    times.busy = gpuTimes.submitting
  }

  private func send(_ item: LineItem, to outputs: EncodeStages) -> Bool {
    timed(&times.room) { outputs.send(item) }
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

  /// Hands on a frame that is finished; false when no output takes more.
  private func hand(_ frame: Frame, of pipeline: RenderPipeline, to outputs: EncodeStages) -> Bool {
    if pipeline.hasFlattened { flattened.take()?() }
    return send(.frame(frame), to: outputs)
  }

  /// Hands on every frame in flight; false when no output takes more.
  private func completeAll(_ outputs: EncodeStages) throws -> Bool {
    guard case .line(let pipeline) = way else { return true }
    return try pipeline.finish { hand($0, of: pipeline, to: outputs) }
  }

  private func completeAll(
    _ outputs: EncodeStages, then input: BoundedQueue<LineItem>
  ) throws -> LineItem? {
    guard try completeAll(outputs) else { return nil }
    return timed(&times.input) { input.receive() }
  }

  private static func way(
    of format: FrameFormat, plan: RecordingPlan, gpu: PreparedGPU, effects: PreparedEffects,
    sound: SoundFeed?, control: RecordingControl
  ) throws -> Way {
    if plan.passesGPU(format) { return .past(format) }
    return .line(
      try effects.line(
        of: format, device: gpu.device(), plan: plan, sound: sound,
        isStopped: { control.isStopped }))
  }
}
