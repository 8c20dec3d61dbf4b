/// A message between the program and its compiler process: the length of the rest, then parts, each after its own
/// length; numbers are 8 bytes, little endian.
enum CompilerMessage {
  /// The length of a message's own length.
  static let headLength = 8

  static func bytes(_ parts: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(parts.reduce(headLength) { $0 + $1.count + 8 })
    for part in parts { body += number(part.count) + part }
    return number(body.count) + body
  }

  /// The length that the first bytes of a message tell.
  static func length(_ head: [UInt8]) -> Int? {
    var rest = head[...]
    return takeNumber(&rest)
  }

  /// The parts of a message without its head; nil if it is damaged.
  static func parts(_ body: [UInt8]) -> [[UInt8]]? {
    var rest = body[...]
    var parts: [[UInt8]] = []
    while !rest.isEmpty {
      guard let count = takeNumber(&rest), count <= rest.count else { return nil }
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  private static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(value).littleEndian) { Array($0) }
  }

  private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 8 else { return nil }
    defer { bytes = bytes.dropFirst(8) }
    return Int(exactly: bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

extension CompilerMessage {
  /// A request: a text to compile, and the seconds that it may take.
  static func request(_ inputs: CompilerInputs, includes: IncludeResolver, seconds: Int) -> [UInt8]
  {
    let texts = [
      inputs.source, inputs.name, inputs.marksFaults ? "marked" : "", "\(seconds)",
      "\(includes.roots.count)",
    ]
    return bytes(
      (texts + includes.roots + includes.readableFolders).map { Array($0.utf8) })
  }

  static func request(
    of body: [UInt8]
  ) -> (inputs: CompilerInputs, includes: IncludeResolver, seconds: Int)? {
    guard let texts = parts(body)?.map({ String(decoding: $0, as: UTF8.self) }), texts.count >= 5,
      let seconds = Int(texts[3]), let count = Int(texts[4]), 0...(texts.count - 5) ~= count
    else { return nil }
    return (
      CompilerInputs(source: texts[0], name: texts[1], marksFaults: !texts[2].isEmpty),
      IncludeResolver(
        roots: Array(texts[5..<(5 + count)]), others: Array(texts[(5 + count)...])), seconds
    )
  }

  /// An answer: the module, or why there is none.
  static func answer(_ made: MadeModule) -> [UInt8] {
    bytes(
      [made.named, made.words].map { $0.withUnsafeBytes { Array($0) } }
        + [Array(made.messages.utf8), Array((made.problem ?? "").utf8)]
        + made.includes.flatMap(\.parts))
  }

  static func answer(of body: [UInt8]) -> MadeModule? {
    guard let parts = parts(body), parts.count >= 4, parts.count % 5 == 4 else { return nil }
    func text(_ at: Int) -> String { String(decoding: parts[at], as: UTF8.self) }
    let includes = stride(from: 4, to: parts.count, by: 5).map {
      IncludeAnswer(parts: parts[$0..<$0 + 5])
    }
    return MadeModule(
      named: parts[0].withUnsafeBytes([UInt32].init),
      words: parts[1].withUnsafeBytes([UInt32].init),
      messages: text(2), includes: includes, problem: parts[3].isEmpty ? nil : text(3))
  }
}
