/// Cuts bytes that come in pieces into lines, and keeps no more of a line than a limit.
struct LineSplitter {
  /// A line without its end, or that it is longer than the limit.
  enum Line: Equatable {
    case whole(ArraySlice<UInt8>)
    case tooLong
  }

  /// The longest line in bytes.
  let limit: Int
  /// The beginning of the line whose end has not come yet.
  private var rest: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  /// Takes the next bytes, and calls `body` with each line that ends in them.
  mutating func add(_ bytes: ArraySlice<UInt8>, _ body: (Line) -> Void) {
    var bytes = bytes
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      keep(bytes[..<end])
      finish(body)
      bytes = bytes[(end + 1)...]
    }
    keep(bytes)
  }

  /// Calls `body` with the last line if it has no end.
  mutating func end(_ body: (Line) -> Void) {
    if isTooLong || !rest.isEmpty { finish(body) }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong, rest.count + bytes.count <= limit else {
      isTooLong = true
      return
    }
    rest += bytes
  }

  private mutating func finish(_ body: (Line) -> Void) {
    if isTooLong {
      body(.tooLong)
    } else {
      body(.whole(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest[...]))
    }
    rest.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}
