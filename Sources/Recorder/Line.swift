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

  private let upload: Upload
  private let resample: Resample?
  private let effects: EffectChain
  private let readback: Readback
  private let commands: [Commands]
  private var inFlight: [InFlight] = []
  /// When the GPU worked on the frame completed last; nil where it has no clock.
  private(set) var span: GPUSpan?
  private var nextSlot = 0

  private struct InFlight {
    let slot: Int
    let pending: Readback.Pending
    let time: Rational
    let duration: Rational?
    let captured: MonotonicTime?
  }

  /// Makes everything the stages need: kernels, images and buffers for all slots.
  init(
    device: Device, compiler: ShaderCompiler, source: FrameFormat, geometry: PictureGeometry,
    effects: [CompiledEffect], sink: FrameFormat
  ) throws {
    self.source = source
    upload = try Upload(
      device: device, compiler: compiler, format: source, slotCount: Line.slotCount)
    resample = try Resample(
      device: device, compiler: compiler, sourceWidth: upload.width, sourceHeight: upload.height,
      geometry: geometry, slotCount: Line.slotCount)
    self.effects = try EffectChain(
      device: device, effects: effects, width: geometry.width, height: geometry.height,
      slotCount: Line.slotCount)
    readback = try Readback(
      device: device, compiler: compiler, format: sink, geometry: geometry,
      slotCount: Line.slotCount)
    steps = Line.steps(
      source: source, geometry: geometry, effects: effects, sink: sink, resamples: resample != nil)
    commands = try (0..<Line.slotCount).map { _ in try Commands(device: device) }
  }

  /// A line given up halfway, because the encoder failed, has frames in flight that use all of it.
  deinit {
    for list in commands { try? list.wait() }
  }

  /// All slots are taken; `complete` frees one.
  var isFull: Bool { inFlight.count == Line.slotCount }

  /// Sends a frame on its way; a slot must be free.
  func submit(_ frame: Frame, clock: EffectClock) throws {
    precondition(!isFull && frame.format == source)
    let slot = nextSlot
    nextSlot = (nextSlot + 1) % Line.slotCount
    let list = commands[slot]
    upload.fill(slot: slot, from: frame.pixels)
    try list.begin()
    var picture = upload.record(slot: slot, into: list)
    if let resample { picture = resample.record(slot: slot, picture: picture, into: list) }
    picture = effects.record(slot: slot, picture: picture, clock: clock, into: list)
    let pending = try readback.record(slot: slot, picture: picture, into: list)
    try list.submit()
    inFlight.append(
      InFlight(
        slot: slot, pending: pending, time: frame.time, duration: frame.duration,
        captured: frame.captured))
  }

  /// Waits for the oldest frame in flight; nil when there is none.
  func complete() throws -> Frame? {
    guard let oldest = inFlight.first else { return nil }
    inFlight.removeFirst()
    do {
      try commands[oldest.slot].wait()
      span = commands[oldest.slot].span
    } catch {
      // Kept for good: destroying what a hung GPU works on would bring down the driver, and with it
      // the file that can still be finished.
      if error.leavesGPUBusy { _ = Unmanaged.passRetained(self) }
      throw error
    }
    var frame = Frame(
      format: readback.format, pixels: try readback.pixels(of: oldest.pending),
      time: oldest.time, duration: oldest.duration)
    frame.captured = oldest.captured
    return frame
  }
}
