import GPU
import ShaderEffects

/// The kernels that a frame goes through, from the source's planes to the sink's.
///
/// Made once for a source's format, a chain of effects and a sink's format; stills, files and
/// cameras all run it.
struct RenderPlan {
  /// What a kernel does to the colours it reads.
  enum Work {
    /// Nothing: they change their form.
    case conversion
    case resample(Resample)
    /// The effects of these places in the chain.
    case effects(Range<Int>)
  }

  struct Step {
    let work: Work
    /// It writes the sink's planes; else a picture, which the next one reads.
    var writesSink: Bool
  }

  private(set) var steps: [Step] = []

  /// Reads of a dear source for a pixel beyond which a picture is made of it first.
  private static let dearReads = 4
  /// Words of effects that the kernel which makes the sink's planes may hold: it has their code some
  /// twenty times.
  private static let sinkSize = 600

  /// Plans the way from what `reader` reads, through the passes of `resampling` to the picture's size
  /// on the canvas and the effects that act, in order.
  ///
  /// `fits` says of several effects whether the device can bind one kernel to all that they read.
  init(
    reader: PixelLoad, resampling: [Resample], effects: [EffectTraits], policy: FusionPolicy,
    fits: (Range<Int>) -> Bool = { _ in true }
  ) {
    var isDear = reader.isDear
    func add(_ work: Work, reads: Int, writesSink: Bool = false) {
      if isDear && reads > RenderPlan.dearReads { makePicture() }
      steps.append(Step(work: work, writesSink: writesSink))
      isDear = false
    }
    func makePicture() { steps.append(Step(work: .conversion, writesSink: false)) }

    if !policy.fuses { makePicture() }
    for pass in resampling { add(.resample(pass), reads: pass.taps) }
    var next = 0
    while next < effects.count {
      let first = effects[next]
      var end = next + 1
      if policy.fuses && !first.hasOwnMain && !first.isAlone {
        while end < effects.count && effects[end].isPerPixel && fits(next..<end + 1) { end += 1 }
      }
      let size = effects[next..<end].reduce(0) { $0 + $1.size }
      add(
        .effects(next..<end), reads: first.reads,
        writesSink: policy.fuses && end == effects.count && !first.hasOwnMain
          && !first.isAlone && !first.usesDerivatives && size <= RenderPlan.sinkSize)
      next = end
    }
    if steps.last?.writesSink != true { add(.conversion, reads: 1, writesSink: true) }
  }
}
