package import GPU
package import ShaderCompiler

/// Stage three of the line: a kernel that does one effect or several to each frame, or none and
/// only brings its colours from one form to another.
///
/// Used by one thread.
package final class EffectPass {
  private let effects: [CompiledEffect]
  private let width: Int
  private let height: Int
  private let pass: KernelPass
  /// For each slot the effects' uniform blocks.
  private let uniforms: [Buffer]
  private let offsets: [Int]

  /// Compiles the kernel and makes what it needs for each slot; fails also where effects that compile
  /// alone do not together.
  ///
  /// Several `effects` only if all but the first are per pixel and none has a `main`. `input` has for
  /// each slot what the reader's GLSL reads. `output` is the picture that is written; nil if the
  /// result is bound frame by frame. `storage` is what images are kept in.
  package init(
    device: Device, compiler: ShaderCompiler, effects: [CompiledEffect], reader: PictureReader,
    writer: PictureWriter, input: [[BindingSet.Resource]], output: Picture?,
    storage: PictureStorage
  ) throws {
    for effect in effects {
      try effect.shader.check(hasQuads: device.hasQuads, gpu: device.name)
    }
    self.effects = effects
    (width, height) = (reader.width, reader.height)
    let spirv =
      effects.isEmpty
      ? try compiler.compile(.conversion(from: reader, to: writer), name: "conversion")
      : try compiler.compile(
        effects.map(\.shader), reader: reader, writer: writer, storage: storage)
    var end = 0
    var offsets: [Int] = []
    for effect in effects {
      offsets.append(end)
      // The most that minUniformBufferOffsetAlignment may be (Vulkan, table "Required Limits").
      end += (effect.uniformByteCount + 255) / 256 * 256
    }
    self.offsets = offsets
    let byteCount = max(end, 256)
    let uniforms = try input.map { _ in
      try Buffer(device: device, byteCount: byteCount, use: .upload)
    }
    self.uniforms = uniforms
    let images = try effects.map {
      try $0.shader.imageBindings(
        device: device, compiler: compiler, storage: storage, slotCount: input.count)
    }
    let hasOwnMain = effects.first?.traits.hasOwnMain == true
    do {
      pass = try KernelPass(
        device: device, spirv: spirv, reader: reader, writer: writer, input: input, output: output,
        invocations: hasOwnMain
          ? (width, height) : effects.first?.shader.quads?.invocations(of: writer),
        others: uniforms.enumerated().map { slot, buffer in
          zip(effects, offsets).map { effect, offset in
            (.uniformBuffer, .buffer(buffer, offset: offset, byteCount: effect.uniformByteCount))
          } + images.flatMap { $0[slot] }
        })
    } catch {
      guard error.refusesKernel, let first = effects.first else { throw error }
      throw EffectError.kernel(of: first.shader.file, error)
    }
  }

  /// Records the kernel as one that does nothing, so that the driver must have it compiled.
  package func compile(slot: Int, result: BindingSet.Resource?, into commands: Commands) {
    pass.compile(slot: slot, result: result, into: commands)
  }

  /// Records the kernel's run for the frame of a time; the commands after may read the result.
  ///
  /// `result` is what it writes, where that is no picture of its own.
  package func record(
    slot: Int, clock: EffectClock, result: BindingSet.Resource? = nil, into commands: Commands
  ) {
    for (effect, offset) in zip(effects, offsets) {
      effect.writeUniforms(
        clock, width: width, height: height,
        into: UnsafeMutableRawBufferPointer(rebasing: uniforms[slot].bytes[offset...]))
    }
    pass.record(slot: slot, result: result, into: commands)
  }
}

extension ShaderCompiler {
  /// Compiles effects to one kernel; messages name the authors' files and lines.
  ///
  /// `isTrial` says that the kernel is not to run.
  func compile(
    _ effects: [EffectShader], reader: PictureReader, writer: PictureWriter,
    storage: PictureStorage, isTrial: Bool = false
  ) throws(EffectError) -> SPIRV {
    let kernel = EffectKernel(effects: effects, reader: reader, writer: writer, storage: storage)
    return try compile(kernel.source, of: effects[0], isTrial: isTrial)
  }

  /// Compiles a kernel that holds the text of an effect, and of others perhaps.
  func compile(
    _ source: KernelSource, of effect: EffectShader, isTrial: Bool
  ) throws(EffectError) -> SPIRV {
    do {
      return try compile(
        source: source.text, name: effect.compilerName,
        label: isTrial ? "trial+\(source.name)" : source.name, original: effect.file.source,
        otherOriginals: effect.otherSources, spokenNames: effect.spokenNames,
        entryPoints: EffectShader.entryPoints, includes: effect.includes, resources: .effects)
    } catch {
      throw effect.explained(error)
    }
  }
}
