import Window

/// What comes from a terminal: keys, and answers to questions.
enum TerminalInput: Equatable {
  /// A key that means something; `steps` is 10 with shift.
  case key(WindowKey, steps: Int)
  /// What the terminal says of itself, and whether it can draw sixels.
  case attributes(hasSixels: Bool)
  /// The terminal knows kitty's protocol for images.
  case kittyImages
  /// Everything that was written before was taken.
  case ready
}

/// Cuts the bytes of a terminal into inputs; sequences that mean nothing are left out.
///
/// The sequences are those of ECMA-48 and of xterm.
struct TerminalKeys {
  /// The beginning of a sequence whose end has not come yet.
  private var rest: [UInt8] = []

  /// Longer sequences are none.
  private static let longest = 256
  private static let escape = UInt8(ascii: "\u{1b}")

  /// Whether an escape character came that begins a sequence, or somebody pressed Esc.
  var hasLoneEscape: Bool { rest == [Self.escape] }

  /// Takes a lone escape character for Esc, because nothing follows it.
  mutating func endEscape() { if hasLoneEscape { rest = [] } }

  /// Takes the next bytes; returns what they mean together with those before them.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [TerminalInput] {
    var unread = rest + bytes
    var inputs: [TerminalInput] = []
    while let first = unread.first {
      guard first == Self.escape else {
        unread.removeFirst()
        if let key = Self.key(first) { inputs.append(key) }
        continue
      }
      guard let length = Self.length(unread) else { break }
      if let input = Self.meaning(Array(unread[..<length])) { inputs.append(input) }
      unread.removeFirst(length)
    }
    rest = unread.count > Self.longest ? [] : unread
    return inputs
  }

  private static func key(_ byte: UInt8) -> TerminalInput? {
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    // Some terminals send backspace as DEL.
    let symbol = byte == 0x7f ? 0x08 : isCapital ? byte + 32 : byte
    return WindowKey(symbol: UInt32(symbol), isShifted: isCapital).map { .key($0, steps: 1) }
  }

  /// The length of the sequence at the beginning; nil if its end has not come yet.
  ///
  /// An escape character that begins no sequence is one by itself: somebody pressed Esc.
  private static func length(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      // F1 to F5 of Linux's console have one more byte.
      if bytes.count > 2, bytes[2] == bytes[1] { return bytes.count > 3 ? 4 : nil }
      // Parameters and intermediates, then one final byte.
      guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3f).contains($0) })
      else { return nil }
      return end + 1
    case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
      // Text that ends with ESC \, or also with BEL.
      for place in bytes.indices.dropFirst(2) {
        if bytes[place] == 0x07 { return place + 1 }
        if bytes[place] == escape {
          return place + 1 < bytes.count ? place + 2 : nil
        }
      }
      return bytes.count > longest ? bytes.count : nil
    default: return 1
    }
  }

  private static func meaning(_ sequence: [UInt8]) -> TerminalInput? {
    guard sequence.count > 2, let final = sequence.last else { return nil }
    let body = String(decoding: sequence.dropFirst(2), as: UTF8.self)
    if sequence[1] == UInt8(ascii: "_") {
      return body.hasPrefix("Gi=31;OK") ? .kittyImages : nil
    }
    guard sequence[1] == UInt8(ascii: "[") || sequence[1] == UInt8(ascii: "O") else { return nil }
    guard !body.hasPrefix("[") else { return nil }
    let parameters = body.dropLast().split(separator: ";", omittingEmptySubsequences: false)
    let steps = parameters.last == "2" && parameters.count == 2 ? 10 : 1
    switch final {
    case UInt8(ascii: "A"): return .key(.previousParameter, steps: 1)
    case UInt8(ascii: "B"): return .key(.nextParameter, steps: 1)
    case UInt8(ascii: "C"): return .key(.more, steps: steps)
    case UInt8(ascii: "D"): return .key(.less, steps: steps)
    case UInt8(ascii: "Z"): return .key(.previousParameter, steps: 1)
    case UInt8(ascii: "c") where body.hasPrefix("?"):
      return .attributes(hasSixels: parameters.dropFirst().contains("4"))
    case UInt8(ascii: "n"): return .ready
    default: return nil
    }
  }
}
