import Frames
package import ShaderCompiler

/// One kernel of the line with what it is bound to: it reads colours, does its work on them and
/// writes the result.
///
/// Each frame in flight has a set of bindings of its own; used by one thread.
package final class KernelPass {
  private let kernel: ComputeKernel
  private let slots: [BindingSet]
  private let invocations: (width: Int, height: Int)
  private let writes: Picture?
  /// The number of the result's binding; what else the work needs comes after it.
  private let resultBinding: Int

  /// Makes the pipeline and a set of bindings for each slot.
  ///
  /// The order of bindings in `spirv`: the reader's, the writer's one, then one a resource of
  /// `others`. `input` has for each slot what the reader's GLSL reads, `others` what else the work
  /// needs and of which kind. `output` is the picture that is written; nil if the result is bound
  /// frame by frame. `invocations` are those of a `main` that is not the writer's.
  package init(
    device: Device, spirv: SPIRV, reader: PictureReader, writer: PictureWriter,
    input: [[BindingSet.Resource]], output: Picture?,
    invocations: (width: Int, height: Int)? = nil,
    others: [[(BindingKind, BindingSet.Resource)]]
  ) throws(VulkanError) {
    resultBinding = reader.bindings.count
    let kernel = try ComputeKernel(
      device: device, spirv: spirv,
      bindings: reader.bindings + [writer.binding] + (others.first ?? []).map(\.0))
    self.kernel = kernel
    self.invocations = invocations ?? writer.invocations
    writes = output
    var slots: [BindingSet] = []
    for (input, others) in zip(input, others) {
      slots.append(
        try BindingSet(kernel: kernel, input + [output?.resource] + others.map(\.1)))
    }
    self.slots = slots
  }

  /// Records the kernel as one that does nothing, so that the driver must have it compiled.
  ///
  /// `result` is as for `record`.
  package func compile(slot: Int, result: BindingSet.Resource?, into commands: Commands) {
    if let result { slots[slot].bind(result, at: resultBinding) }
    if let writes { commands.makeReady(writes) }
    // Validation takes it for one that reads and writes.
    commands.dispatchBeforeDispatch()
    commands.dispatch(slots[slot], width: 0, height: 0)
  }

  /// Records the kernel's run for a frame; the commands after may read the result.
  ///
  /// `result` is what it writes, where that is no picture of its own.
  package func record(
    slot: Int, result: BindingSet.Resource? = nil, into commands: Commands
  ) {
    if let result { slots[slot].bind(result, at: resultBinding) }
    if let writes { commands.makeReady(writes) }
    commands.dispatch(slots[slot], width: invocations.width, height: invocations.height)
    if writes != nil { commands.dispatchBeforeDispatch() }
  }
}
