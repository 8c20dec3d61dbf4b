public import GPU
public import ShaderCompiler

/// Stage three of the pipeline: a kernel that applies one or more effects to each frame, or only
/// converts its colours.
///
/// Used by one thread.
public final class FusedEffectPass {
  private let effects: [EffectInstance]
  private let width: Int
  private let height: Int
  private let pass: ComputePass
  /// The uniform blocks, one for each effect.
  private let uniforms: UniformBlocks

  /// Compiles the kernel and makes what it needs for each slot; also fails if effects compile alone but
  /// not together.
  ///
  /// Several `effects` are allowed only if all but the first are per pixel and none has a `main`.
  /// `storage` is how images are stored.
  public init(
    device: Device, compiler: ShaderCompiler, effects: [EffectInstance], reader: PixelLoad,
    writer: PixelStore, storage: TextureStorage, slotCount: Int
  ) throws {
    for effect in effects {
      try effect.shader.check(hasQuads: device.facts.hasQuads, gpu: device.name)
    }
    self.effects = effects
    (width, height) = (reader.width, reader.height)
    let uniforms = try UniformBlocks(
      device: device, byteCounts: effects.map(\.uniformByteCount), slotCount: slotCount)
    self.uniforms = uniforms
    guard let first = effects.first?.shader else {
      pass = try ComputePass(
        device: device, compiler: compiler, .conversion(from: reader, to: writer),
        name: "conversion", slotCount: slotCount)
      return
    }
    let bound = try effects.enumerated().map { index, effect in
      try BoundEffect(
        effect.shader, uniforms: uniforms.bound(index), device: device, compiler: compiler,
        storage: storage)
    }
    let kernel = FusedKernelSource(effects: bound, reader: reader, writer: writer, storage: storage)
    pass = try .make(
      device: device, compiler: compiler, kernel.source, of: first, slotCount: slotCount)
  }

  /// Records the kernel so that it does nothing, which makes the driver compile it.
  public func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    pass.compile(slot: slot, result: result, into: commands)
  }

  /// Records the kernel's dispatch for the frame of a time; later commands may read the result.
  ///
  /// `result` is the resource that the kernel writes, if it has no texture of its own.
  public func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource? = nil,
    into commands: CommandBuffer
  ) {
    for (block, effect) in effects.enumerated() {
      effect.writeUniforms(
        clock, width: width, height: height, into: uniforms.bytes(slot: slot, block: block))
    }
    pass.record(slot: slot, result: result, into: commands)
  }
}

extension ComputePass {
  /// Compiles a kernel with the text of one effect or several.
  ///
  /// - Throws: `EffectError` for a mistake in the text, and for a kernel that is too large for the GPU.
  static func make(
    device: Device, compiler: ShaderCompiler, _ source: KernelSource, of effect: EffectShader,
    slotCount: Int
  ) throws -> ComputePass {
    let kernel = source.assembled()
    let spirv = try compiler.compile(kernel, of: effect)
    do {
      return try ComputePass(device: device, spirv: spirv, kernel: kernel, slotCount: slotCount)
    } catch {
      guard error.refusesKernel else { throw error }
      throw EffectError.kernel(of: effect.file, error)
    }
  }
}

extension ShaderCompiler {
  /// Compiles a kernel with the text of one effect or several; messages name the authors' files and
  /// lines.
  ///
  /// `isTrial` means that the kernel will not run.
  func compile(
    _ kernel: AssembledKernel, of effect: EffectShader, isTrial: Bool = false
  ) throws(EffectError) -> SPIRV {
    do {
      return try compile(
        source: kernel.text, name: effect.compilerName,
        label: isTrial ? "trial+\(kernel.name)" : kernel.name, original: effect.file.source,
        otherOriginals: effect.glsl.otherSources, spokenNames: effect.glsl.spokenNames,
        entryPoints: EffectShader.entryPoints, includes: effect.includes, resources: .effects)
    } catch {
      throw effect.explained(error)
    }
  }
}

extension ResourceRule {
  /// The rule that an effect declares no resources: kfrec provides all that it reads and writes.
  static let effects = ResourceRule(prefix: "kf_") { name in
    """
    an effect may not declare its own resources ('\(name)'); use INPUTS and IMPORTED in its header \
    for values and images, and PASSES for what it keeps
    """
  }
}
