package import Frames
package import GPU
package import ShaderCompiler
package import ShaderEffects

/// Upload, effects and readback on the GPU, for frames of one format.
///
/// Several frames are in flight, each in a slot of its own: the CPU fills one while the GPU works on
/// the other. Used by one thread.
package final class RenderPipeline {
  /// The most frames that are in flight at once.
  static let slotCount = 2

  /// The format of the frames that it takes.
  package let source: FrameFormat
  /// What it does to a frame, one sentence for each step.
  package let steps: [String]

  private let device: Device
  private let upload: Upload
  private let readback: Readback
  private let effects: [CompiledEffect]
  /// What each effect keeps from frame to frame, whatever the other effects do.
  private let memories: [EffectMemory?]
  /// The passes of each variant; those that will be needed are known from the start.
  private let chains: [Variant: PassChain]
  /// The variants whose kernels the driver has compiled to the end: some drivers do that when a
  /// kernel first runs.
  private var compiled: Set<Variant> = []
  private let compiling: DriverWork
  private let join: LineJoin?
  private let second: BoundInput?
  private let commands: [Commands]
  private let audio: AudioTextures
  private var inFlight: [InFlight] = []
  private var nextSlot = 0
  private var times = RenderTimes()

  /// What a chain of passes is made for: the effects that act, and the source that they begin with.
  private struct Variant: Hashable {
    var acting: [Bool]
    var readsSecond = false
  }

  private struct InFlight {
    let slot: Int
    let pending: Readback.Pending
    let time: Rational
    let duration: Rational?
    let captured: MonotonicTime?
    let effectTime: Rational
  }

  /// Makes everything the stages need: kernels, textures and buffers for all slots.
  ///
  /// - Parameters:
  ///   - device: The GPU.
  ///   - compiler: Compiles the kernels.
  ///   - source: The format of the frames that come.
  ///   - geometry: Where a frame's picture lies in the output.
  ///   - effects: What acts, in order.
  ///   - sink: The format of the frames that are made.
  ///   - policy: How kernels are laid out; nil for the fastest on this device.
  ///   - audio: What effects hear; nil for silence.
  ///   - join: Where a second source enters, if one does.
  ///   - isStopped: Ends the wait for the driver's compiler; asked from any thread.
  /// - Throws: What is wrong with the effects together, and what the GPU has no room for.
  package init(
    device: Device, compiler: ShaderCompiler, source: FrameFormat, geometry: PictureGeometry,
    effects: [CompiledEffect], sink: FrameFormat, policy: FusionPolicy? = nil,
    audio: (any EffectAudio)? = nil, join: LineJoin? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    compiling = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    let policy = policy ?? .best(for: device.kind)
    var effects = effects
    let second = try join.map { join in
      try BoundInput(
        device: device, compiler: compiler, format: join.format, geometry: geometry, policy: policy)
    }
    if let join, let second {
      _ = effects[join.transition].setImage(
        LineJoin.imageName, to: EffectImage(rewritten: second.picture))
      effects[join.transition].setProgress(from: join.start, to: join.end)
    }
    self.join = join
    self.second = second
    self.audio = try AudioTextures(
      audio, effects: &effects, device: device, slotCount: RenderPipeline.slotCount)
    self.source = source
    self.effects = effects
    self.device = device
    let upload = try Upload(
      device: device, format: source, storage: policy.storage, packsWords: policy.packsWords,
      slotCount: RenderPipeline.slotCount)
    let readback = try Readback(device: device, format: sink, geometry: geometry)
    let memories = try effects.map { effect in
      try EffectMemory(
        device: device, effect: effect, width: geometry.width, height: geometry.height,
        storage: policy.storage)
    }
    self.memories = memories
    let resampling = Resample.passes(
      sourceWidth: upload.reader.width, sourceHeight: upload.reader.height, geometry: geometry)
    var chains: [Variant: PassChain] = [:]
    for variant in RenderPipeline.variants(of: effects, join: join) {
      let actors = effects.indices.filter { variant.acting[$0] }
      let picture = variant.readsSecond ? second?.picture : nil
      chains[variant] = try PassChain.make(
        device: device, compiler: compiler, reader: picture?.shape.reader ?? upload.reader,
        input: picture.map { picture in upload.resources.map { _ in [picture.resource] } }
          ?? upload.resources,
        readback: readback, resampling: picture == nil ? resampling : [],
        effects: actors.map { effects[$0] }, memories: actors.map { memories[$0] }, policy: policy)
    }
    self.chains = chains
    self.upload = upload
    self.readback = readback
    let fullest = chains.keys.max {
      ($0.acting.count(where: \.self), "\($0)") < ($1.acting.count(where: \.self), "\($1)")
    }
    steps = RenderPipeline.steps(
      source: source, sink: sink, upload: upload, passes: fullest.flatMap { chains[$0] })
    commands = try (0..<RenderPipeline.slotCount).map { _ in try Commands(device: device) }
  }

  /// The variants that are needed: the effects that act in every stretch of time between changes.
  private static func variants(of effects: [CompiledEffect], join: LineJoin?) -> Set<Variant> {
    let times = effects.flatMap(\.changes)
    // Before the first change; no time is earlier than this one.
    let early = (times.min() ?? .zero) - .one
    let shown = join == nil ? [.first] : JoinedFrame.Shown.allCases
    return Set(
      ([early] + times).flatMap { time in
        shown.map { variant(of: effects, at: time, showing: $0, join: join) }
      })
  }

  private static func variant(
    of effects: [CompiledEffect], at time: Rational, showing shown: JoinedFrame.Shown,
    join: LineJoin?
  ) -> Variant {
    let acting = effects.map { $0.isActive(at: time) }
    guard let join else { return Variant(acting: acting) }
    return Variant(acting: join.acting(acting, on: shown), readsSecond: shown == .second)
  }

  /// A pipeline given up halfway, because the encoder failed, has frames in flight that use all of it.
  deinit {
    for list in commands { try? list.drain() }
  }

  /// Whether something was transparent in a frame so far that lies over black for want of alpha.
  package var hasFlattened: Bool { readback.hasFlattened }

  /// The times since this was called last.
  package func takeTimes() -> RenderTimes {
    defer { times = RenderTimes() }
    return times
  }

  /// Whether frames of these formats can be rendered.
  package func takes(_ frame: JoinedFrame) -> Bool {
    (frame.first.map { $0.format == source } ?? true)
      && (frame.second.map { $0.format == second?.format } ?? true)
  }

  /// Sends a frame to the GPU; where every slot is taken the oldest frame is finished first.
  ///
  /// - Parameters:
  ///   - frame: Of formats that the pipeline takes.
  ///   - clock: The time that effects see.
  ///   - receive: Given each frame that is finished, in order; false for no more.
  /// - Returns: False as soon as `receive` did; the frame was not sent then.
  /// - Throws: `StoppedWork`, `UnfinishedCompilation` or `UnfinishedFrame` where driver or GPU take too
  ///   long, and what `receive` throws; after those three the pipeline is of no more use.
  package func render(
    _ frame: JoinedFrame, clock: EffectClock, receive: (Frame) throws -> Bool
  ) throws -> Bool {
    if inFlight.count == RenderPipeline.slotCount, try finishOldest(receive) == false {
      return false
    }
    let begin = MonotonicTime.now
    try submit(frame, clock: clock)
    times.submitting += MonotonicTime.now.seconds(since: begin)
    return true
  }

  /// Waits for every frame in flight.
  ///
  /// - Parameter receive: Given each of them, in order; false for no more.
  /// - Returns: False as soon as `receive` did.
  /// - Throws: As `render`.
  package func finish(receive: (Frame) throws -> Bool) throws -> Bool {
    while let isWanted = try finishOldest(receive) {
      guard isWanted else { return false }
    }
    return true
  }

  /// Renders frames that are all there, and waits for them.
  ///
  /// - Throws: As `render`.
  package func render(_ frames: [(frame: Frame, clock: EffectClock)]) throws -> [Frame] {
    var results: [Frame] = []
    func keep(_ frame: Frame) -> Bool {
      results.append(frame)
      return true
    }
    for (frame, clock) in frames { _ = try render(JoinedFrame(frame), clock: clock, receive: keep) }
    _ = try finish(receive: keep)
    return results
  }

  /// What `receive` answers to the oldest frame in flight; nil when there is none.
  private func finishOldest(_ receive: (Frame) throws -> Bool) throws -> Bool? {
    let begin = MonotonicTime.now
    guard let done = try complete() else { return nil }
    times.awaited += MonotonicTime.now.seconds(since: begin)
    return try receive(done)
  }

  private func submit(_ frame: JoinedFrame, clock: EffectClock) throws {
    precondition(takes(frame))
    let slot = nextSlot
    nextSlot = (nextSlot + 1) % RenderPipeline.slotCount
    let list = commands[slot]
    if let first = frame.first { upload.fill(slot: slot, from: first.pixels) }
    if let shown = frame.second { second?.fill(slot: slot, from: shown.pixels) }
    try audio.fill(slot: slot, time: frame.time)
    let variant = RenderPipeline.variant(
      of: effects, at: clock.time, showing: frame.shown, join: join)
    guard let chain = chains[variant] else {
      preconditionFailure("an effect acts at a time that its changes do not tell")
    }
    let pending = try readback.lease()
    if compiled.insert(variant).inserted {
      try compile(chain, for: frame, variant, slot: slot, result: pending.resource)
    }
    try list.begin()
    recordUpload(of: frame, slot: slot, into: list)
    for (memory, acts) in zip(memories, variant.acting) where !acts { memory?.reset() }
    chain.record(slot: slot, clock: clock, result: pending.resource, into: list)
    try list.submit()
    inFlight.append(
      InFlight(
        slot: slot, pending: pending, time: frame.time, duration: frame.duration,
        captured: frame.captured, effectTime: clock.time))
  }

  private func recordUpload(of frame: JoinedFrame, slot: Int, into list: Commands) {
    if frame.first != nil { upload.record(slot: slot, into: list) }
    if frame.second != nil { second?.record(slot: slot, into: list) }
  }

  /// Has the driver compile the kernels that it leaves until they run, as Mesa's software driver does:
  /// so the time of a frame is its own.
  private func compile(
    _ chain: PassChain, for frame: JoinedFrame, _ variant: Variant, slot: Int,
    result: BindingSet.Resource
  ) throws {
    let list = commands[slot]
    let names = zip(effects, variant.acting).filter(\.1).map(\.0.name)
    // The work keeps the pipeline, which is of no more use where it is given up.
    try compiling.run(effects: names, device: nil) { [self] in
      try list.begin()
      recordUpload(of: frame, slot: slot, into: list)
      chain.compile(slot: slot, result: result, into: list)
      try list.submit()
      try withExtendedLifetime(self) { try list.waitForCompiler() }
    }
  }

  /// Waits for the oldest frame in flight; nil when there is none.
  private func complete() throws -> Frame? {
    guard let oldest = inFlight.first else { return nil }
    inFlight.removeFirst()
    do {
      try commands[oldest.slot].wait()
      times.add(commands[oldest.slot].span)
    } catch {
      guard error.leavesGPUBusy else { throw error }
      // Kept for good: destroying what a hung GPU works on would bring down the driver, and with it
      // the file that can still be finished.
      _ = Unmanaged.passRetained(self)
      DriverWork.leaveFrame()
      throw UnfinishedFrame(
        time: oldest.effectTime, limit: device.frameLimit,
        effects: effects.filter { $0.isActive(at: oldest.effectTime) }.map(\.name))
    }
    var frame = Frame(
      format: readback.format, pixels: try readback.pixels(of: oldest.pending),
      time: oldest.time, duration: oldest.duration)
    frame.captured = oldest.captured
    return frame
  }
}
