/// The 64-bit FNV-1a hash of some bytes (draft-eastlake-fnv).
///
/// It finds damage and makes names; it is no defence against someone who looks for two texts with
/// one fingerprint, so whoever finds an entry by it must compare what the entry was made from.
package struct Fingerprint: Sendable, Equatable, CustomStringConvertible {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init(of bytes: some Collection<UInt8>) {
    // By the memory where there is one: a generic collection costs many times more a byte.
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { memory in
      for byte in memory { add(byte) }
    }
    if isDone == nil { for byte in bytes { add(byte) } }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// 16 hexadecimal digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
