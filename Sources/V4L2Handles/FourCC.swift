/// The four characters that name a pixel format in V4L2 ("YUYV"); the highest bit means big endian.
package struct FourCC: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a code from `text`, which must have four ASCII characters.
  package init(_ text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4)
    rawValue = (0..<4).reduce(0) { $0 | UInt32(text.utf8Start[$1]) << (8 * UInt32($1)) }
  }
}

extension FourCC: CustomStringConvertible {
  /// The characters without trailing spaces, and `-BE` if the format is big endian.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7fff_ffff) >> (8 * $0)) }
    // A driver's code may contain any bytes.
    var text = String(
      decoding: bytes.map { 0x20...0x7e ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    while text.last == " " { text.removeLast() }
    return rawValue >> 31 == 0 ? text : text + "-BE"
  }
}
