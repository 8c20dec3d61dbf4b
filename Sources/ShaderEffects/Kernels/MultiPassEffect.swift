public import GPU
public import ShaderCompiler

/// Runs the kernels, one after another, of an effect with passes, earlier frames or its own previous
/// result.
///
/// Used by one thread.
public final class MultiPassEffect {
  private let effect: EffectInstance
  private let following: [EffectInstance]
  private let memory: FeedbackTextures
  /// The kernels of the passes; if there is a ring, the kernel that copies the input into it comes
  /// first.
  private let kernels: [ComputePass]
  /// The uniform blocks, one for each pass, and then one for each following effect.
  private let uniforms: UniformBlocks

  /// Compiles the passes and makes what they need for each slot.
  ///
  /// `memory` belongs to the effect. The kernel of the last pass also holds the `following` effects, which are
  /// per pixel and need an effect whose traits have a `lastPass`, and writes with `writer`.
  public init(
    device: Device, compiler: ShaderCompiler, effect: EffectInstance,
    following: [EffectInstance] = [], memory: FeedbackTextures, reader: PixelLoad,
    writer: PixelStore, slotCount: Int
  ) throws {
    let shader = effect.shader
    try shader.check(hasQuads: device.facts.hasQuads, gpu: device.name)
    let plan = memory.plan
    precondition((reader.width, reader.height) == (plan.width, plan.height))
    let uniforms = try UniformBlocks(
      device: device,
      byteCounts: Array(repeating: effect.uniformByteCount, count: plan.passCount)
        + following.map(\.uniformByteCount),
      slotCount: slotCount)
    var kernels: [ComputePass] = []
    var reader = reader
    if let ring = memory.ring {
      let copy = EffectPassSource.copy(
        from: reader, to: ring,
        uniforms: effect.layout.resource(name: "kf_Uniforms", bound: uniforms.bound(0)))
      kernels.append(
        try ComputePass(
          device: device, compiler: compiler, copy, name: "earlier frames", slotCount: slotCount))
      reader = ring.reader
    }
    for pass in 0..<plan.passCount {
      let target = plan.target(of: pass).flatMap { plan.targets.firstIndex(of: $0) }
      let bound = try BoundEffect(
        shader, uniforms: uniforms.bound(pass), device: device, compiler: compiler,
        storage: plan.storage)
      var source = EffectPassSource(
        effect: bound, plan: plan, pass: pass, reader: reader,
        writer: target.map { memory.targets[$0].writer } ?? writer, memory: memory)
      if pass == plan.passCount - 1 {
        source.following = try following.enumerated().map { index, effect in
          try BoundEffect(
            effect.shader, uniforms: uniforms.bound(plan.passCount + index), device: device,
            compiler: compiler, storage: plan.storage)
        }
      }
      kernels.append(
        try .make(
          device: device, compiler: compiler, source.source, of: shader, slotCount: slotCount))
    }
    self.effect = effect
    self.following = following
    self.memory = memory
    self.kernels = kernels
    self.uniforms = uniforms
  }

  /// Records the passes so that they do nothing, which makes the driver compile them.
  ///
  /// `result` is the same as for `record`.
  public func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    for texture in memory.targets { commands.makeReady(texture) }
    for (index, kernel) in kernels.enumerated() {
      kernel.compile(
        slot: slot, result: index == kernels.count - 1 ? result : nil, into: commands)
    }
  }

  /// Records the passes for the frame of a time; later commands may read the result.
  ///
  /// `result` is the resource that the last kernel writes, if it does not write a texture.
  public func record(
    slot: Int, clock: EffectClock, result: DescriptorSet.Resource?, into commands: CommandBuffer
  ) {
    let plan = memory.plan
    for pass in 0..<plan.passCount {
      let size = plan.size(of: pass)
      effect.writeUniforms(
        clock, width: plan.width, height: plan.height,
        pass: PassMoment(
          index: pass, width: size.width, height: size.height, age: memory.age, turn: memory.turn),
        into: uniforms.bytes(slot: slot, block: pass))
    }
    for (index, effect) in following.enumerated() {
      effect.writeUniforms(
        clock, width: plan.width, height: plan.height,
        into: uniforms.bytes(slot: slot, block: plan.passCount + index))
    }
    for texture in memory.targets { commands.makeReady(texture) }
    for (index, kernel) in kernels.enumerated() {
      kernel.record(
        slot: slot, result: index == kernels.count - 1 ? result : nil, into: commands)
    }
    memory.advance()
  }
}

/// What differs from pass to pass and from frame to frame, besides the clock.
public struct PassMoment {
  var index = 0
  /// The size in pixels of what the pass writes.
  var width: Int
  var height: Int
  /// The number of frames since the effect began to act, and its place in the effect's period.
  var age = 0
  var turn = 0
}

extension EffectPassSource {
  /// Returns the kernel that copies the current input into the ring of earlier frames.
  static func copy(
    from reader: PixelLoad, to ring: Texture, uniforms: KernelResource
  ) -> KernelSource {
    KernelSource(
      reader: reader, writer: ring.writer,
      work: [
        KernelFragment(
          """
          int kf_resultLayer() { return kf_turn % \(ring.shape.layers); }
          vec4 kf_color(ivec2 p) { return kf_read(p); }
          """, name: "keep", resources: [uniforms])
      ])
  }
}
