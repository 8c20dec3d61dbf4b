import Control
import Frames
import ShaderEffects

/// What the page asks for: one JSON object.
enum PageChange: Equatable {
  case set(EffectID, parameter: String, value: GivenValue)
  case mute(EffectID, isOn: Bool)
  case chain(ChainChange)
  case movie(isOn: Bool)
  case still

  /// Numbers that a value may have; no parameter has more than four.
  private static let mostNumbers = 16

  /// Reads a body.
  init(_ body: [UInt8]) throws(PageError) {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw PageError("the body is not UTF-8")
    }
    let (value, end): (LocatedJSON, Int)
    do throws(LocatedError) { (value, end) = try LocatedJSONParser.parse(text) } catch {
      // It quotes a whole word, which may be the whole body.
      throw PageError("byte \(error.offset + 1): \(error.message.onOneLine(atMost: 200))")
    }
    guard case .object(let members) = value.value,
      text.utf8.dropFirst(end).allSatisfy({ " \t\r\n".utf8.contains($0) })
    else { throw PageError("the body is not one object { }") }
    try self.init(PageMembers(members))
  }

  private init(_ members: PageMembers) throws(PageError) {
    switch try members.text("do") {
    case "set":
      self = .set(
        EffectID(try members.whole("effect")), parameter: try members.text("parameter"),
        value: try members.given("value", most: Self.mostNumbers))
    case "mute": self = .mute(EffectID(try members.whole("effect")), isOn: try members.flag("on"))
    case "add": self = .chain(.add(name: try members.text("name")))
    case "remove": self = .chain(.remove(tag: try members.whole("effect")))
    case "move":
      self = .chain(.move(tag: try members.whole("effect"), by: try members.whole("by")))
    case "record": self = .movie(isOn: try members.flag("on"))
    case "still": self = .still
    case let other:
      throw PageError(
        "\"do\" is \"\(other.onOneLine(atMost: 40))\"; there are set, mute, add, remove, move, record and still"
      )
    }
  }
}

/// The members of the object, each taken as what it has to be.
private struct PageMembers {
  private let members: [LocatedJSON.Member]

  init(_ members: [LocatedJSON.Member]) { self.members = members }

  private func value(_ key: String) throws(PageError) -> LocatedJSON {
    guard let found = members.first(where: { $0.key == key }) else {
      throw PageError("there is no \"\(key)\"")
    }
    return found.value
  }

  func text(_ key: String) throws(PageError) -> String {
    guard case .string(let text) = try value(key).value else {
      throw PageError("\"\(key)\" is no text")
    }
    return text
  }

  func flag(_ key: String) throws(PageError) -> Bool {
    guard case .bool(let flag) = try value(key).value else {
      throw PageError("\"\(key)\" is neither true nor false")
    }
    return flag
  }

  func whole(_ key: String) throws(PageError) -> Int {
    guard case .number(let number) = try value(key).value, let whole = Int32(exactly: number) else {
      throw PageError("\"\(key)\" is no whole number")
    }
    return Int(whole)
  }

  func given(_ key: String, most: Int) throws(PageError) -> GivenValue {
    switch try value(key).value {
    case .string(let text): return .text(text)
    case .number(let number): return .numbers([number])
    case .bool(let flag): return .numbers([flag ? 1 : 0])
    case .array(let parts) where parts.count <= most:
      var numbers: [Double] = []
      for part in parts {
        guard case .number(let number) = part.value else {
          throw PageError("\"\(key)\" has a part that is no number")
        }
        numbers.append(number)
      }
      return .numbers(numbers)
    default: throw PageError("\"\(key)\" is no value of a parameter")
    }
  }
}
