import ShaderCompiler
import Synchronization

/// The kernels of a device that later recordings of the process use again.
///
/// Whoever keeps the store keeps its kernels; the device only refers to it, because a kernel keeps its
/// device alive. Any thread may use it. A kernel has no state of its own, so several recordings may
/// dispatch it at the same time.
public final class KernelStore: Sendable {
  private struct Key: Hashable {
    let words: [UInt32]
    let bindings: [BindingKind]
  }

  /// The most kernels that are kept: more than the longest chain needs for all its formats.
  private static let limit = 64

  private let kernels = Mutex<[Key: ComputePipeline]>([:])

  public init() {}

  /// Returns the kernel of a module, made at the first call.
  ///
  /// - Throws: The same errors as `ComputePipeline.init`.
  func kernel(
    device: Device, spirv: SPIRV, bindings: [BindingKind]
  ) throws(VulkanError) -> ComputePipeline {
    let key = Key(words: spirv.words, bindings: bindings)
    if let kernel = kernels.withLock({ $0[key] }) { return kernel }
    // Not under the lock: the driver may compile for seconds. Two recordings may then make the same kernel.
    let kernel = try ComputePipeline(device: device, spirv: spirv, bindings: bindings)
    kernels.withLock { kernels in
      if kernels.count >= Self.limit { kernels = [:] }
      kernels[key] = kernel
    }
    return kernel
  }
}

extension Device {
  /// Uses the kernels of a store, as long as somebody keeps the store.
  public func use(_ store: KernelStore) { kernelStore.withLock { $0.store = store } }

  /// Returns a kernel of the module, from the store if there is one.
  func kernel(_ spirv: SPIRV, bindings: [BindingKind]) throws(VulkanError) -> ComputePipeline {
    guard let store = kernelStore.withLock({ $0.store }) else {
      return try ComputePipeline(device: self, spirv: spirv, bindings: bindings)
    }
    return try store.kernel(device: self, spirv: spirv, bindings: bindings)
  }

  /// The store of a device, not kept by it.
  struct StoreReference: Sendable {
    weak var store: KernelStore?
  }
}
