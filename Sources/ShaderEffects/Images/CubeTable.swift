public import Frames
import Glibc
import ShaderCompiler

/// A colour table from a `.cube` file, as Adobe and IRIDAS define it ("Cube LUT Specification 1.0").
///
/// A table of one dimension is a curve for each channel; one of three dimensions has a result for each
/// colour.
public struct CubeTable: Sendable, Equatable {
  /// The number of dimensions: 1 or 3.
  public private(set) var dimensions = 0
  /// The number of entries in each dimension.
  public private(set) var size = 0
  /// The input colours of the first and the last entry.
  public private(set) var low: [Float] = [0, 0, 0]
  public private(set) var high: [Float] = [1, 1, 1]
  /// Three numbers per entry; with three dimensions red changes fastest.
  public private(set) var entries: [Float] = []
  /// The last line that sets `low` or `high`.
  private var domainLine = 0

  /// The sizes that the specification allows.
  static let sizes = [1: 2...65536, 3: 2...256]
  /// The largest file that is read, in bytes: more than the largest table needs.
  private static let longest = 1 << 30

  /// Reads a file.
  ///
  /// - Throws: A sentence that names the file and, if there is one, the line.
  public init(path: String) throws(CubeTableError) {
    let bytes: [UInt8]
    do { bytes = try SourceFile.bytes(path, limit: Self.longest) } catch {
      throw CubeTableError("\(path) cannot be read as a table: \(error.reason)")
    }
    try self.init(bytes, name: path)
  }

  /// Reads the bytes of a file; messages call the file `name`.
  init(_ bytes: [UInt8], name: String) throws(CubeTableError) {
    var reader = CubeReader(bytes: bytes)
    while reader.nextLine() {
      do throws(CubeReader.Problem) { try read(&reader) } catch {
        throw CubeTableError("\(name):\(reader.line): \(error.message)")
      }
    }
    guard zip(low, high).allSatisfy({ $0 < $1 }) else {
      throw CubeTableError("\(name):\(domainLine): DOMAIN_MAX must be above DOMAIN_MIN")
    }
    guard dimensions > 0 else {
      throw CubeTableError("\(name) has no LUT_3D_SIZE or LUT_1D_SIZE; is it a .cube table?")
    }
    guard entries.count == 3 * count else {
      throw CubeTableError(
        "\(name):\(reader.line): ends after \(entries.count / 3) of the \(count) entries that its size "
          + "needs")
    }
  }

  /// The number of entries that the size requires.
  private var count: Int { dimensions == 3 ? size * size * size : size }

  private mutating func read(_ reader: inout CubeReader) throws(CubeReader.Problem) {
    guard let word = reader.keyword() else {
      guard dimensions > 0 else {
        throw reader.problem("an entry before LUT_3D_SIZE or LUT_1D_SIZE")
      }
      guard entries.count < 3 * count else {
        throw reader.problem("more than the \(count) entries that its size needs")
      }
      try reader.numbers(3) { entries.append($0) }
      return
    }
    if word.hasPrefix("DOMAIN_") || word.hasSuffix("_INPUT_RANGE") { domainLine = reader.line }
    switch word {
    case "TITLE": return
    case "LUT_1D_SIZE", "LUT_3D_SIZE":
      guard dimensions == 0 else {
        throw reader.problem("a second size; kfrec cannot apply a curve before a cube")
      }
      dimensions = word == "LUT_1D_SIZE" ? 1 : 3
      let allowed = Self.sizes[dimensions] ?? 0...0
      let wanted = try reader.list(1)[0]
      guard let size = Int(exactly: wanted), allowed.contains(size) else {
        throw reader.problem(
          "\(word) must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound)")
      }
      self.size = size
      entries.reserveCapacity(3 * count)
    case "DOMAIN_MIN": low = try reader.list(3)
    case "DOMAIN_MAX": high = try reader.list(3)
    case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
      let range = try reader.list(2)
      (low, high) = ([range[0], range[0], range[0]], [range[1], range[1], range[1]])
    default: throw reader.problem("'\(word)' is not a keyword of a .cube table")
    }
  }
}

/// A table that cannot be read, described in one sentence.
public struct CubeTableError: Error, CustomStringConvertible, Equatable {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension EffectImage {
  /// The number of texels in a row of a table's image.
  static let tableWidth = 2048

  /// Stores a table as an image.
  ///
  /// The first row holds (entries per dimension, dimensions, 0, 0), the low end of the domain and the
  /// high end; from the second row on come the entries, in their order.
  public convenience init(
    _ table: CubeTable, name: String = "", stamp: FileStamp? = nil
  ) {
    let width = EffectImage.tableWidth
    let rows = (table.entries.count / 3 + width - 1) / width
    var texels = [Float](repeating: 0, count: 4 * width * (1 + rows))
    texels[0] = Float(table.size)
    texels[1] = Float(table.dimensions)
    for part in 0..<3 {
      texels[4 + part] = table.low[part]
      texels[8 + part] = table.high[part]
    }
    for entry in 0..<table.entries.count / 3 {
      for part in 0..<3 { texels[4 * (width + entry) + part] = table.entries[3 * entry + part] }
      texels[4 * (width + entry) + 3] = 1
    }
    self.init(width: width, height: 1 + rows, texels: texels, name: name, stamp: stamp)
  }
}

/// Reads the lines and words of a `.cube` file.
struct CubeReader {
  struct Problem: Error {
    let message: String
  }

  /// The bytes of the file, with a 0 at the end, where `strtof` stops.
  private let bytes: [UInt8]
  private var next = 0
  /// The unread rest of the line, as a range of `bytes`.
  private var rest = 0..<0
  /// The line number, counted from 1.
  private(set) var line = 0

  init(bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = (bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes) + [0]
  }

  func problem(_ message: String) -> Problem { Problem(message: message) }

  /// Moves to the next line that is neither blank nor a comment; false at the end.
  mutating func nextLine() -> Bool {
    let end = bytes.count - 1
    while next < end {
      var stop = next
      while stop < end, bytes[stop] != UInt8(ascii: "\n"), bytes[stop] != UInt8(ascii: "\r") {
        stop += 1
      }
      rest = next..<stop
      line += 1
      next = stop + 1
      if bytes[stop] == UInt8(ascii: "\r"), next < end, bytes[next] == UInt8(ascii: "\n") {
        next += 1
      }
      skipBlanks()
      if !rest.isEmpty, bytes[rest.lowerBound] != UInt8(ascii: "#") { return true }
    }
    return false
  }

  private mutating func skipBlanks() {
    let start = rest.first {
      bytes[$0] != UInt8(ascii: " ") && bytes[$0] != UInt8(ascii: "\t")
    }
    rest = (start ?? rest.upperBound)..<rest.upperBound
  }

  private mutating func word() -> Range<Int>? {
    skipBlanks()
    guard let start = rest.first else { return nil }
    let end = rest.first { bytes[$0] <= UInt8(ascii: " ") } ?? rest.upperBound
    rest = end..<rest.upperBound
    return start..<end
  }

  /// Reads the line's first word if it begins with a letter.
  mutating func keyword() -> String? {
    guard let first = rest.first, bytes[first].isLetter else { return nil }
    return word().map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Returns the rest of the line, which must be `count` numbers.
  mutating func list(_ count: Int) throws(Problem) -> [Float] {
    var numbers: [Float] = []
    try self.numbers(count) { numbers.append($0) }
    return numbers
  }

  /// Reads the rest of the line, which must be `count` numbers, without an allocation.
  mutating func numbers(_ count: Int, _ body: (Float) -> Void) throws(Problem) {
    for _ in 0..<count {
      guard let word = word() else { throw problem("\(count) numbers are expected here") }
      guard let number = number(word) else {
        throw problem("'\(String(decoding: bytes[word], as: UTF8.self))' is not a number")
      }
      body(number)
    }
    guard word() == nil else { throw problem("more than \(count) numbers") }
  }

  /// Parses digits with a sign, a point and an exponent; refuses the other forms that `strtof` accepts.
  private func number(_ word: Range<Int>) -> Float? {
    guard bytes[word].allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.advanced(by: word.lowerBound) else { return nil }
      var end: UnsafeMutablePointer<CChar>?
      let value = strtof(start.assumingMemoryBound(to: CChar.self), &end)
      let isWhole = end.map { UnsafeRawPointer($0) } == start + word.count
      return isWhole && value.isFinite ? value : nil
    }
  }
}
