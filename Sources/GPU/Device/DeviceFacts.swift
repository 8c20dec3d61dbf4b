/// The properties of a Vulkan device that decide whether kfrec can use it.
///
/// It is a plain value, so that tests can use invented devices; `GPUPreference` chooses among them.
public struct DeviceFacts: Sendable {
  /// Vulkan's device types, best first.
  public enum Kind: Sendable, Comparable {
    case discrete, integrated, virtual, other, cpu

    /// The name in listings.
    public var name: String { "\(self)" }
  }

  public var name: String
  public var kind: Kind
  /// Major and minor Vulkan version that the device supports.
  public var apiVersion: (major: Int, minor: Int)
  public var hasComputeQueue = true
  /// Shaders can sample and write RGBA16F images.
  public var storesHalfFloatImages = true
  /// Shaders can read 8- and 16-bit integer images.
  public var samplesIntegerImages = true
  public var maxImageDimension = 16384
  /// Texels that a kernel can reach in one texel buffer.
  public var maxTexels = 1 << 27
  public var maxWorkGroupInvocations = 1024
  /// Bytes of shared memory per work group.
  public var maxSharedMemory = 32768
  public var bindings = BindingLimits()
  public var hasHostVisibleMemory = true
  /// Compute shaders can read the values of their neighbours in a 2x2 quad; only some effects need it.
  public var hasQuads = true

  /// 32 hexadecimal digits that stay the same for the same device and driver; of NVIDIA's GPUs the digits that
  /// `nvidia-smi` shows.
  public var uuid = ""
  /// Nil if the driver does not tell it.
  public var pciAddress: PCIAddress?
  /// The maker's number on the PCI bus.
  public var vendor: UInt32 = 0

  public init(name: String, kind: Kind, apiVersion: (major: Int, minor: Int)) {
    self.name = name
    self.kind = kind
    self.apiVersion = apiVersion
  }

  /// The missing features, as words that fit after "it lacks"; empty for a suitable device.
  ///
  /// All but the version are mandatory in Vulkan 1.2 (chapter "Required Format Support" and table
  /// "Required Limits"), so this finds old or broken drivers only.
  public var missing: [String] {
    var missing: [String] = []
    if apiVersion < (1, 2) {
      missing.append("Vulkan 1.2 (it has \(apiVersion.major).\(apiVersion.minor))")
    }
    if !hasComputeQueue { missing.append("a compute queue") }
    if !storesHalfFloatImages { missing.append("16-bit float storage images") }
    if !samplesIntegerImages { missing.append("8- and 16-bit integer images") }
    if maxImageDimension < 4096 {
      missing.append("images of 4096 pixels (it has \(maxImageDimension))")
    }
    if maxWorkGroupInvocations < WorkGroup.most {
      missing.append("work groups of \(WorkGroup.most) (it has \(maxWorkGroupInvocations))")
    }
    if !hasHostVisibleMemory { missing.append("memory that the CPU can read") }
    return missing
  }
}

extension VulkanError {
  static let noDriver = VulkanError(
    """
    no Vulkan driver was found; install mesa-vulkan-drivers (it has drivers for AMD and Intel GPUs \
    and a software one) or your GPU's own driver
    """)

  static func unsuitable(_ device: DeviceFacts) -> VulkanError {
    VulkanError(
      """
      the Vulkan device \(device.name) cannot run effects: it lacks \
      \(device.missing.joined(separator: " and ")); update its driver, or install \
      mesa-vulkan-drivers and use the software driver with --gpu llvmpipe
      """)
  }
}
