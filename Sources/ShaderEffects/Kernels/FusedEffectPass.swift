package import GPU
package import ShaderCompiler

/// Stage three of the line: a kernel that does one effect or several to each frame, or none and
/// only brings its colours from one form to another.
///
/// Used by one thread.
package final class FusedEffectPass {
  private let effects: [EffectInstance]
  private let width: Int
  private let height: Int
  private let pass: ComputePass
  /// One block for each effect.
  private let uniforms: UniformBlocks

  /// Compiles the kernel and makes what it needs for each slot; fails also where effects that compile
  /// alone do not together.
  ///
  /// Several `effects` only if all but the first are per pixel and none has a `main`. `storage` is what
  /// images are kept in.
  package init(
    device: Device, compiler: ShaderCompiler, effects: [EffectInstance], reader: PixelLoad,
    writer: PixelStore, storage: TextureStorage, slotCount: Int
  ) throws {
    for effect in effects {
      try effect.shader.check(hasQuads: device.hasQuads, gpu: device.name)
    }
    self.effects = effects
    (width, height) = (reader.width, reader.height)
    let uniforms = try UniformBlocks(
      device: device, byteCounts: effects.map(\.uniformByteCount), slotCount: slotCount)
    self.uniforms = uniforms
    guard let first = effects.first?.shader else {
      let kernel = KernelSource.conversion(from: reader, to: writer).assembled()
      pass = try ComputePass(
        device: device, spirv: compiler.compile(kernel, name: "conversion"), kernel: kernel,
        slotCount: slotCount)
      return
    }
    let bound = try effects.enumerated().map { index, effect in
      try BoundEffect(
        effect.shader, uniforms: uniforms.bound(index), device: device, compiler: compiler,
        storage: storage)
    }
    let kernel = FusedKernelSource(effects: bound, reader: reader, writer: writer, storage: storage)
      .source.assembled()
    let spirv = try compiler.compile(kernel, of: first)
    do {
      pass = try ComputePass(device: device, spirv: spirv, kernel: kernel, slotCount: slotCount)
    } catch {
      guard error.refusesKernel else { throw error }
      throw EffectError.kernel(of: first.file, error)
    }
  }

  /// Records the kernel as one that does nothing, so that the driver must have it compiled.
  package func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    pass.compile(slot: slot, result: result, into: commands)
  }

  /// Records the kernel's run for the frame of a time; the commands after may read the result.
  ///
  /// `result` is what it writes, where that is no picture of its own.
  package func record(
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

extension ShaderCompiler {
  /// Compiles a kernel that holds the text of an effect, and of others perhaps; messages name the
  /// authors' files and lines.
  ///
  /// `isTrial` says that the kernel is not to run.
  func compile(
    _ kernel: AssembledKernel, of effect: EffectShader, isTrial: Bool = false
  ) throws(EffectError) -> SPIRV {
    do {
      return try compile(
        source: kernel.text, name: effect.compilerName,
        label: isTrial ? "trial+\(kernel.name)" : kernel.name, original: effect.file.source,
        otherOriginals: effect.otherSources, spokenNames: effect.spokenNames,
        entryPoints: EffectShader.entryPoints, includes: effect.includes, resources: .effects)
    } catch {
      throw effect.explained(error)
    }
  }
}
