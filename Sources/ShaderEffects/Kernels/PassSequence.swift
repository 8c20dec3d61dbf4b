package import GPU
package import ShaderCompiler

/// An effect with passes, earlier frames or its own frame before: its kernels, one after another.
///
/// Used by one thread.
package final class PassSequence {
  private let effect: CompiledEffect
  private let memory: EffectMemory
  /// The passes, with the copy of the input into the ring before them where there is one.
  private let kernels: [KernelPass]
  /// For each slot a block of uniforms for each pass.
  private let uniforms: [Buffer]
  private let stride: Int

  /// Compiles the passes and makes what they need for each slot.
  ///
  /// `memory` is the effect's own. `input` has for each slot what the reader's GLSL reads, `output`
  /// is the picture that the last pass writes.
  package init(
    device: Device, compiler: ShaderCompiler, effect: CompiledEffect, memory: EffectMemory,
    reader: PictureReader, input: [[BindingSet.Resource]], output: Picture
  ) throws {
    try effect.shader.check(hasQuads: device.hasQuads, gpu: device.name)
    let plan = memory.plan
    precondition((reader.width, reader.height) == (plan.width, plan.height))
    // The most that minUniformBufferOffsetAlignment may be (Vulkan, table "Required Limits").
    let stride = (effect.uniformByteCount + 255) / 256 * 256
    let uniforms = try input.map { _ in
      try Buffer(device: device, byteCount: stride * plan.passCount, use: .upload)
    }
    func block(_ slot: Int, _ pass: Int) -> (BindingKind, BindingSet.Resource) {
      (
        .uniformBuffer,
        .buffer(uniforms[slot], offset: stride * pass, byteCount: effect.uniformByteCount)
      )
    }
    var kernels: [KernelPass] = []
    var (reader, input) = (reader, input)
    if let ring = memory.ring {
      let source = PassKernel.copy(
        from: reader, to: ring.shape, layout: effect.layout)
      kernels.append(
        try KernelPass(
          device: device, spirv: compiler.compile(source, name: "earlier frames"),
          reader: reader, writer: ring.shape.writer, input: input, output: ring,
          others: input.indices.map { [block($0, 0)] }))
      reader = ring.shape.reader
      input = input.map { _ in [ring.resource] }
    }
    let images = try effect.shader.imageBindings(
      device: device, compiler: compiler, storage: plan.storage, slotCount: input.count)
    for pass in 0..<plan.passCount {
      let target = plan.target(of: pass)
      let result = target.map { target in
        memory.targets[plan.targets.firstIndex(of: target) ?? 0]
      }
      let written = result ?? output
      let kinds = PassKernel.bindings(plan, pass: pass)
      let kept = zip(plan.targets, memory.targets).filter { $0.0.pass == plan.passCount - 1 }
      let bound =
        memory.targets.map(\.resource) + [memory.ring].compactMap { $0?.resource }
        + (pass == plan.passCount - 1 ? kept.map(\.1.resource) : [])
      let size = plan.size(of: pass)
      let spirv = try compiler.compile(
        effect.shader, plan: plan, pass: pass, reader: reader, writer: written.shape.writer)
      do {
        kernels.append(
          try KernelPass(
            device: device, spirv: spirv, reader: reader, writer: written.shape.writer,
            input: input, output: written,
            invocations: effect.traits.hasOwnMain
              ? size : effect.shader.quads?.invocations(of: written.shape.writer),
            others: input.indices.map { [block($0, pass)] + images[$0] + Array(zip(kinds, bound)) }
          ))
      } catch {
        guard error.refusesKernel else { throw error }
        throw EffectError.kernel(of: effect.shader.file, error)
      }
    }
    self.effect = effect
    self.memory = memory
    self.kernels = kernels
    self.uniforms = uniforms
    self.stride = stride
  }

  /// Records the passes as kernels that do nothing, so that the driver must have them compiled.
  package func compile(slot: Int, into commands: Commands) {
    for picture in memory.targets { commands.makeReady(picture) }
    for kernel in kernels { kernel.compile(slot: slot, result: nil, into: commands) }
  }

  /// Records the passes for the frame of a time; the commands after may read the result.
  package func record(slot: Int, clock: EffectClock, into commands: Commands) {
    let plan = memory.plan
    for pass in 0..<plan.passCount {
      let size = plan.size(of: pass)
      effect.writeUniforms(
        clock, width: plan.width, height: plan.height,
        pass: PassMoment(
          index: pass, width: size.width, height: size.height, age: memory.age, turn: memory.turn),
        into: UnsafeMutableRawBufferPointer(rebasing: uniforms[slot].bytes[(stride * pass)...]))
    }
    for picture in memory.targets { commands.makeReady(picture) }
    for kernel in kernels { kernel.record(slot: slot, into: commands) }
    memory.advance()
  }
}

/// What is different from pass to pass and from frame to frame beside the clock.
package struct PassMoment {
  var index = 0
  /// The size of what the pass makes.
  var width: Int
  var height: Int
  /// Frames since the effect began to act, and their place in its period.
  var age = 0
  var turn = 0
}

extension PassKernel {
  /// The kernel that puts the present input among the earlier frames.
  static func copy(
    from reader: PictureReader, to ring: PictureShape, layout: UniformLayout
  ) -> KernelSource {
    var source = KernelSource(
      reader: reader, writer: ring.writer,
      body: """
        \(layout.declaration(
          name: "kf_Uniforms", binding: KernelSource.firstFreeBinding(after: reader)))
        int kf_resultLayer() { return kf_turn % \(ring.layers); }
        vec4 kf_color(ivec2 p) { return kf_read(p); }
        """)
    source.work = ["keep"]
    return source
  }
}

extension ShaderCompiler {
  /// Compiles one pass; messages name the author's files and lines.
  ///
  /// `isTrial` says that the kernel is not to run.
  func compile(
    _ effect: EffectShader, plan: PassPlan, pass: Int, reader: PictureReader, writer: PictureWriter,
    isTrial: Bool = false
  ) throws(EffectError) -> SPIRV {
    let kernel = PassKernel(
      effect: effect, plan: plan, pass: pass, reader: reader, writer: writer)
    return try compile(kernel.source, of: effect, isTrial: isTrial)
  }
}
