import Frames
import ShaderEffects

/// A message of Open Sound Control 1.0: an address and its arguments.
struct OSCMessage: Equatable {
  /// An argument; numbers and truth values of all types are numbers.
  enum Argument: Equatable {
    case number(Double)
    case text(String)
  }

  let address: String
  let arguments: [Argument]

  /// The deepest nesting of bundles, so that no packet can exhaust a thread's stack.
  private static let deepest = 8

  /// Reads a whole packet: a message, or a bundle of them, whose time is not heeded.
  static func parse(_ bytes: ArraySlice<UInt8>) throws(ControlError) -> [OSCMessage] {
    var messages: [OSCMessage] = []
    try parse(bytes, depth: 0, into: &messages)
    return messages
  }

  private static func parse(
    _ bytes: ArraySlice<UInt8>, depth: Int, into messages: inout [OSCMessage]
  ) throws(ControlError) {
    var rest = OSCBytes(bytes)
    guard bytes.first == UInt8(ascii: "#") else {
      messages.append(try OSCMessage(&rest))
      return
    }
    guard depth < deepest, try rest.text() == "#bundle" else {
      throw ControlError("it is no OSC packet")
    }
    _ = try rest.take(8)
    while !rest.isAtEnd {
      let count = Int(try rest.number() as Int32)
      guard count >= 0 else { throw ControlError("it is no OSC packet") }
      try parse(try rest.take(count), depth: depth + 1, into: &messages)
    }
  }

  init(address: String, arguments: [Argument]) {
    (self.address, self.arguments) = (address, arguments)
  }

  private init(_ bytes: inout OSCBytes) throws(ControlError) {
    address = try bytes.text()
    guard address.hasPrefix("/") else { throw ControlError("it is no OSC packet") }
    var arguments: [Argument] = []
    // Some old programs leave out the types where there are no arguments.
    let types = bytes.isAtEnd ? "," : try bytes.text()
    guard types.hasPrefix(",") else { throw ControlError("it has arguments without types") }
    for type in types.unicodeScalars.dropFirst() {
      switch type {
      case "i": arguments.append(.number(Double(try bytes.number() as Int32)))
      case "h": arguments.append(.number(Double(try bytes.number() as Int64)))
      case "f":
        arguments.append(.number(Double(Float(bitPattern: try bytes.number() as UInt32))))
      case "d": arguments.append(.number(Double(bitPattern: try bytes.number() as UInt64)))
      case "T": arguments.append(.number(1))
      case "F": arguments.append(.number(0))
      case "I", "N": break
      case "s", "S": arguments.append(.text(try bytes.text()))
      default:
        throw ControlError("it has an argument of the type '\(type)'; there are i h f d T F s")
      }
    }
    self.arguments = arguments
  }

  /// Returns what the message asks for: `/effect/1/amount 0.5`, `/effect/vignette/mix 0`, `/amount 0.5`, or
  /// `/glide 200`.
  func command() throws(ControlError) -> ControlCommand {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    let value = try value
    switch parts.count {
    case 1 where parts[0] == "glide":
      guard case .numbers(let numbers) = value, numbers.count == 1,
        let glide = ControlCommand.glide(milliseconds: numbers[0])
      else { throw ControlCommand.glideMistake }
      return .glide(glide)
    case 1 where !parts[0].isEmpty:
      return .change(
        place: .firstWithParameter, parameter: parts[0], value: value, glide: nil)
    case 3 where parts[0] == "effect":
      return .change(
        place: ControlCommand.place(parts[1]), parameter: parts[2], value: value, glide: nil)
    default:
      throw ControlError(
        "there is no address '\(address.prefix(60))'; write /effect/1/amount, /amount or /glide")
    }
  }

  private var value: GivenValue {
    get throws(ControlError) {
      var (numbers, texts): ([Double], [String]) = ([], [])
      for argument in arguments {
        switch argument {
        case .number(let number): numbers.append(number)
        case .text(let text): texts.append(text)
        }
      }
      guard texts.isEmpty || numbers.isEmpty else {
        throw ControlError("\(address.prefix(60)) mixes numbers and strings; send one type")
      }
      return texts.isEmpty ? .numbers(numbers) : .text(texts.joined(separator: "/"))
    }
  }
}

/// The bytes of a packet, taken one after another.
private struct OSCBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) throws(ControlError) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw ControlError("it is no OSC packet, or was cut off") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Takes a number with its highest byte first.
  mutating func number<Number: FixedWidthInteger>() throws(ControlError) -> Number {
    var number: Number = 0
    for byte in try take(MemoryLayout<Number>.size) {
      number = number << 8 | Number(truncatingIfNeeded: byte)
    }
    return number
  }

  /// Takes a text, which ends with one to four zeros, at a multiple of four bytes.
  mutating func text() throws(ControlError) -> String {
    guard let end = rest.firstIndex(of: 0),
      let text = String(validating: rest[..<end], as: UTF8.self)
    else { throw ControlError("it is no OSC packet, or was cut off") }
    let count = (end - rest.startIndex) / 4 * 4 + 4
    _ = try take(min(count, rest.count))
    return text
  }
}
