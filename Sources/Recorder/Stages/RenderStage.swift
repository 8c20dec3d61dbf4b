import Capture
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// Work of the GPU thread: takes frames in the source's format and time, and delivers frames in the
/// sink's, in order.
///
/// Audio bypasses the GPU, and so do frames that are already in the sink's format and that no effect
/// changes.
final class RenderStage {
  private let gpu: PreparedGPU
  private var effects: PreparedEffects
  private var plan: RecordingPlan
  /// Sources that image inputs show, in the order of the bindings after the next clip's binding.
  private let movingInputs: [MovingInput]
  private let audioHistory: AudioHistory?
  private let control: RecordingControl
  /// Nil while every frame bypasses the GPU.
  private var pipeline: RenderPipeline?
  /// Puts frames that bypass the GPU into the outputs' layout; nil if none has needed it.
  private var relayout: Relayout?
  /// They make interlaced frames progressive; the key is the index of a frame in its set.
  private var deinterlacers: [Int: Deinterlacer] = [:]
  private var previousTime: Rational?
  private var frameIndex: Int
  private var rangeCut: RangeCut?
  /// Chooses the frames of a constant rate before the effects; nil if the outputs alone do.
  private var grid: ConstantRate?
  /// The number of frames of a constant rate that are wanted, if there is one.
  private var mostFrames: Int?
  private var chosen = 0
  /// The time of the last frame of a constant rate that is wanted, in seconds; nil until it was chosen.
  private var lastTime: Rational?
  /// Called with what became of each frame of the source in that choice; set before the stage runs.
  var matched: ((ConstantRate.Result) -> Void)?
  /// Times of this thread; busy is filling slots and recording commands, without the wait for the GPU.
  private(set) var times = StageTimes()
  private(set) var gpuTimes = RenderTimes()
  /// Compiles new versions of the effects while the stage runs; set before the stage runs.
  var reloader: EffectReloader?
  /// Changes parameters before each frame; set before the stage runs.
  var steering: EffectSteering?
  /// Called once, at the first frame that lost transparency; set before the stage runs.
  var flattened: (() -> Void)?
  /// Called once for each input, at the first frame that is not as the input's first one; set before the stage runs.
  ///
  /// It gets the index of the input and the format of the frame.
  var changed: ((_ clip: Int, FrameFormat) -> Void)?
  /// The format of the first frame of each input that was read; nil once a change was reported.
  private var firstFormats: [Int: FrameFormat?] = [:]

  /// Prepares what the plan needs; opens the GPU if frames will need it.
  init(
    gpu: PreparedGPU, effects: PreparedEffects, plan: RecordingPlan,
    movingInputs: [MovingInput] = [],
    audioHistory: AudioHistory? = nil, control: RecordingControl = RecordingControl()
  ) throws {
    self.control = control
    self.gpu = gpu
    self.effects = effects
    self.plan = plan
    self.movingInputs = movingInputs
    self.audioHistory = audioHistory
    frameIndex = plan.firstFrameIndex
    (previousTime, rangeCut) = (plan.previousTime, plan.rangeCut)
    if plan.rendersConstantRate, let rate = plan.constantRate {
      grid = ConstantRate(
        rate, duration: plan.trim.output.duration, leavesGaps: true,
        showsNearest: plan.frameChoice == .nearest)
      // Counted, because the outputs may cut gaps.
      mostFrames = plan.trim.output.frames
    }
    if plan.needsGPU { pipeline = try makePipeline(of: plan.source) }
    // Without a GPU it has to fail here, not at the first frame.
    if plan.deinterlaces { deinterlacers[0] = try makeDeinterlacer(of: plan.source) }
  }

  var device: Device? {
    get throws { pipeline == nil && deinterlacers.isEmpty ? nil : try gpu.device() }
  }

  /// What is done to frames, one sentence for each step; nil if they bypass the GPU.
  var steps: [String]? {
    guard !deinterlacers.isEmpty else { return pipeline?.steps }
    return ["deinterlace: one kernel, from three frames"] + (pipeline?.steps ?? [])
  }

  /// Runs until the input ends, no output accepts more, or all frames of a constant rate that are wanted were sent.
  ///
  /// Returns whether it took the whole input; if not, nothing more of it is wanted.
  func run(
    from input: BoundedQueue<TimelineItem>, to outputs: EncodeStages
  ) throws -> Bool {
    // Frames behind the last wanted one are not rendered, so that no output ever gets one and ends the reading.
    let end = grid?.end(ofFrames: .max)
    var isWhole = true
    defer {
      collectTimes()
      effects.interruption.interrupt()
      for movingInput in movingInputs { movingInput.clip.use { $0.close() } }
    }
    while isWhole {
      // If no input is ready, finished frames are sent at once: a slow or live source must not delay
      // them.
      guard let item = try input.receiveIfReady() ?? completeAll(outputs, then: input) else {
        break
      }
      switch item {
      case .codedAudio(let packet):
        guard try send(.codedAudio(packet), to: outputs) else { return false }
      case .subtitle(let packet):
        guard try send(.subtitle(packet), to: outputs) else { return false }
      case .audioForEffects(let packet): try audioHistory?.add(packet)
      case .audio(let block):
        audioHistory?.add(block)
        guard try plan.audio.isEmpty || send(.audio(block), to: outputs) else { return false }
      case .frame(let set):
        guard try place(set, to: outputs) else { return false }
        isWhole = (lastTime ?? end).map { set.time < $0 + EncodeStage.longestLag } ?? true
      }
    }
    guard try place(nil, to: outputs) else { return false }
    return try completeAll(outputs) && isWhole
  }

  /// Processes the frames of a constant rate, if there is one, which are known with this set, or at the end with nil; false
  /// if no output accepts more.
  private func place(_ set: FrameSet?, to outputs: EncodeStages) throws -> Bool {
    guard var grid else { return try set.map { try pass($0, to: outputs) } ?? true }
    var isWanted = true
    let isStopped = { [control] in control.isStopped || !isWanted }
    func process(_ set: FrameSet) throws {
      guard isWanted, chosen < mostFrames ?? .max else { return }
      chosen += 1
      if chosen == mostFrames { lastTime = set.time }
      isWanted = try pass(set, to: outputs)
    }
    let result =
      if let set {
        try grid.pass(set, unless: isStopped, toSets: process)
      } else {
        try grid.finish(setsUnless: isStopped, process)
      }
    self.grid = grid
    matched?(result)
    return isWanted
  }

  /// Processes a set; false if no output accepts more.
  private func pass(_ set: FrameSet, to outputs: EncodeStages) throws -> Bool {
    if let fresh = reloader?.take() {
      guard try completeAll(outputs) else { return false }
      steering?.replace(effects.effects, by: fresh.effects)
      effects.effects = fresh.effects
      replacePipeline(by: fresh.pipeline)
      reloader?.tell(fresh)
    }
    var set = set
    set.primary = try progressive(set.primary, place: 0, outputs)
    noteChange(of: set)
    if plan.bypassesGPU(set) {
      // Earlier frames are still in flight.
      guard try completeAll(outputs) else { return false }
      _ = nextClock(set.primary)
      effects.compilerWait.noteFrame()
      return try send(.frame(try arranged(set.primary)), to: outputs)
    }
    // The time of a frame of Matroska is rounded, too.
    let time = set.time + Clip.leeway(tick: plan.sourceTimeBase, frame: plan.frameRate.reciprocal)
    for movingInput in movingInputs {
      set.inputs.append(try movingInput.clip.use { clip in try clip.due(at: time) })
    }
    for place in set.inputs.indices {
      set.inputs[place] = try set.inputs[place].map {
        try progressive($0, place: place + 1, outputs)
      }
    }
    guard let pipeline = try pipeline(for: set, outputs) else { return false }
    var clock = nextClock(set.primary)
    clock.sourceName = plan.clipNames[min(set.stretch.clip, plan.clipNames.count - 1)]
    if let audioHistory, effects.effects.contains(where: \.hearsLevels) {
      clock.sound = try audioHistory.levels(at: set.time)
    }
    steering?.act(at: clock, on: effects.effects)
    let isWanted = try pipeline.render(set, clock: clock) {
      try hand($0, of: pipeline, to: outputs)
    }
    if isWanted { times.frames += 1 }
    effects.compilerWait.noteFrame()
    return isWanted
  }

  /// Tells once that the frames of an input are no longer as its first one.
  private func noteChange(of set: FrameSet) {
    let (clip, format) = (set.stretch.clip, set.primary.format)
    guard let known = firstFormats[clip] else { return firstFormats[clip] = .some(format) }
    guard let known, known.isShownUnlike(format) else { return }
    firstFormats[clip] = .some(nil)
    changed?(clip, format)
  }

  /// Returns a frame that bypasses the GPU in the layout of the outputs.
  private func arranged(_ frame: Frame) throws -> Frame {
    guard frame.format.pixelFormat != plan.sink.pixelFormat else { return frame }
    if relayout?.source != frame.format {
      relayout = Relayout(of: frame.format, as: plan.sink.pixelFormat)
    }
    return try relayout?.arranged(frame) ?? frame
  }

  /// Returns a frame as a progressive one; `place` is the index of the frame in its set.
  private func progressive(
    _ frame: Frame, place: Int, _ outputs: EncodeStages
  ) throws -> Frame {
    guard frame.fields != nil else { return frame }
    let begin = MonotonicTime.now
    defer { gpuTimes.awaited += MonotonicTime.now.seconds(since: begin) }
    let known = deinterlacers[place].flatMap { $0.takes(frame.format) ? $0 : nil }
    let deinterlacer = try known ?? makeDeinterlacer(of: frame.format)
    deinterlacers[place] = deinterlacer
    do { return try deinterlacer.progressive(frame) } catch let error as UnfinishedFrame {
      // Probably a frame of the pipeline is what does not end; it knows its effects.
      _ = try completeAll(outputs)
      throw error
    }
  }

  private func makeDeinterlacer(of format: FrameFormat) throws -> Deinterlacer {
    try Deinterlacer(
      device: gpu.device(), compiler: effects.compiler, format: format,
      isStopped: { [wait = effects.compilerWait] in wait.isOver })
  }

  /// Returns the pipeline that accepts a set; nil if no output accepts more.
  private func pipeline(
    for set: FrameSet, _ outputs: EncodeStages
  ) throws -> RenderPipeline? {
    if let pipeline, pipeline.takes(set) { return pipeline }
    // A source may change its size or colours in the middle; effects then start with new state.
    guard try completeAll(outputs) else { return nil }
    let format = set.stretch.clip == 0 ? set.primary.format : plan.source
    let pipeline = try makePipeline(of: format)
    replacePipeline(by: pipeline)
    reloader?.note(format)
    return pipeline
  }

  private func replacePipeline(by pipeline: RenderPipeline) {
    collectTimes()
    self.pipeline = pipeline
  }

  /// Adds the times of the current pipeline before it is released.
  private func collectTimes() {
    guard let pipeline else { return }
    gpuTimes.add(pipeline.takeTimes())
    times.busy = gpuTimes.submitting
  }

  private func send(_ item: MediaSample, to outputs: EncodeStages) throws -> Bool {
    guard rangeCut != nil else { return timed(&times.room) { outputs.send(item) } }
    guard let kept = try rangeCut?.pass(item) else { return true }
    return timed(&times.room) { outputs.send(kept) }
  }

  private func nextClock(_ frame: Frame) -> EffectClock {
    let time = plan.firstTime + frame.time
    var clock = EffectClock(
      time: time, timeDelta: previousTime.map { time - $0 } ?? .zero, frameIndex: frameIndex,
      frameRate: grid?.rate ?? plan.frameRate, creationTime: plan.creationTime)
    clock.timecode = plan.timecode
    clock.sourceTime = frame.sourceTime
    clock.inputTime = plan.inputTime.map { frame.sourceTime ?? $0 + frame.time } ?? frame.time
    previousTime = time
    frameIndex += 1
    return clock
  }

  /// Sends a finished frame; false if no output accepts more.
  private func hand(
    _ frame: Frame, of pipeline: RenderPipeline, to outputs: EncodeStages
  ) throws -> Bool {
    if pipeline.hasFlattened { flattened.take()?() }
    return try send(.frame(frame), to: outputs)
  }

  /// Sends every frame in flight; false if no output accepts more.
  private func completeAll(_ outputs: EncodeStages) throws -> Bool {
    guard let pipeline else { return true }
    return try pipeline.finish { try hand($0, of: pipeline, to: outputs) }
  }

  private func completeAll(
    _ outputs: EncodeStages, then input: BoundedQueue<TimelineItem>
  ) throws -> TimelineItem? {
    guard try completeAll(outputs) else { return nil }
    return timed(&times.input) { input.receive() }
  }

  private func makePipeline(of format: FrameFormat) throws -> RenderPipeline {
    try effects.pipeline(
      of: format, device: gpu.device(), plan: plan, audioHistory: audioHistory,
      isStopped: { [wait = effects.compilerWait] in wait.isOver })
  }
}

extension FrameFormat {
  /// Whether frames of another format have another size, shape or colours.
  fileprivate func isShownUnlike(_ other: FrameFormat) -> Bool {
    var (one, two) = (color, other.color)
    (one.hdr, two.hdr) = (nil, nil)
    return (width, height) != (other.width, other.height) || orientation != other.orientation
      || sampleAspectRatio != other.sampleAspectRatio || pixelFormat != other.pixelFormat
      || one != two
  }
}
