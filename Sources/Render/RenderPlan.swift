import Frames
import GPU
import ShaderEffects

/// The kernels that a frame passes through, from the source's planes to the sink's planes.
///
/// Created once for a source format, a chain of effects and a sink format. Images, files and
/// cameras all use it.
struct RenderPlan {
  /// What a kernel does to the colours that it reads.
  enum Work {
    /// Only changes the form of the colours.
    case conversion
    case resample(Resample)
    /// Runs the effects at these indexes in the chain.
    case effects(Range<Int>)
  }

  struct Step {
    let work: Work
    /// Whether the kernel writes the sink's planes; otherwise it writes a texture that the next
    /// kernel reads.
    var writesSink: Bool
  }

  private(set) var steps: [Step] = []

  /// Maximum reads per pixel of a slow source; with more reads, the source is first copied to a
  /// texture.
  private static let expensiveReads = 4
  /// Maximum size of effects, in words, in the kernel that writes the sink's planes.
  ///
  /// That kernel contains their code about twenty times.
  private static let sinkSize = 600
  /// Maximum reads per pixel of a last pass that writes the sink's planes.
  ///
  /// That kernel computes up to an eighth of the pixels twice. Without it, a pass that reads sixty pixels would
  /// take as much longer as the texture costs that is saved.
  private static let sinkReads = 60

  /// Plans the kernels from `reader` through the passes of `resampling` and the acting effects, in
  /// order.
  ///
  /// `resampling` scales the image to its size on the canvas. `fits` returns whether the device can
  /// bind one kernel to everything that several effects read.
  init(
    reader: PixelLoad, resampling: [Resample], effects: [EffectTraits], policy: FusionPolicy,
    fits: (Range<Int>) -> Bool = { _ in true }
  ) {
    var isExpensive = reader.isExpensive || reader.isToneMapped
    let affordable = reader.isToneMapped ? 1 : RenderPlan.expensiveReads
    func add(_ work: Work, reads: Int, writesSink: Bool = false) {
      if isExpensive && reads > affordable { makeTexture() }
      steps.append(Step(work: work, writesSink: writesSink))
      isExpensive = false
    }
    func makeTexture() { steps.append(Step(work: .conversion, writesSink: false)) }

    if !policy.fuses { makeTexture() }
    for pass in resampling { add(.resample(pass), reads: pass.taps) }
    var next = 0
    while next < effects.count {
      let first = effects[next]
      // The code that shares its kernel with what follows; none of some effects that run alone.
      let shared =
        first.isAlone ? first.lastPass : LastPass(reads: first.reads, size: first.size)
      var end = next + 1
      if policy.fuses && !first.hasOwnMain && shared != nil {
        while end < effects.count && effects[end].isPerPixel && fits(next..<end + 1) { end += 1 }
      }
      let size = effects[(next + 1)..<end].reduce(shared?.size ?? 0) { $0 + $1.size }
      add(
        .effects(next..<end), reads: first.reads,
        writesSink: policy.fuses && end == effects.count && !first.hasOwnMain
          && shared != nil && !first.usesDerivatives
          && !effects[next..<end].contains(where: \.isOnePixelEach) && size <= RenderPlan.sinkSize
          && (!first.isAlone || shared?.reads ?? 0 <= RenderPlan.sinkReads))
      next = end
    }
    if steps.last?.writesSink != true { add(.conversion, reads: 1, writesSink: true) }
  }
}

extension RenderPipeline {
  /// Returns what the pipeline does to a frame, one sentence for each step.
  ///
  /// The listed kernels are those that run while the largest number of effects act.
  static func steps(
    source: FrameFormat, upload: Upload, passes: PassChain?, readback: Readback
  ) -> [String] {
    let sink = readback.format
    return [
      "upload: \(source.pixelFormat.rawValue) \(source.width)x\(source.height) as "
        + upload.reader.name
    ] + (passes?.descriptions ?? []).map { "kernel: \($0)" } + [
      "readback: \(sink.pixelFormat.rawValue) \(sink.width)x\(sink.height)"
        + (readback.isShared ? ", in memory that an encoder opens" : "")
    ]
  }
}
