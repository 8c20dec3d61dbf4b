import Frames
public import ShaderCompiler

/// One kernel of the pipeline with its bindings: it reads colours, processes them and writes the
/// result.
///
/// Each frame in flight has its own descriptor set; used by one thread.
public final class ComputePass {
  private let slots: [DescriptorSet]
  private let invocations: (width: Int, height: Int)
  private let writes: Texture?
  /// Index of the binding whose resource is passed when a frame is recorded; nil if there is none.
  private let passedBinding: Int?

  /// Makes the pipeline of a kernel compiled to `spirv`, and a descriptor set for each slot.
  public init(
    device: Device, spirv: SPIRV, kernel: AssembledKernel, slotCount: Int
  ) throws(VulkanError) {
    let pipeline = try device.kernel(spirv, bindings: kernel.resources.map(\.kind))
    invocations = kernel.invocations
    writes = kernel.writes
    passedBinding = kernel.resources.firstIndex(where: \.isPassed)
    slots = try (0..<slotCount).map { slot throws(VulkanError) in
      try DescriptorSet(kernel: pipeline, kernel.resources.map { $0.resource(ofSlot: slot) })
    }
  }

  /// Compiles a kernel that contains no text of an author.
  public convenience init(
    device: Device, compiler: ShaderCompiler, _ source: KernelSource, name: String, slotCount: Int
  ) throws {
    let kernel = source.assembled()
    let spirv = try compiler.compile(source: kernel.text, name: name, label: kernel.name)
    try self.init(device: device, spirv: spirv, kernel: kernel, slotCount: slotCount)
  }

  /// Records a dispatch of the kernel that does nothing, so that the driver has to compile it.
  ///
  /// `result` is the same as for `record`.
  public func compile(slot: Int, result: DescriptorSet.Resource?, into commands: CommandBuffer) {
    bind(result, slot: slot)
    if let writes { commands.makeReady(writes) }
    // The validation layer treats this as a dispatch that reads and writes.
    commands.dispatchBeforeDispatch()
    commands.dispatch(slots[slot], width: 0, height: 0)
  }

  /// Records the kernel's dispatch for a frame; later commands may read the result.
  ///
  /// `result` is the resource that it writes, unless that is the kernel's own texture.
  public func record(
    slot: Int, result: DescriptorSet.Resource? = nil, into commands: CommandBuffer
  ) {
    bind(result, slot: slot)
    if let writes { commands.makeReady(writes) }
    commands.dispatch(slots[slot], width: invocations.width, height: invocations.height)
    if writes != nil { commands.dispatchBeforeDispatch() }
  }

  private func bind(_ result: DescriptorSet.Resource?, slot: Int) {
    precondition(
      (result == nil) == (passedBinding == nil), "a result is passed where one is wanted")
    if let result, let passedBinding { slots[slot].bind(result, at: passedBinding) }
  }
}
