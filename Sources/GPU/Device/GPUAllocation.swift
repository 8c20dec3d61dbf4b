/// The GPUs that a scheduler gave to this process, which Vulkan itself does not ask about.
public struct GPUAllocation: Sendable, Equatable {
  private enum Name: Equatable {
    /// The index among the GPUs in the order of their PCI addresses.
    case index(Int)
    /// The first digits of the UUID.
    case uuid(String)
  }

  /// The variable that names them.
  private let variable: String
  private let isOfCUDA: Bool
  private let text: String
  private let names: [Name]

  /// Reads CUDA_VISIBLE_DEVICES, or without it SLURM_JOB_GPUS; nil if neither names a device.
  public init?(environment: (String) -> String?) {
    for variable in ["CUDA_VISIBLE_DEVICES", "SLURM_JOB_GPUS"] {
      guard let text = environment(variable) else { continue }
      let names = text.split(separator: ",").map { word -> Name? in
        let word = word.filter { !$0.isWhitespace }
        if let number = Int(word), number >= 0 { return .index(number) }
        return word.hasPrefix("GPU-") ? DeviceFacts.uuidDigits(word).map { .uuid($0) } : nil
      }
      guard !names.isEmpty, names.allSatisfy({ $0 != nil }) else { continue }
      (self.variable, self.text) = (variable, text)
      isOfCUDA = variable.hasPrefix("CUDA")
      self.names = names.compactMap(\.self)
      return
    }
    return nil
  }

  /// Returns the index of the first device that was given; nil if there is no GPU that the variable is about.
  ///
  /// - Throws: If there are such GPUs, and the given one is not among them.
  func choose(among devices: [DeviceFacts]) throws(VulkanError) -> Int? {
    let nvidia: UInt32 = 0x10de
    let candidates = devices.indices.filter {
      devices[$0].kind != .cpu && (!isOfCUDA || devices[$0].vendor == nvidia)
    }.sorted { (a, b) in
      switch (devices[a].pciAddress, devices[b].pciAddress) {
      case (let first?, let second?) where first != second: first < second
      case (.some, nil): true
      case (nil, .some): false
      default: a < b
      }
    }
    guard let name = names.first, !candidates.isEmpty else { return nil }
    switch name {
    case .uuid(let digits):
      if let found = candidates.first(where: { devices[$0].uuid.hasPrefix(digits) }) {
        return found
      }
    case .index(let index):
      if index < candidates.count { return candidates[index] }
      // The number counts all devices of the machine, and the others are hidden.
      if candidates.count == names.count { return candidates[0] }
    }
    throw VulkanError(
      "the scheduler gave the GPU \(text) (\(variable)), which Vulkan does not show; there is "
        + "\(listed(devices)): name one with --gpu")
  }
}
