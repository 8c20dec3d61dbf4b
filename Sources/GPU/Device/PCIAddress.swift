/// Where a device is on the PCI buses, such as 0000:3b:00.0.
public struct PCIAddress: Sendable, Equatable, Comparable, CustomStringConvertible {
  private let domain, bus, device, function: UInt32

  public init(domain: UInt32, bus: UInt32, device: UInt32, function: UInt32) {
    (self.domain, self.bus) = (domain, bus)
    (self.device, self.function) = (device, function)
  }

  /// Reads "3b:00.0", "0000:3b:00.0" (`lspci`) or "00000000:3B:00.0" (`nvidia-smi`); nil for other words.
  public init?(_ word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let last = parts.last else { return nil }
    let place = last.split(separator: ".", omittingEmptySubsequences: false)
    guard place.count == 2 else { return nil }
    let numbers = (parts.count == 2 ? ["0"] : []) + parts.dropLast() + place
    let values = numbers.compactMap { number -> UInt32? in
      number.allSatisfy(\.isHexDigit) ? UInt32(number, radix: 16) : nil
    }
    guard values.count == 4, values[1] < 256, values[2] < 32, values[3] < 8 else { return nil }
    self.init(domain: values[0], bus: values[1], device: values[2], function: values[3])
  }

  public var description: String {
    func digits(_ number: UInt32, _ count: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return
      "\(digits(domain, 4)):\(digits(bus, 2)):\(digits(device, 2)).\(digits(function, 1))"
  }

  public static func < (a: PCIAddress, b: PCIAddress) -> Bool {
    (a.domain, a.bus, a.device, a.function) < (b.domain, b.bus, b.device, b.function)
  }
}
