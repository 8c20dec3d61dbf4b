import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// The GPU's three stages, upload, effects and readback, for frames of one format.
///
/// Several frames are in flight, each in a slot of its own; used by one thread.
final class Line {
  /// Frames in flight: one is filled by the CPU while the GPU works on the other.
  static let slotCount = 2

  /// The frames it takes.
  let source: FrameFormat
  /// What it does to them, a sentence for each step.
  let steps: [String]

  private let device: Device
  private let upload: Upload
  private let readback: Readback
  private let effects: [CompiledEffect]
  /// What each effect keeps from frame to frame, whatever the others do.
  private let memories: [EffectMemory?]
  /// Those that will be needed are known from the start.
  private let chains: [Case: KernelChain]
  /// Those that the driver has compiled to the end: some do that when they first run.
  private var compiled: Set<Case> = []
  private let compiling: DriverWork
  private let join: LineJoin?
  private let second: SecondPicture?
  private let commands: [Commands]
  private let sound: LineSound
  private var inFlight: [InFlight] = []
  /// When the GPU worked on the frame completed last; nil where it has no clock.
  private(set) var span: GPUSpan?
  private var nextSlot = 0

  /// What a chain of kernels is made for: the effects that act, and which source they begin with.
  private struct Case: Hashable {
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

  /// Makes everything the stages need: kernels, pictures and buffers for all slots.
  ///
  /// `sound` is what effects hear, nil for silence, `join` where a second source enters; `isStopped` ends
  /// the wait for the driver's compiler.
  init(
    device: Device, compiler: ShaderCompiler, source: FrameFormat, geometry: PictureGeometry,
    effects: [CompiledEffect], sink: FrameFormat, rules: LineRules? = nil,
    sound: SoundFeed? = nil, join: LineJoin? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    compiling = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    let rules = rules ?? .best(for: device.kind)
    var effects = effects
    let second = try join.map { join in
      try SecondPicture(
        device: device, compiler: compiler, format: join.format, geometry: geometry, rules: rules)
    }
    if let join, let second {
      _ = effects[join.transition].setImage(
        LineJoin.imageName, to: EffectImage(rewritten: second.picture))
      effects[join.transition].setProgress(from: join.start, to: join.end)
    }
    self.join = join
    self.second = second
    self.sound = try LineSound(
      sound, effects: &effects, device: device, slotCount: Line.slotCount)
    self.source = source
    self.effects = effects
    self.device = device
    let upload = try Upload(
      device: device, format: source, storage: rules.storage, packsWords: rules.packsWords,
      slotCount: Line.slotCount)
    let readback = try Readback(device: device, format: sink, geometry: geometry)
    let memories = try effects.map { effect in
      try EffectMemory(
        device: device, effect: effect, width: geometry.width, height: geometry.height,
        storage: rules.storage)
    }
    self.memories = memories
    let resampling = Resample.passes(
      sourceWidth: upload.reader.width, sourceHeight: upload.reader.height, geometry: geometry)
    var chains: [Case: KernelChain] = [:]
    for need in Line.cases(of: effects, join: join) {
      let actors = effects.indices.filter { need.acting[$0] }
      let picture = need.readsSecond ? second?.picture : nil
      chains[need] = try KernelChain.make(
        device: device, compiler: compiler, reader: picture?.shape.reader ?? upload.reader,
        input: picture.map { picture in upload.resources.map { _ in [picture.resource] } }
          ?? upload.resources,
        readback: readback, resampling: picture == nil ? resampling : [],
        effects: actors.map { effects[$0] }, memories: actors.map { memories[$0] }, rules: rules)
    }
    self.chains = chains
    self.upload = upload
    self.readback = readback
    let fullest = chains.keys.max {
      ($0.acting.count(where: \.self), "\($0)") < ($1.acting.count(where: \.self), "\($1)")
    }
    steps = Line.steps(
      source: source, sink: sink, upload: upload, kernels: fullest.flatMap { chains[$0] })
    commands = try (0..<Line.slotCount).map { _ in try Commands(device: device) }
  }

  /// Which effects act, for every stretch of time between changes.
  private static func cases(of effects: [CompiledEffect], join: LineJoin?) -> Set<Case> {
    let times = effects.flatMap(\.changes)
    // Before the first change; no time is earlier than this one.
    let early = (times.min() ?? .zero) - .one
    let shown = join == nil ? [.first] : JoinedFrame.Shown.allCases
    return Set(
      ([early] + times).flatMap { time in
        shown.map { need(of: effects, at: time, showing: $0, join: join) }
      })
  }

  private static func need(
    of effects: [CompiledEffect], at time: Rational, showing shown: JoinedFrame.Shown,
    join: LineJoin?
  ) -> Case {
    let acting = effects.map { $0.isActive(at: time) }
    guard let join else { return Case(acting: acting) }
    return Case(acting: join.acting(acting, on: shown), readsSecond: shown == .second)
  }

  /// A line given up halfway, because the encoder failed, has frames in flight that use all of it.
  deinit {
    for list in commands { try? list.drain() }
  }

  /// Something was transparent in a frame so far, and lies over black for want of alpha.
  var hasFlattened: Bool { readback.hasFlattened }

  /// All slots are taken; `complete` frees one.
  var isFull: Bool { inFlight.count == Line.slotCount }

  /// Sends a frame on its way; a slot must be free.
  ///
  /// - Throws: `StoppedWork` or `UnfinishedCompilation` too, where the driver takes its time; the line is
  ///   then of no more use.
  func submit(_ frame: Frame, clock: EffectClock) throws {
    try submit(JoinedFrame(frame), clock: clock)
  }

  /// The frames of the second source are those of the join.
  func takes(_ frame: JoinedFrame) -> Bool {
    (frame.first.map { $0.format == source } ?? true)
      && (frame.second.map { $0.format == second?.format } ?? true)
  }

  /// Sends a moment of one or two sources on its way; a slot must be free.
  func submit(_ frame: JoinedFrame, clock: EffectClock) throws {
    precondition(!isFull && takes(frame))
    let slot = nextSlot
    nextSlot = (nextSlot + 1) % Line.slotCount
    let list = commands[slot]
    if let first = frame.first { upload.fill(slot: slot, from: first.pixels) }
    if let shown = frame.second { second?.fill(slot: slot, from: shown.pixels) }
    try sound.fill(slot: slot, time: frame.time)
    let need = Line.need(of: effects, at: clock.time, showing: frame.shown, join: join)
    guard let chain = chains[need] else {
      preconditionFailure("an effect acts at a time that its changes do not tell")
    }
    let pending = try readback.lease()
    if compiled.insert(need).inserted {
      try compile(chain, for: frame, need, slot: slot, result: pending.resource)
    }
    try list.begin()
    recordUpload(of: frame, slot: slot, into: list)
    for (memory, acts) in zip(memories, need.acting) where !acts { memory?.reset() }
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

  /// Has the driver compile what some of them leave until it runs, Mesa's software driver for one: so
  /// the time of a frame is its own.
  private func compile(
    _ chain: KernelChain, for frame: JoinedFrame, _ need: Case, slot: Int,
    result: BindingSet.Resource
  ) throws {
    let list = commands[slot]
    let names = zip(effects, need.acting).filter(\.1).map(\.0.name)
    // The work keeps the line, which is of no more use where it is given up.
    try compiling.run(effects: names, device: nil) { [self] in
      try list.begin()
      recordUpload(of: frame, slot: slot, into: list)
      chain.compile(slot: slot, result: result, into: list)
      try list.submit()
      try withExtendedLifetime(self) { try list.waitForCompiler() }
    }
  }

  /// Waits for the oldest frame in flight; nil when there is none.
  ///
  /// - Throws: `UnfinishedFrame` where the GPU does not finish it in time; the line is then of no more
  ///   use.
  func complete() throws -> Frame? {
    guard let oldest = inFlight.first else { return nil }
    inFlight.removeFirst()
    do {
      try commands[oldest.slot].wait()
      span = commands[oldest.slot].span
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
