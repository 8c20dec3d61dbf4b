package import GPU

/// Stage three of the line: the effects, one after the other, from texture to texture.
///
/// Each effect reads the picture that the one before made; used by one thread.
package final class EffectChain {
  private let steps: [Step]
  private let width: Int
  private let height: Int

  /// An effect on the GPU, and what each frame in flight has of its own for it.
  private struct Step {
    let effect: CompiledEffect
    let slots: [Slot]
  }

  private struct Slot {
    let uniforms: Buffer
    let result: Image
    let bindings: BindingSet
  }

  /// Makes the kernels, images and uniform buffers for pictures of one size.
  package init(
    device: Device, effects: [CompiledEffect], width: Int, height: Int, slotCount: Int
  ) throws {
    self.width = width
    self.height = height
    steps = try effects.map { effect in
      let kernel = try ComputeKernel(
        device: device, spirv: effect.spirv,
        bindings: [.uniformBuffer, .sampledImage, .storageImage])
      return Step(
        effect: effect,
        slots: try (0..<slotCount).map { _ in
          let uniforms = try Buffer(
            device: device, byteCount: effect.uniformByteCount, use: .upload)
          let result = try Image(
            device: device, width: width, height: height, format: .rgba16Float)
          return Slot(
            uniforms: uniforms, result: result,
            bindings: try BindingSet(
              kernel: kernel, [.buffer(uniforms), nil, .image(result)]))
        })
    }
  }

  /// Records the effects that act at the clock's time; the commands after may read the result, which
  /// is the picture itself where none does.
  package func record(
    slot: Int, picture: Image, clock: EffectClock, into commands: Commands
  ) -> Image {
    var picture = picture
    for step in steps where step.effect.isActive(at: clock) {
      let own = step.slots[slot]
      step.effect.writeUniforms(clock, width: width, height: height, into: own.uniforms.bytes)
      commands.makeReady(own.result)
      own.bindings.bind(.image(picture), at: 1)
      commands.dispatch(own.bindings, width: width, height: height)
      commands.dispatchBeforeDispatch()
      picture = own.result
    }
    return picture
  }
}
