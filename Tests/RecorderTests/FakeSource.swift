import Capture
import Encode
import Frames
import Render
@testable import Recorder

/// A source of 16x16 frames at 30 per second, which bypass the GPU.
final class FakeSource: FrameSetSource {
  private let count: Int
  private var number = 0
  private let interruption = Interruption()
  /// Called with the index of each frame before it is delivered.
  private let onRead: @Sendable (Int) -> Void
  private var kept: [Frame] = []

  let description: SourceDescription
  var formats: [FrameFormat] { [format] }
  private let format = FrameFormat(
    width: 16, height: 16, pixelFormat: .yuv420p,
    color: ColorDescription(
      tags: ColorTags(), pixelFormat: .yuv420p, width: 16, height: 16))
  let audioForEffects: AudioForEffects? = nil
  let firstTime = Rational.zero
  var descriptions: [SourceDescription] { [description] }
  let reports: [(description: SourceDescription, report: SourceReport)] = []
  let report = SourceReport()

  init(
    frames count: Int, isLive: Bool = false, onRead: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.count = count
    self.onRead = onRead
    var description = SourceDescription(
      name: "frames", frameRate: Rational(30), timeBase: Rational(1, 30))
    description.isLive = isLive
    self.description = description
  }

  var interruptions: [Interruption] { [interruption] }
  func finish() {}

  func next() -> TimelineItem? {
    guard number < count, !interruption.isInterrupted else { return nil }
    onRead(number)
    let layout = BufferLayout(pixelFormat: .yuv420p, width: 16, height: 16)
    let memory = HeapMemory(byteCount: layout.byteCount)
    let pixels = PixelBuffer(
      planes: layout.planes.map {
        PixelBuffer.Plane(
          baseAddress: memory.baseAddress + $0.offset, stride: $0.stride, byteCount: $0.byteCount)
      }, release: { withExtendedLifetime(memory) {} })
    let frame = Frame(
      format: format, pixels: pixels, time: Rational(Int64(number), 30),
      duration: Rational(1, 30))
    number += 1
    // Kept so that no two frames have the same identity.
    kept.append(frame)
    return .frame(FrameSet(frame))
  }
}

/// Runs the pipeline from a source to outputs.
func run(
  _ source: sending FakeSource, to outputs: [OpenOutput], constantRate: Rational? = nil,
  events: @escaping @Sendable (RecordingEvent) -> Void = { _ in }
) throws -> RecordingResult {
  var recording = Recording(source: SourceRequest(input: "frames"), outputs: ["null"])
  if let constantRate { recording.pace = .constant(constantRate) }
  let plan = try RecordingPlan(
    recording,
    RecordingFacts(
      outputs: try OutputSet(["null"]), source: source.description, clips: source.formats))
  let stage = try RenderStage(
    gpu: PreparedGPU(recording), effects: PreparedEffects(recording), plan: plan)
  return try RecordingRun(
    Timeline(source), stage: Handover(stage), outputs: outputs, plan: plan,
    control: RecordingControl(),
    events: events
  ).finish(start: .now, calls: [])
}
