/// Which GPU somebody wants.
public struct GPUPreference: Sendable, Equatable {
  /// Number in the listing, UUID, PCI address, or part of the name; nil for the one that a scheduler gave, or
  /// the best.
  public var selector: String?
  /// Whether a software driver is an error.
  public var requiresHardware: Bool

  public init(selector: String? = nil, requiresHardware: Bool = false) {
    (self.selector, self.requiresHardware) = (selector, requiresHardware)
  }

  /// Chooses a device among those of the loader, in its order, and returns its index.
  ///
  /// It is the one that `selector` names; else the one that the scheduler gave, if there is a hardware GPU;
  /// else the best kind among the suitable ones, the first of equals.
  ///
  /// - Throws: If no device is the wanted one, or if it is unsuitable.
  public func choose(
    among devices: [DeviceFacts], given: GPUAllocation? = nil
  ) throws(VulkanError) -> Int {
    guard !devices.isEmpty else { throw .noDriver }
    if requiresHardware, devices.allSatisfy({ $0.kind == .cpu }) { throw .onlySoftware(devices[0]) }
    if let selector {
      guard let found = GPUPreference.index(of: selector, among: devices) else {
        throw VulkanError("there is no GPU \"\(selector)\"; there is \(listed(devices))")
      }
      if requiresHardware, devices[found].kind == .cpu { throw .onlySoftware(devices[found]) }
      return try suitable(found, devices)
    }
    if let found = try given?.choose(among: devices) { return try suitable(found, devices) }
    let suitable = devices.indices.filter {
      devices[$0].missing.isEmpty && (!requiresHardware || devices[$0].kind != .cpu)
    }
    guard let best = suitable.min(by: { (devices[$0].kind, $0) < (devices[$1].kind, $1) }) else {
      throw .unsuitable(devices.first { $0.kind != .cpu } ?? devices[0])
    }
    return best
  }

  private func suitable(_ index: Int, _ devices: [DeviceFacts]) throws(VulkanError) -> Int {
    guard devices[index].missing.isEmpty else { throw .unsuitable(devices[index]) }
    return index
  }

  private static func index(of selector: String, among devices: [DeviceFacts]) -> Int? {
    if let number = Int(selector) {
      // A number outside the listing may be a whole number in the device's name, such as 3060.
      return devices.indices.contains(number)
        ? number : devices.firstIndex { $0.numbersInName.contains(selector) }
    }
    if let address = PCIAddress(selector) {
      return devices.firstIndex { $0.pciAddress == address }
    }
    if let digits = DeviceFacts.uuidDigits(selector) {
      return devices.firstIndex { $0.uuid.hasPrefix(digits) }
    }
    return devices.firstIndex { $0.name.lowercased().contains(selector.lowercased()) }
  }
}

/// The devices as words for a message.
func listed(_ devices: [DeviceFacts]) -> String {
  devices.enumerated().map { "\($0.offset) (\($0.element.name))" }.joined(separator: ", ")
}

extension DeviceFacts {
  fileprivate var numbersInName: [String] {
    name.split { !("0"..."9" ~= $0) }.map { String($0) }
  }

  /// The hexadecimal digits of a UUID, or of its beginning after "GPU-"; nil for other words.
  static func uuidDigits(_ word: String) -> String? {
    let isMarked = word.uppercased().hasPrefix("GPU-")
    let digits = (isMarked ? word.dropFirst(4) : word[...]).filter { $0 != "-" }.lowercased()
    guard digits.allSatisfy({ "0"..."9" ~= $0 || "a"..."f" ~= $0 }), digits.count <= 32 else {
      return nil
    }
    return digits.count == 32 || isMarked && digits.count >= 4 ? digits : nil
  }
}

extension VulkanError {
  static func onlySoftware(_ device: DeviceFacts) -> VulkanError {
    VulkanError(
      """
      there is no hardware GPU, only the software driver \(device.name), and --require-gpu was given; see whether \
      the GPU's driver and its Vulkan file are installed here, or leave out --require-gpu
      """)
  }
}
