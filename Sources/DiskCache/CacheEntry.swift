/// The file format of a cache entry: a mark with the format's version, a checksum of all bytes
/// after it, then the parts, each preceded by its length.
///
/// Numbers are 8 bytes, little endian.
enum CacheEntry {
  /// A new file format gets a new last digit, so an old file counts as damaged and is replaced.
  static let mark = Array("kfcache1".utf8)

  static func bytes(of parts: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(parts.reduce(0) { $0 + $1.count + 8 })
    for part in parts { body += bytes(of: UInt64(part.count)) + part }
    return mark + bytes(of: Fingerprint(of: body).value) + body
  }

  /// Returns the parts in a file's bytes, or nil if these are not exactly what `bytes` made.
  static func parts(of file: [UInt8]) -> [ArraySlice<UInt8>]? {
    guard file.starts(with: mark) else { return nil }
    var rest = file[mark.count...]
    guard let checksum = takeNumber(from: &rest), checksum == Fingerprint(of: rest).value else {
      return nil
    }
    var parts: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      guard let length = takeNumber(from: &rest), length <= UInt64(rest.count) else { return nil }
      parts.append(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
    }
    return parts
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func takeNumber(from bytes: inout ArraySlice<UInt8>) -> UInt64? {
    guard bytes.count >= 8 else { return nil }
    defer { bytes = bytes.dropFirst(8) }
    return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
