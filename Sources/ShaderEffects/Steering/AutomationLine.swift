import Frames
import ShaderCompiler

/// One line of an automation, read and not yet checked.
struct AutomationLine {
  private let members: [LocatedJSON.Member]

  /// - Throws: What is wrong with the line.
  init(_ line: ArraySlice<UInt8>) throws(AutomationError) {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw AutomationError("the line is not UTF-8")
    }
    let (object, end): (LocatedJSON, Int)
    do throws(LocatedError) {
      (object, end) = try LocatedJSONParser.parse(text)
    } catch {
      throw AutomationError("byte \(error.offset + 1): \(error.message)")
    }
    guard text.utf8.dropFirst(end).allSatisfy({ " \t".utf8.contains($0) }) else {
      throw AutomationError("there is more text after the object; give each object its own line")
    }
    guard case .object(let members) = object.value else {
      throw AutomationError("the line is \(object.kind), not an object { }")
    }
    self.members = members
  }

  private func value(_ key: String) -> LocatedJSON.Value? {
    members.first { $0.key == key }?.value.value
  }

  private func checkKeys(_ known: [String]) throws(AutomationError) {
    guard let other = members.first(where: { !known.contains($0.key) }) else { return }
    let near = NearNames.suggestion(other.key, in: known)
    throw AutomationError(
      "unknown key \"\(other.key)\""
        + (near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near))
  }

  /// Checks the first line.
  ///
  /// - Throws: If it is of another format, of another version, or for other effects.
  func checkHead(_ effects: [SteerableEffect]) throws(AutomationError) {
    guard value("format") == .string(Automation.format) else {
      throw AutomationError(
        "this is no automation: the first line must have \"format\": \"\(Automation.format)\"")
    }
    guard case .number(let version)? = value("version") else {
      throw AutomationError("the first line has no \"version\"; this is version 1")
    }
    guard version == Double(Automation.version) else {
      throw AutomationError(
        "the automation is of version \(version.plainText), and this kfrec reads version "
          + "\(Automation.version)")
    }
    try checkKeys(["format", "version", "effects"])
    guard case .array(let items)? = value("effects") else {
      throw AutomationError("the first line has no list of \"effects\"")
    }
    var names: [String] = []
    for item in items {
      guard case .string(let name) = item.value else {
        throw AutomationError("\"effects\" takes names, not \(item.kind)")
      }
      names.append(name)
    }
    guard names == effects.map(\.name) else {
      func list(_ names: [String]) -> String {
        names.isEmpty ? "no effect" : names.joined(separator: ", ")
      }
      throw AutomationError(
        "the automation is for \(list(names)), and the effects are \(list(effects.map(\.name)))")
    }
  }

  /// Returns the cue of a line after the first one.
  ///
  /// - Throws: What is missing, unknown or out of range.
  func cue(_ effects: [SteerableEffect]) throws(AutomationError) -> Automation.Cue {
    try checkKeys(["time", "effect", "parameter", "value", "glide"])
    guard let time = value("time") else { throw AutomationError("there is no \"time\"") }
    guard case .number(let number)? = value("effect"), let place = Int(exactly: number) else {
      throw AutomationError("there is no \"effect\", the number of the effect from 1 on")
    }
    guard effects.indices.contains(place - 1) else {
      throw AutomationError("there is no effect \(place) among \(effects.count)")
    }
    guard case .string(let parameter)? = value("parameter") else {
      throw AutomationError("there is no \"parameter\", the name of one")
    }
    let given = try given
    do throws(EffectError) {
      let effect = effects[place - 1]
      let (index, checked, _) = try effect.check(given, for: parameter)
      return Automation.Cue(
        time: try seconds(time, of: "time"),
        change: ParameterChange(
          effect: place - 1, parameter: effect.inputs[index].name, value: checked,
          glide: try value("glide").map { value throws(EffectError) in
            try seconds(value, of: "glide")
          } ?? .zero))
    } catch {
      throw AutomationError("\(error)")
    }
  }

  private var given: GivenValue {
    get throws(AutomationError) {
      switch value("value") {
      case nil: return .text("")
      case .string(let text)?: return .text(text)
      case .number(let number)?: return .numbers([number])
      case .bool(let flag)?: return .numbers([flag ? 1 : 0])
      case .array(let items)?:
        var numbers: [Double] = []
        for item in items {
          guard case .number(let number) = item.value else {
            throw AutomationError("\"value\" takes numbers, not \(item.kind)")
          }
          numbers.append(number)
        }
        return .numbers(numbers)
      case .null?, .object?:
        throw AutomationError("\"value\" is a number, a list of numbers or a text")
      }
    }
  }

  private func seconds(
    _ value: LocatedJSON.Value, of key: String
  ) throws(EffectError) -> Rational {
    let time: Rational? =
      switch value {
      case .string(let text): Rational(fraction: text) ?? Rational(clockTime: text)
      // A number has been rounded to binary already; nanoseconds are finer than any frame.
      case .number(let number) where number <= 1e9:
        Rational(seconds: number, ticksPerSecond: 1_000_000_000)
      default: nil
      }
    guard let time, time >= .zero else {
      throw .usage("\"\(key)\" must be seconds such as 2.5, \"1001/30000\" or \"00:01:30.25\"")
    }
    return time
  }
}

extension Rational {
  /// Parses two whole numbers with a slash, as `description` writes them; nil for any other text.
  init?(fraction text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let digits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
    guard (1...2).contains(parts.count), digits, let top = Int64(parts[0]),
      let bottom = parts.count == 2 ? Int64(parts[1]) : 1, bottom > 0
    else { return nil }
    self.init(top, bottom)
  }
}
