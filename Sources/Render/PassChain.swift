import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// The kernels that a frame goes through between upload and readback, ready to run.
///
/// Used by one thread.
final class PassChain {
  /// One sentence a kernel, for people.
  let descriptions: [String]

  private let kernels: [Kernel]

  private enum Kernel {
    case resample(ComputePass)
    case effects(FusedEffectPass)
    case passes(MultiPassEffect)
  }

  /// Plans and makes the kernels; effects that cannot share one get one each.
  ///
  /// `reader` is what the first kernel reads; `memories` has for each effect the pictures that it keeps,
  /// nil for one that keeps none.
  static func make(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad, readback: Readback,
    resampling: [Resample],
    effects: [EffectInstance], memories: [FeedbackTextures?], policy: FusionPolicy
  ) throws -> PassChain {
    func make(_ policy: FusionPolicy) throws -> PassChain {
      let plan = RenderPlan(
        reader: reader, resampling: resampling, effects: effects.map(\.traits), policy: policy,
        fits: { places in
          Self.fits(
            effects[places], reader: reader, writer: readback.writer, storage: policy.storage,
            limits: device.bindingLimits)
        })
      return try PassChain(
        plan, device: device, compiler: compiler, reader: reader, readback: readback,
        effects: effects, memories: memories, storage: policy.storage)
    }
    do {
      return try make(policy)
    } catch let error as EffectError {
      guard policy.fuses, effects.count > 1 else { throw error }
      // Their names clash in a way that their texts did not show.
      var apart = policy
      apart.fuses = false
      return try make(apart)
    }
  }

  /// Whether one kernel may do the effects, wherever in the chain it comes.
  private static func fits(
    _ effects: ArraySlice<EffectInstance>, reader: PixelLoad, writer: PixelStore,
    storage: TextureStorage, limits: BindingLimits
  ) -> Bool {
    let (width, height) = (reader.width, reader.height)
    let readers = [reader, Texture.reader(width: width, height: height, storage: storage)]
    let writers = [writer, .picture(width: width, height: height, storage: storage)]
    let own = effects.flatMap { $0.bindings(storage) }
    return readers.allSatisfy { reader in
      writers.allSatisfy {
        limits.excess(of: reader.fragment.bindings + $0.fragment.bindings + own) == nil
      }
    }
  }

  private init(
    _ plan: RenderPlan, device: Device, compiler: ShaderCompiler, reader: PixelLoad,
    readback: Readback, effects: [EffectInstance],
    memories: [FeedbackTextures?], storage: TextureStorage
  ) throws {
    var kernels: [Kernel] = []
    var descriptions: [String] = []
    var reader = reader
    // The picture that was read last is free to be written again.
    var spare: Texture?
    var current: Texture?
    for step in plan.steps {
      let (width, height) = step.work.size(reading: reader)
      var output: Texture?
      if !step.writesSink {
        if let spare, (spare.width, spare.height) == (width, height) {
          output = spare
        } else {
          output = try Texture(device: device, width: width, height: height, storage: storage)
        }
      }
      let writer = output?.writer ?? readback.writer
      var names: [String] = []
      switch step.work {
      case .resample(let resample):
        names = ["scale to \(width)x\(height)"]
        kernels.append(
          .resample(
            try resample.pass(
              device: device, compiler: compiler, reader: reader, writer: writer,
              slotCount: RenderPipeline.slotCount)))
      case .effects(let places) where memories[places.lowerBound] != nil:
        guard let memory = memories[places.lowerBound], let output, places.count == 1 else {
          preconditionFailure("an effect that keeps pictures runs alone and makes one")
        }
        let effect = effects[places.lowerBound]
        names = [effect.name]
        kernels.append(
          .passes(
            try MultiPassEffect(
              device: device, compiler: compiler, effect: effect, memory: memory, reader: reader,
              output: output, slotCount: RenderPipeline.slotCount)))
      case .conversion, .effects:
        let own = step.work.effects(of: effects)
        names = own.map(\.name)
        kernels.append(
          .effects(
            try FusedEffectPass(
              device: device, compiler: compiler, effects: own, reader: reader, writer: writer,
              storage: storage, slotCount: RenderPipeline.slotCount)))
      }
      descriptions.append(([reader.name] + names + [writer.name]).joined(separator: " -> "))
      guard let output else { continue }
      reader = output.reader
      spare = current
      current = output
    }
    self.kernels = kernels
    self.descriptions = descriptions
  }

  /// Records kernels that do nothing, so that the driver must have them compiled.
  func compile(slot: Int, result: DescriptorSet.Resource, into commands: CommandBuffer) {
    for (index, kernel) in kernels.enumerated() {
      let result = index == kernels.count - 1 ? result : nil
      switch kernel {
      case .resample(let pass): pass.compile(slot: slot, result: result, into: commands)
      case .effects(let pass): pass.compile(slot: slot, result: result, into: commands)
      case .passes(let passes): passes.compile(slot: slot, into: commands)
      }
    }
  }

  /// Records a frame's way from the uploaded planes to the sink's.
  func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource, into commands: CommandBuffer
  ) {
    // The frame before may still be reading the pictures.
    commands.dispatchBeforeDispatch()
    for (index, kernel) in kernels.enumerated() {
      let result = index == kernels.count - 1 ? result : nil
      switch kernel {
      case .resample(let pass): pass.record(slot: slot, result: result, into: commands)
      case .effects(let pass):
        pass.record(slot: slot, clock: clock, result: result, into: commands)
      case .passes(let passes): passes.record(slot: slot, clock: clock, into: commands)
      }
    }
    commands.dispatchBeforeHost()
  }
}

extension RenderPlan.Work {
  /// The size of what it makes.
  fileprivate func size(reading reader: PixelLoad) -> (Int, Int) {
    switch self {
    case .resample(let pass): (pass.width, pass.height)
    case .conversion, .effects: (reader.width, reader.height)
    }
  }

  fileprivate func effects(of chain: [EffectInstance]) -> [EffectInstance] {
    if case .effects(let places) = self { Array(chain[places]) } else { [] }
  }
}
