import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// The kernels that process a frame between upload and readback, ready to run.
///
/// Only one thread uses it.
final class PassChain {
  /// One sentence for each kernel, for the user; the first one says why effects share no kernel, if they
  /// could not be compiled together.
  private(set) var descriptions: [String]

  private let kernels: [any Kernel]

  /// Plans and creates the kernels; effects that cannot share a kernel get one each.
  ///
  /// `reader` is what the first kernel reads, `sink` what the last one writes. `memories` has, for each effect, the textures that it
  /// keeps between frames; nil if it keeps none. `precision` is that of the textures between kernels.
  static func make(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad, sink: PixelStore,
    resampling: [Resample],
    effects: [EffectInstance], memories: [FeedbackTextures?], policy: FusionPolicy,
    precision: Texture.Format
  ) throws -> PassChain {
    func make(_ policy: FusionPolicy) throws -> PassChain {
      let plan = RenderPlan(
        reader: reader, resampling: resampling, effects: effects.map(\.traits), policy: policy,
        fits: { places in
          Self.fits(
            effects[places], reader: reader, writer: sink, storage: policy.storage,
            limits: device.facts.bindings)
        })
      return try PassChain(
        plan, device: device, compiler: compiler, reader: reader, sink: sink,
        effects: effects, memories: memories, storage: policy.storage, precision: precision)
    }
    do {
      return try make(policy)
    } catch let error as EffectError {
      guard policy.fuses, effects.count > 1 else { throw error }
      // The effects' names clash in a way that their source code did not show.
      var apart = policy
      apart.fuses = false
      let chain = try make(apart)
      chain.descriptions.insert(
        "one for each effect, because they cannot be compiled together: \(error)", at: 0)
      return chain
    }
  }

  /// Returns whether the device can bind one kernel for these effects, at any position in the
  /// chain.
  private static func fits(
    _ effects: ArraySlice<EffectInstance>, reader: PixelLoad, writer: PixelStore,
    storage: TextureStorage, limits: BindingLimits
  ) -> Bool {
    let between = TextureDescriptor(
      width: reader.width, height: reader.height, storage: storage)
    let (readers, writers) = ([reader, between.reader], [writer, between.writer])
    let own = effects.flatMap { $0.bindings(storage) }
    return readers.allSatisfy { reader in
      writers.allSatisfy {
        limits.excess(of: reader.bindings + $0.fragment.bindings + own) == nil
      }
    }
  }

  private init(
    _ plan: RenderPlan, device: Device, compiler: ShaderCompiler, reader: PixelLoad,
    sink: PixelStore, effects: [EffectInstance],
    memories: [FeedbackTextures?], storage: TextureStorage, precision: Texture.Format
  ) throws {
    var kernels: [any Kernel] = []
    var descriptions: [String] = []
    var reader = reader
    // The texture that the previous kernel read; it can be written again.
    var spare: Texture?
    var current: Texture?
    for step in plan.steps {
      let (width, height) = step.work.size(reading: reader)
      var output: Texture?
      if !step.writesSink {
        let shape = TextureDescriptor(
          width: width, height: height, format: step.work.format(precision),
          storage: storage)
        if let spare, spare.shape == shape {
          output = spare
        } else {
          output = try Texture(device: device, shape: shape)
        }
      }
      let writer = output?.writer ?? sink
      var names: [String] = []
      switch step.work {
      case .resample(let resample):
        names = [resample.name]
        kernels.append(
          try resample.pass(
            device: device, compiler: compiler, reader: reader, writer: writer,
            slotCount: RenderPipeline.slotCount))
      case .effects(let places) where memories[places.lowerBound] != nil:
        guard let memory = memories[places.lowerBound] else { continue }
        names = effects[places].map(\.name)
        kernels.append(
          try MultiPassEffect(
            device: device, compiler: compiler, effect: effects[places.lowerBound],
            following: Array(effects[places.dropFirst()]), memory: memory, reader: reader,
            writer: writer, slotCount: RenderPipeline.slotCount))
      case .conversion, .effects:
        let own = step.work.effects(of: effects)
        names = own.map(\.name)
        kernels.append(
          try FusedEffectPass(
            device: device, compiler: compiler, effects: own, reader: reader, writer: writer,
            storage: storage, slotCount: RenderPipeline.slotCount))
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

  /// Records kernels that do nothing, so that the driver must compile them.
  ///
  /// `result` is what the last one writes; nil if that is a texture.
  func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    for (index, kernel) in kernels.enumerated() {
      kernel.compile(
        slot: slot, result: index == kernels.count - 1 ? result : nil, into: commands)
    }
  }

  /// Records the kernels that take a frame from the uploaded planes to the sink's planes, which `result` is; nil if
  /// the last one writes a texture.
  func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource?, into commands: CommandBuffer
  ) {
    // The previous frame may still be reading the textures.
    commands.dispatchBeforeDispatch()
    for (index, kernel) in kernels.enumerated() {
      kernel.record(
        slot: slot, clock: clock, result: index == kernels.count - 1 ? result : nil,
        into: commands)
    }
    commands.dispatchBeforeHost()
  }
}

/// A step of a chain, which runs one kernel or several.
private protocol Kernel {
  func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer)
  func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource?, into commands: CommandBuffer)
}

extension FusedEffectPass: Kernel {}
extension MultiPassEffect: Kernel {}
extension ComputePass: Kernel {
  fileprivate func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource?, into commands: CommandBuffer
  ) {
    record(slot: slot, result: result, into: commands)
  }
}

extension RenderPlan.Work {
  /// Size of the image that the step writes, in pixels.
  fileprivate func size(reading reader: PixelLoad) -> (Int, Int) {
    switch self {
    case .resample(let pass): (pass.width, pass.height)
    case .conversion, .effects: (reader.width, reader.height)
    }
  }

  /// The numbers of the texture that the step writes.
  fileprivate func format(_ usual: Texture.Format) -> Texture.Format {
    if case .resample(let pass) = self, pass.format == .float { .float } else { usual }
  }

  fileprivate func effects(of chain: [EffectInstance]) -> [EffectInstance] {
    if case .effects(let places) = self { Array(chain[places]) } else { [] }
  }
}
