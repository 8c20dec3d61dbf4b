public import Frames
public import GPU
public import ShaderCompiler
public import ShaderEffects

/// Runs upload, effects and readback on the GPU, for frames of one format.
///
/// Several frames are in flight, each in its own slot: the CPU fills one slot while the GPU works
/// on the other. Only one thread uses it.
public final class RenderPipeline {
  /// Maximum number of frames in flight.
  static let slotCount = 2

  /// Format of the frames that the pipeline accepts.
  public let source: FrameFormat
  /// What the pipeline does to a frame, one sentence for each step.
  public let steps: [String]

  private let device: Device
  /// The width of the output's pixels in parts of their height.
  private let pixelAspect: Double
  private let upload: Upload
  private let readback: Readback
  /// Puts the source's own picture beside the result; nil if it is not shown.
  private let compared: ComparisonPass?
  private let effects: [EffectInstance]
  /// Textures that each effect keeps between frames, whatever the other effects do.
  private let memories: [FeedbackTextures?]
  /// The passes of each variant; all needed variants are known from the start.
  private let chains: [Variant: PassChain]
  /// Variants whose kernels the driver has fully compiled; some drivers compile a kernel when it
  /// first runs.
  private var compiled: Set<Variant> = []
  private let compiling: DriverWork
  private let bindings: InputBindings
  /// One input for each binding.
  private let inputs: [BoundInput]
  /// Shows the clips that are placed, if the chain begins with them; nil if there is one clip.
  private let placedClips: BoundInput?
  private let commands: [CommandBuffer]
  private let audio: AudioTextures
  private let texts: [any DrawnTexture]
  private var inFlight: [InFlight] = []
  private var nextSlot = 0
  private var times = RenderTimes()
  /// Returns whether finished frames also have the frames that they were made of.
  public var keepsOriginals: @Sendable () -> Bool = { false }

  /// Identifies a chain of passes: which effects act, and whether it begins with a clip that is placed.
  private struct Variant: Hashable {
    var acting: [Bool]
    var readsPlacedClip: Bool
  }

  private struct InFlight {
    let slot: Int
    let pending: Readback.Pending
    let time: Rational
    let duration: Rational?
    let captured: MonotonicTime?
    let photo: PhotoData?
    let effectTime: Rational
    let original: OriginalFrame?
  }

  /// Creates everything that the stages need: kernels, textures and buffers for all slots.
  ///
  /// HDR colours are mapped to the standard dynamic range where they are read, if the output has that range.
  ///
  /// - Parameters:
  ///   - device: The GPU.
  ///   - compiler: Compiles the kernels.
  ///   - source: Format of the input frames.
  ///   - geometry: Position of a frame's image in the output.
  ///   - effects: The effects, in the order in which they act.
  ///   - sink: Format of the output frames.
  ///   - policy: How kernels are arranged; nil for the fastest policy on this device.
  ///   - audio: Audio that effects hear; nil for silence.
  ///   - bindings: What image inputs show, and how clips follow each other.
  ///   - comparison: How the output shows the source's own picture too; nil if it does not.
  ///   - dithers: Whether colours are rounded to the output's codes by a pattern, and not to the nearest code.
  ///   - sharesResults: Whether another device, such as an encoder, reads the output frames where the GPU has them.
  ///   - isStopped: Returns whether to end the wait for the driver's compiler; called from any thread.
  /// - Throws: Errors in the combination of effects, and missing GPU resources.
  public init(
    device: Device, compiler: ShaderCompiler, source: FrameFormat, geometry: FrameGeometry,
    effects: [EffectInstance], sink: FrameFormat, policy: FusionPolicy? = nil,
    audio: (any EffectAudio)? = nil, bindings: InputBindings = InputBindings(),
    comparison: Comparison? = nil, dithers: Bool = false,
    sharesResults: Bool = false,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let geometry = bindings.sharesCanvas ? geometry.wholeCanvas : geometry
    compiling = DriverWork(limit: device.frameLimit, isStopped: isStopped)
    let pixels = max(
      source.width * source.height, geometry.canvasWidth * geometry.canvasHeight)
    let policy = policy ?? .best(for: device.facts, pixels: pixels)
    let toneMaps = !sink.color.isHighDynamicRange
    // Some drivers cut halves off instead of rounding them: then two of a thousand codes of 10 bits change near white. A
    // pattern shows even errors of a 128th of a code.
    let precision: Texture.Format =
      sink.pixelFormat.layout.depth > 8 || dithers ? .float : .half
    let shown = source.loaded(toneMaps: toneMaps)
    var effects = effects
    for place in effects.indices { effects[place].take(shown.color) }
    let inputs = try bindings.bindings.map { binding in
      binding.isNextClip
        ? try BoundInput(
          device: device, compiler: compiler, format: binding.format, into: geometry,
          toneMaps: toneMaps, policy: policy)
        : try BoundInput(
          device: device, compiler: compiler, first: binding.format, scaler: geometry.scaler,
          toneMaps: toneMaps, policy: policy)
    }
    for (binding, input) in zip(bindings.bindings, inputs) {
      for use in binding.uses {
        _ = effects[use.effect].setImage(use.input, to: input.image)
      }
    }
    for place in bindings.transitionPlaces { effects[place].followTimeline() }
    let placedClips = try Self.placedClips(bindings, inputs, otherwise: source) { format in
      try BoundInput(
        device: device, compiler: compiler, format: format, into: geometry, toneMaps: toneMaps,
        policy: policy)
    }
    self.bindings = bindings
    self.inputs = inputs
    self.placedClips = placedClips
    self.audio = try AudioTextures(
      audio, effects: &effects, device: device, slotCount: RenderPipeline.slotCount)
    var texts: [any DrawnTexture] = []
    for place in effects.indices {
      texts += try effects[place].makeTexts(
        device: device, width: geometry.width, height: geometry.height,
        pixelAspect: geometry.sampleAspectRatio.doubleValue, slotCount: RenderPipeline.slotCount)
    }
    self.texts = texts
    self.source = source
    self.effects = effects
    self.device = device
    pixelAspect = geometry.sampleAspectRatio.doubleValue
    let resampling = Resample.passes(of: shown, geometry: geometry)
    // An effect that always acts on the uploaded frames reads earlier ones there.
    let readsUpload = policy.fuses && resampling.isEmpty && placedClips == nil
    let upload = try Upload(
      device: device, format: source, storage: policy.storage, packsWords: policy.packsWords,
      slotCount: RenderPipeline.slotCount,
      earlierFrames: readsUpload
        ? effects.first?.framesBefore(width: geometry.width, height: geometry.height) ?? 0 : 0,
      toneMaps: toneMaps)
    let readback = try Readback(
      device: device, format: sink, geometry: comparison?.geometry(of: geometry) ?? geometry,
      dithers: dithers, wantedByDevice: sharesResults)
    let compared = try comparison.map {
      try ComparisonPass(
        $0, device: device, compiler: compiler, source: shown, reader: upload.reader,
        geometry: geometry,
        writer: readback.writer, placedClips: placedClips?.texture, policy: policy)
    }
    self.compared = compared
    let memories = try effects.enumerated().map { place, effect in
      try FeedbackTextures(
        device: device, effect: effect, width: geometry.width, height: geometry.height,
        storage: policy.storage, precision: precision, keepsFaults: policy.keepsFaults,
        input: place == 0 && readsUpload ? upload.reader : nil)
    }
    self.memories = memories
    var chains: [Variant: PassChain] = [:]
    for variant in RenderPipeline.variants(of: effects, bindings) {
      let actors = effects.indices.filter { variant.acting[$0] }
      let texture = variant.readsPlacedClip ? placedClips?.texture : nil
      chains[variant] = try PassChain.make(
        device: device, compiler: compiler, reader: texture?.reader ?? upload.reader,
        sink: compared?.result.writer ?? readback.writer,
        resampling: texture == nil ? resampling : [],
        effects: actors.map { effects[$0] }, memories: actors.map { memories[$0] }, policy: policy,
        precision: precision)
    }
    self.chains = chains
    self.upload = upload
    self.readback = readback
    let fullest = chains.keys.max {
      ($0.acting.count(where: \.self), "\($0)") < ($1.acting.count(where: \.self), "\($1)")
    }
    steps = RenderPipeline.steps(
      source: source, upload: upload, passes: fullest.flatMap { chains[$0] }, readback: readback)
    commands = try (0..<RenderPipeline.slotCount).map { _ in try CommandBuffer(device: device) }
  }

  /// Returns the input for the clips that are placed: with two clips, of which only the second one is, that of the
  /// next clip.
  private static func placedClips(
    _ bindings: InputBindings, _ inputs: [BoundInput], otherwise format: FrameFormat,
    make: (FrameFormat) throws -> BoundInput
  ) throws -> BoundInput? {
    let next = bindings.nextClip.map { inputs[$0] }
    switch bindings.transitions.count {
    case 0: return nil
    case _ where bindings.sharesCanvas: return try make(format)
    case 1: return try next ?? make(format)
    default: return try make(next?.format ?? format)
    }
  }

  /// Returns the needed variants: the effects that act in each interval between two changes.
  private static func variants(
    of effects: [EffectInstance], _ bindings: InputBindings
  ) -> Set<Variant> {
    let times = effects.flatMap(\.changes)
    // A time before the first change; no other time is earlier.
    let early = (times.min() ?? .zero) - .one
    return Set(
      ([early] + times).flatMap { time in
        bindings.stretches.map { variant(of: effects, at: time, in: $0, bindings) }
      })
  }

  private static func variant(
    of effects: [EffectInstance], at time: Rational, in stretch: FrameSet.Stretch,
    _ bindings: InputBindings
  ) -> Variant {
    Variant(
      acting: bindings.acting(effects.map { $0.isActive(at: time) }, in: stretch),
      readsPlacedClip: bindings.places(stretch))
  }

  /// Waits for the GPU: a pipeline abandoned after an encoder failure still has frames in flight
  /// that use it.
  deinit {
    for list in commands { try? list.drain() }
  }

  /// Whether a frame so far had transparent pixels, which are over black because the sink has no
  /// alpha.
  public var hasFlattened: Bool { readback.hasFlattened }

  /// Returns the times since the previous call.
  public func takeTimes() -> RenderTimes {
    defer { times = RenderTimes() }
    return times
  }

  /// Returns whether the chain can begin with a set's frame: frames that are not placed must have the format that the
  /// pipeline was created for.
  public func takes(_ set: FrameSet) -> Bool {
    bindings.places(set.stretch) || set.primary.format == source
  }

  /// Prepares for other frame formats of image inputs and of clips after the first one.
  ///
  /// Effects keep their state. Does nothing if the formats are those of the previous set. `receive` gets each frame that
  /// must be finished first, in order; as soon as it returns false, so does this.
  ///
  /// - Throws: The same errors as `render`.
  public func prepare(for set: FrameSet, receive: (Frame) throws -> Bool) throws -> Bool {
    let changes = changes(for: set)
    guard !changes.isEmpty else { return true }
    guard try finish(receive: receive) else { return false }
    try compiling.run(effects: effects.map(\.name), device: device) {
      for (input, format) in changes { try input.take(format) }
    }
    return true
  }

  private func changes(for set: FrameSet) -> [(BoundInput, FrameFormat)] {
    var changes: [(BoundInput, FrameFormat)] = []
    for (input, frame) in zip(inputs, set.inputs) {
      if let frame, frame.format != input.format { changes.append((input, frame.format)) }
    }
    if let placedClips, bindings.places(set.stretch), placedClips.format != set.primary.format {
      changes.append((placedClips, set.primary.format))
    }
    return changes
  }

  /// Sends a frame, which the pipeline takes, to the GPU; if all slots are in use, it finishes the oldest frame first.
  ///
  /// `receive` gets each finished frame, in order. As soon as it returns false, so does this, and the frame was not sent.
  ///
  /// - Throws: `StoppedWork`, `UnfinishedCompilation` or `UnfinishedFrame` if the driver or the GPU
  ///   takes too long, and errors of `receive`; after the first three, the pipeline cannot be used.
  public func render(
    _ set: FrameSet, clock: EffectClock, receive: (Frame) throws -> Bool
  ) throws -> Bool {
    guard try prepare(for: set, receive: receive) else { return false }
    if inFlight.count == RenderPipeline.slotCount, try finishOldest(receive) == false {
      return false
    }
    let begin = MonotonicTime.now
    try submit(set, clock: clock)
    times.submitting += MonotonicTime.now.seconds(since: begin)
    return true
  }

  /// Waits for all frames in flight; as soon as `receive` returns false, so does this.
  ///
  /// - Throws: The same errors as `render`.
  public func finish(receive: (Frame) throws -> Bool) throws -> Bool {
    while let isWanted = try finishOldest(receive) {
      guard isWanted else { return false }
    }
    return true
  }

  /// Renders a list of frames, and waits for all of them.
  ///
  /// - Throws: The same errors as `render`.
  public func render(_ frames: [(frame: Frame, clock: EffectClock)]) throws -> [Frame] {
    var results: [Frame] = []
    func keep(_ frame: Frame) -> Bool {
      results.append(frame)
      return true
    }
    for (frame, clock) in frames { _ = try render(FrameSet(frame), clock: clock, receive: keep) }
    _ = try finish(receive: keep)
    return results
  }

  /// Finishes the oldest frame in flight and returns the answer of `receive`; nil if there is none.
  private func finishOldest(_ receive: (Frame) throws -> Bool) throws -> Bool? {
    let begin = MonotonicTime.now
    guard let done = try complete() else { return nil }
    times.awaited += MonotonicTime.now.seconds(since: begin)
    return try receive(done)
  }

  private func submit(_ set: FrameSet, clock: EffectClock) throws {
    precondition(takes(set))
    let slot = nextSlot
    nextSlot = (nextSlot + 1) % RenderPipeline.slotCount
    let list = commands[slot]
    fill(slot: slot, from: set)
    try audio.fill(slot: slot, time: set.time)
    var clock = clock
    clock.progress = set.progress
    clock.pixelAspect = pixelAspect
    for text in texts { text.fill(slot: slot, clock) }
    let variant = RenderPipeline.variant(
      of: effects, at: clock.time, in: set.stretch, bindings)
    guard let chain = chains[variant] else {
      preconditionFailure("an effect acts at a time that its changes do not tell")
    }
    let pending = try readback.lease()
    if compiled.insert(variant).inserted {
      try compile(chain, for: set, variant, slot: slot, result: pending.resource)
    }
    try list.begin()
    readback.begin(pending, in: list)
    recordUpload(of: set, slot: slot, into: list)
    for (memory, acts) in zip(memories, variant.acting) where !acts { memory?.reset() }
    chain.record(
      slot: slot, clock: clock, result: compared == nil ? pending.resource : nil, into: list)
    compared?.record(
      slot: slot, ofPlacedClip: variant.readsPlacedClip, output: pending.resource, into: list)
    readback.end(pending, in: list)
    try list.submit()
    inFlight.append(
      InFlight(
        slot: slot, pending: pending, time: set.time, duration: set.primary.duration,
        captured: set.primary.captured, photo: set.primary.photo, effectTime: clock.time,
        original: keepsOriginals() ? OriginalFrame(set.primary) : nil))
  }

  /// Copies the frames of a set to where the GPU reads them.
  private func fill(slot: Int, from set: FrameSet) {
    if bindings.places(set.stretch) {
      placedClips?.fill(slot: slot, from: set.primary.pixels)
    } else {
      upload.fill(slot: slot, from: set.primary.pixels)
    }
    for (input, frame) in zip(inputs, set.inputs) {
      if let frame { input.fill(slot: slot, from: frame.pixels) }
    }
  }

  private func recordUpload(of set: FrameSet, slot: Int, into list: CommandBuffer) {
    if bindings.places(set.stretch) {
      placedClips?.record(slot: slot, into: list)
    } else {
      upload.record(slot: slot, into: list)
    }
    for (input, frame) in zip(inputs, set.inputs) where frame != nil {
      input.record(slot: slot, into: list)
    }
  }

  /// Makes the driver compile the kernels that it would compile only when they first run, as Mesa's
  /// software driver does.
  ///
  /// So the time of a frame does not include compiling.
  private func compile(
    _ chain: PassChain, for set: FrameSet, _ variant: Variant, slot: Int,
    result: DescriptorSet.Resource
  ) throws {
    let list = commands[slot]
    let names = zip(effects, variant.acting).filter(\.1).map(\.0.name)
    // The work keeps the pipeline alive; the pipeline cannot be used if the work is abandoned.
    try compiling.run(effects: names, device: nil) { [self] in
      try list.begin()
      recordUpload(of: set, slot: slot, into: list)
      chain.compile(slot: slot, result: compared == nil ? result : nil, into: list)
      compared?.compile(
        slot: slot, ofPlacedClip: variant.readsPlacedClip, output: result, into: list)
      try list.submit()
      try withExtendedLifetime(self) { try list.waitForCompiler() }
    }
  }

  /// Waits for the oldest frame in flight; nil if there is none.
  private func complete() throws -> Frame? {
    guard let oldest = inFlight.first else { return nil }
    inFlight.removeFirst()
    do {
      try commands[oldest.slot].wait()
      times.add(commands[oldest.slot].span)
    } catch {
      guard error.leavesGPUBusy else { throw error }
      // Never released: destroying objects that a hung GPU uses would crash the driver, and the
      // file could then not be finished.
      _ = Unmanaged.passRetained(self)
      DriverWork.noteAbandoned()
      throw UnfinishedFrame(
        time: oldest.effectTime, limit: device.frameLimit,
        effects: effects.filter { $0.isActive(at: oldest.effectTime) }.map(\.name))
    }
    var frame = Frame(
      format: readback.format, pixels: try readback.pixels(of: oldest.pending),
      time: oldest.time, duration: oldest.duration)
    (frame.captured, frame.photo) = (oldest.captured, oldest.photo)
    frame.original = oldest.original
    return frame
  }
}
