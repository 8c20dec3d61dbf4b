public import Frames

/// Changes of parameters over effect time, as `--automation` writes them and `--automation-in` reads them.
///
/// The format is described in `docs/control.md`: JSON, one object a line, after a line that names the format
/// and the effects.
public struct Automation: Sendable, Equatable {
  /// A change and when it acts.
  public struct Cue: Sendable, Equatable {
    /// In seconds of effect time.
    public var time: Rational
    public var change: ParameterChange

    public init(time: Rational, change: ParameterChange) {
      (self.time, self.change) = (time, change)
    }

    /// The cue as a line of a file, with its line end: one object in JSON.
    ///
    /// Of a parameter that is an event, a line that fires has no value.
    public func line(isEvent: Bool = false) -> String {
      let numbers = change.value.map { "\($0)" }.joined(separator: ",")
      let value = isEvent && change.value == [1] ? "" : ",\"value\":[\(numbers)]"
      let glide = change.glide == .zero ? "" : ",\"glide\":\"\(change.glide)\""
      return "{\"time\":\"\(time)\",\"effect\":\(change.effect + 1),"
        + "\"parameter\":\(quotedForJSON(change.parameter))\(value)\(glide)}\n"
    }
  }

  /// The cues by rising time; those of one time in the order in which they act.
  public let cues: [Cue]

  static let format = "kfrec-automation"
  /// The version that is written, and the only one that is read.
  static let version = 1

  /// Returns the first line of a file for a chain of effects, with its line end.
  public static func head(_ effects: [EffectInstance]) -> String {
    let names = effects.map { quotedForJSON($0.name) }.joined(separator: ",")
    return "{\"format\":\"\(format)\",\"version\":\(version),\"effects\":[\(names)]}\n"
  }

  /// Reads the bytes of a file for a chain of effects; messages have its name.
  ///
  /// - Throws: What is wrong, with the number of the line.
  public init(
    parsing bytes: [UInt8], name: String, effects: [EffectInstance]
  ) throws(AutomationError) {
    try self.init(parsing: bytes, name: name, steerable: effects.map(\.steerable))
  }

  init(
    parsing bytes: [UInt8], name: String, steerable: [SteerableEffect]
  ) throws(AutomationError) {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let lines = bytes[start...].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var cues: [Cue] = []
    var hasHead = false
    for (number, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
        continue
      }
      do throws(AutomationError) {
        let members = try AutomationLine(line)
        if hasHead {
          cues.append(try members.cue(steerable))
        } else {
          try members.checkHead(steerable)
          hasHead = true
        }
      } catch {
        let isCut = number == lines.count - 1 && bytes.last != UInt8(ascii: "\n")
        throw AutomationError(
          "\(name):\(number + 1): \(error)"
            + (isCut ? "; the line may have been cut off: complete it or take it out" : ""))
      }
    }
    guard hasHead else {
      throw AutomationError(
        "\(name) is empty, and no automation: its first line is {\"format\": \"\(Automation.format)\", "
          + "\"version\": \(Automation.version), \"effects\": [...]}")
    }
    // A person may write the cues of one parameter below those of another.
    let order = cues.indices.sorted { (cues[$0].time, $0) < (cues[$1].time, $1) }
    self.cues = order.map { cues[$0] }
  }
}

/// What is wrong with an automation, as a sentence.
public struct AutomationError: ExplainedError, Equatable {
  public let description: String

  public init(_ description: String) { self.description = description }
}
