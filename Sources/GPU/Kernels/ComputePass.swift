import Frames
package import ShaderCompiler

/// One kernel of the line with what it is bound to: it reads colours, does its work on them and
/// writes the result.
///
/// Each frame in flight has a set of bindings of its own; used by one thread.
package final class ComputePass {
  private let slots: [DescriptorSet]
  private let invocations: (width: Int, height: Int)
  private let writes: Texture?
  /// The number of the binding that is told when a frame is recorded, if there is one.
  private let toldBinding: Int?

  /// Makes the pipeline of a kernel that was compiled to `spirv`, and a set of bindings for each slot.
  package init(
    device: Device, spirv: SPIRV, kernel: AssembledKernel, slotCount: Int
  ) throws(VulkanError) {
    let pipeline = try ComputePipeline(
      device: device, spirv: spirv, bindings: kernel.resources.map(\.kind))
    invocations = kernel.invocations
    writes = kernel.writes
    toldBinding = kernel.resources.firstIndex(where: \.isTold)
    var slots: [DescriptorSet] = []
    for slot in 0..<slotCount {
      slots.append(
        try DescriptorSet(kernel: pipeline, kernel.resources.map { $0.resource(ofSlot: slot) }))
    }
    self.slots = slots
  }

  /// Records the kernel as one that does nothing, so that the driver must have it compiled.
  ///
  /// `result` is as for `record`.
  package func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    bind(result, slot: slot)
    if let writes { commands.makeReady(writes) }
    // Validation takes it for one that reads and writes.
    commands.dispatchBeforeDispatch()
    commands.dispatch(slots[slot], width: 0, height: 0)
  }

  /// Records the kernel's run for a frame; the commands after may read the result.
  ///
  /// `result` is what it writes, where that is no picture of its own.
  package func record(
    slot: Int, result: DescriptorSet.Resource? = nil, into commands: CommandBuffer
  ) {
    bind(result, slot: slot)
    if let writes { commands.makeReady(writes) }
    commands.dispatch(slots[slot], width: invocations.width, height: invocations.height)
    if writes != nil { commands.dispatchBeforeDispatch() }
  }

  private func bind(_ result: DescriptorSet.Resource?, slot: Int) {
    precondition((result == nil) == (toldBinding == nil), "a result is told where one is wanted")
    if let result, let toldBinding { slots[slot].bind(result, at: toldBinding) }
  }
}
