/// The 64-bit FNV-1a hash of some bytes (draft-eastlake-fnv).
///
/// It detects damage and makes file names. It gives no protection against someone who searches for
/// two texts with one fingerprint, so code that finds an entry by it must compare what the entry
/// was made from.
public struct Fingerprint: Sendable, Equatable, CustomStringConvertible {
  public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init(of bytes: some Collection<UInt8>) {
    // Reads the memory directly if possible: a generic collection costs many times more per byte.
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { memory in
      for byte in memory { add(byte) }
    }
    if isDone == nil { for byte in bytes { add(byte) } }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// 16 hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
