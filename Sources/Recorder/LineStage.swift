import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// What the GPU thread does: frames in the source's format and time come in, frames in the sink's
/// come out, in order; sound passes by.
final class LineStage {
  private let device: Device
  private let compiler: ShaderCompiler
  private let effects: [CompiledEffect]
  private let sink: FrameFormat
  private let plan: RecordingPlan
  private var line: Line
  private var previousTime: Rational?
  private var frameIndex: Int

  /// Builds the line for the first frame's format.
  init(
    device: Device, compiler: ShaderCompiler, effects: [CompiledEffect], plan: RecordingPlan
  ) throws {
    self.device = device
    self.compiler = compiler
    self.effects = effects
    self.plan = plan
    sink = plan.sink
    frameIndex = plan.firstFrameIndex
    line = try Line(
      device: device, compiler: compiler, source: plan.source, geometry: plan.geometry,
      effects: effects, sink: plan.sink)
  }

  /// Runs until the input ends or the output's receiver has gone.
  func run(
    from input: BoundedQueue<LineItem>, to output: BoundedQueue<LineItem>
  ) throws {
    while true {
      // With nothing to do meanwhile, finished frames are handed on at once: a slow or live source
      // must not hold them back.
      guard let item = try input.receiveIfReady() ?? completeAll(output, then: input) else { break }
      switch item {
      case .sound: guard output.send(item) else { return }
      case .frame(let frame):
        if frame.format != line.source {
          guard try completeAll(output) else { return }
          try rebuild(for: frame.format)
        }
        if line.isFull, let done = try line.complete() {
          guard output.send(.frame(done)) else { return }
        }
        try submit(frame)
      }
    }
    _ = try completeAll(output)
  }

  private func submit(_ frame: Frame) throws {
    let time = plan.firstTime + frame.time
    let clock = EffectClock(
      time: time, timeDelta: previousTime.map { time - $0 } ?? .zero, frameIndex: frameIndex,
      frameRate: plan.frameRate, creationTime: plan.creationTime)
    previousTime = time
    frameIndex += 1
    try line.submit(frame, clock: clock)
  }

  /// Hands on every frame in flight; false when the receiver has gone.
  private func completeAll(_ output: BoundedQueue<LineItem>) throws -> Bool {
    while let done = try line.complete() {
      guard output.send(.frame(done)) else { return false }
    }
    return true
  }

  private func completeAll(
    _ output: BoundedQueue<LineItem>, then input: BoundedQueue<LineItem>
  ) throws -> LineItem? {
    try completeAll(output) ? input.receive() : nil
  }

  /// A source may change its size or colours in the middle: the new picture is fitted into the
  /// output's canvas, and effects start afresh.
  private func rebuild(for source: FrameFormat) throws {
    var geometry = PictureGeometry(
      source: source, size: (plan.geometry.canvasWidth, plan.geometry.canvasHeight), scale: .fit)
    geometry.sampleAspectRatio = plan.geometry.sampleAspectRatio
    line = try Line(
      device: device, compiler: compiler, source: source, geometry: geometry, effects: effects,
      sink: sink)
  }
}
