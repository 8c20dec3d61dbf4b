import Frames

/// Words with places for what changes from frame to frame: `{time}`, `{frame}`.
struct TextTemplate: Sendable, Equatable {
  /// What a place shows.
  enum Field: String, Sendable, CaseIterable {
    /// Effect time, as hours, minutes, seconds and thousandths.
    case time
    /// The source's time code, or else effect time in hours, minutes, seconds and frames.
    case timecode
    /// The number of the frame.
    case frame
    /// The day and the time of day when the frame was taken, as the source tells it, in UTC.
    case date, clock
    /// The name of the source.
    case name
  }

  private enum Part: Sendable, Equatable {
    case words(String)
    case field(Field)
  }

  private var parts: [Part] = []

  /// Reads words: `{` and a name and `}` is a place, `{{` is a brace, and `\n` begins a new line.
  ///
  /// - Throws: A usage error, which begins with the subject, for a place that is not known.
  init(_ text: String, subject: String) throws(EffectError) {
    var rest = text[...]
    var words = ""
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("\\", "n"):
        words += "\n"
        rest.removeFirst()
      case ("{", "{"):
        words += "{"
        rest.removeFirst()
      case ("{", _):
        let name = rest.prefix { $0 != "}" }
        guard let field = Field(rawValue: String(name)), name.endIndex < rest.endIndex else {
          let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
          throw .usage(
            "\(subject): '{\(SteerableEffect.short(String(name)))' is not one of \(known); write {{ for a brace"
          )
        }
        parts += [.words(words), .field(field)]
        words = ""
        rest = rest[name.endIndex...].dropFirst()
      default: words.append(character)
      }
    }
    parts.append(.words(words))
  }

  /// Returns whether the words are the same in every frame.
  var isConstant: Bool { !parts.contains { if case .field = $0 { true } else { false } } }

  /// Returns whether the words need the time at which the source was made.
  var needsDate: Bool { parts.contains(.field(.date)) || parts.contains(.field(.clock)) }

  /// Returns the words of a frame.
  func text(at clock: EffectClock) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .words(let words): text += words
      case .field(let field): text += Self.value(of: field, at: clock)
      }
    }
  }

  /// Returns words that are about as long as any.
  var longest: String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .words(let words): text += words
      case .field(.name): text += String(repeating: "m", count: 40)
      case .field: text += "00:00:00.000"
      }
    }
  }

  private static func value(of field: Field, at clock: EffectClock) -> String {
    switch field {
    case .time:
      let milliseconds = (clock.time * Rational(1000)).floor
      return clockText(milliseconds / 1000) + "." + zeroPadded(milliseconds % 1000, digits: 3)
    case .timecode:
      let code = clock.timecode ?? Timecode(frameRate: clock.frameRate)
      let time = clock.sourceTime ?? clock.time
      return code.text(ofFrame: (time * code.frameRate + Rational(1, 2)).floor)
    case .frame: return String(clock.frameIndex)
    case .date:
      let date = clock.date
      return [
        zeroPadded(Int64(date.year), digits: 4), zeroPadded(Int64(date.month), digits: 2),
        zeroPadded(Int64(date.day), digits: 2),
      ]
      .joined(separator: "-")
    case .clock: return clockText(Int64(clock.date.seconds))
    case .name: return clock.sourceName
    }
  }

  /// Returns hours, minutes and seconds.
  private static func clockText(_ seconds: Int64) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { zeroPadded($0, digits: 2) }.joined(
      separator: ":")
  }
}
