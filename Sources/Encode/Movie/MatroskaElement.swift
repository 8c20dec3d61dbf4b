import Glibc

/// The head of an element in a Matroska file (RFC 8794, 4 to 6).
struct MatroskaElement {
  let id: UInt32
  /// Byte range of the contents in the file; it ends at the file's end if the size is unknown.
  let body: Range<Int64>

  static let fileStart: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  private static let segment: UInt32 = 0x1853_8067
  private static let cluster: UInt32 = 0x1F43_B675
  private static let group: UInt32 = 0xA0
  private static let block: UInt32 = 0xA1
  private static let simpleBlock: UInt32 = 0xA3

  /// Reads the element that starts at `position`; nil if there is none.
  private init?(of file: Int32, at position: Int64, end: Int64) {
    var head = [UInt8](repeating: 0, count: 12)
    let count = pread(file, &head, head.count, off_t(position))
    guard count > 1, position + 2 <= end else { return nil }
    let idLength = head[0].leadingZeroBitCount + 1
    guard idLength <= 4, idLength < count else { return nil }
    id = head[..<idLength].reduce(0) { $0 << 8 | UInt32($1) }
    let sizeLength = head[idLength].leadingZeroBitCount + 1
    guard sizeLength <= 8, idLength + sizeLength <= count else { return nil }
    let field = head[idLength..<idLength + sizeLength].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let size = field & ((1 << (7 * UInt64(sizeLength))) - 1)
    let isUnknown = size == (1 << (7 * UInt64(sizeLength))) - 1
    let start = position + Int64(idLength + sizeLength)
    guard start <= end else { return nil }
    body = start..<(isUnknown ? end : start + min(Int64(clamping: size), end - start))
  }

  private static func elements(of file: Int32, in range: Range<Int64>) -> some Sequence<Self> {
    sequence(state: range.lowerBound) { position in
      guard let element = MatroskaElement(of: file, at: position, end: range.upperBound) else {
        return nil
      }
      position = element.body.upperBound
      return element
    }
  }

  private static func clusters(of file: Int32, size: Int64) -> some Sequence<Self> {
    elements(of: file, in: 0..<size).lazy.filter { $0.id == segment }
      .flatMap { elements(of: file, in: $0.body) }.filter { $0.id == cluster }
  }

  /// Whether a file contains more than its header.
  static func holdsCluster(_ file: Int32, size: Int64) -> Bool {
    clusters(of: file, size: size).contains { _ in true }
  }

  /// Returns the number of blocks of each track, by track number.
  static func blocks(of file: Int32, size: Int64) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    func count(_ element: MatroskaElement) {
      // libavformat uses small track numbers, which take one byte.
      var track: UInt8 = 0
      if pread(file, &track, 1, off_t(element.body.lowerBound)) == 1 {
        counts[Int(track & 0x7F), default: 0] += 1
      }
    }
    for cluster in clusters(of: file, size: size) {
      for element in elements(of: file, in: cluster.body) {
        if element.id == simpleBlock { count(element) }
        guard element.id == group else { continue }
        for inner in elements(of: file, in: element.body) where inner.id == block { count(inner) }
      }
    }
    return counts
  }
}
