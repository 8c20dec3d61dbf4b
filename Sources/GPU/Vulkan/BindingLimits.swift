import CVulkan

/// How many resources one kernel may be bound to on a device; a plain value, so that tests of plans can
/// use invented devices.
///
/// A kernel has one descriptor set and one stage, so the smaller of each pair of Vulkan's limits
/// (section "Limits") counts. Drivers need not check: lavapipe crashes if there are more.
public struct BindingLimits: Sendable, Equatable {
  public var uniformBuffers = Int.max
  public var storageBuffers = Int.max
  public var samplers = Int.max
  /// Includes texel buffers that are read.
  public var sampledImages = Int.max
  public var storageImages = Int.max
  /// The sum of all kinds.
  public var resources = Int.max

  /// Sets no limits.
  public init() {}

  init(_ limits: VkPhysicalDeviceLimits) {
    func least(_ a: UInt32, _ b: UInt32) -> Int { Int(min(a, b)) }
    uniformBuffers = least(
      limits.maxPerStageDescriptorUniformBuffers, limits.maxDescriptorSetUniformBuffers)
    storageBuffers = least(
      limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers)
    samplers = least(limits.maxPerStageDescriptorSamplers, limits.maxDescriptorSetSamplers)
    sampledImages = least(
      limits.maxPerStageDescriptorSampledImages, limits.maxDescriptorSetSampledImages)
    storageImages = least(
      limits.maxPerStageDescriptorStorageImages, limits.maxDescriptorSetStorageImages)
    resources = Int(limits.maxPerStageResources)
  }

  /// The first limit that a kernel with these bindings exceeds; nil if there is none.
  public func excess(of bindings: [BindingKind]) -> Excess? {
    func count(_ kinds: BindingKind...) -> Int { bindings.count(where: kinds.contains) }
    let checks = [
      Excess(what: "uniform buffers", count: count(.uniformBuffer), limit: uniformBuffers),
      Excess(what: "storage buffers", count: count(.storageBuffer), limit: storageBuffers),
      Excess(what: "sampled images", count: count(.sampledImage), limit: samplers),
      Excess(
        what: "images to read", count: count(.sampledImage, .texelBuffer), limit: sampledImages),
      Excess(
        what: "images to write", count: count(.storageImage, .storageTexelBuffer),
        limit: storageImages),
      Excess(what: "images and buffers", count: bindings.count, limit: resources),
    ]
    return checks.first { $0.count > $0.limit }
  }

  /// A limit of a device that a kernel exceeds.
  public struct Excess: Sendable, Equatable {
    /// The kind of resource, in the plural, for messages.
    public let what: String
    public let count: Int
    public let limit: Int
  }
}
