import Glibc

/// A numeric address, such as 127.0.0.1 or ::1.
package struct NumericAddress: Sendable, Equatable {
  package let isIPv6: Bool
  /// Only programs on this machine can reach it.
  package let isLoopback: Bool
  /// All addresses of this machine.
  package let isWildcard: Bool

  /// - Parameter text: The address without brackets; anything else gives nil.
  package init?(_ text: String) {
    var (old, new) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &old) == 1 {
      let number = UInt32(bigEndian: old.s_addr)
      (isIPv6, isLoopback, isWildcard) = (false, number >> 24 == 127, number == 0)
    } else if inet_pton(AF_INET6, text, &new) == 1 {
      let bytes = withUnsafeBytes(of: &new) { Array($0) }
      let isZero = bytes.dropLast().allSatisfy { $0 == 0 }
      (isIPv6, isLoopback, isWildcard) = (true, isZero && bytes[15] == 1, isZero && bytes[15] == 0)
    } else {
      return nil
    }
  }
}
