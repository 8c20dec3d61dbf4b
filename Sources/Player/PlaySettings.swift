import Frames
package import Settings

/// How a player begins.
package struct PlaySettings: Sendable {
  /// Whether the list begins again after its end.
  package var loops = false
  /// Percent.
  package var volume = 100
  /// The nearest speed of the player is used.
  package var speed = 1.0

  package init() {}

  package static let options: [OptionRow<PlaySettings>] = [
    .flag("loop", in: .play, of: [.play], help: "Begin again after the last source") {
      $0.loops = true
    },
    .value(
      "speed", taking: .speed, into: \.speed, in: .play, of: [.play],
      help: "Play slower or faster, with the same pitch",
      details: "Default: 1. The nearest of 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3 and 4 is used."),
    .value(
      "volume", taking: .number("PERCENT", in: 0...100), into: \.volume, in: .play, of: [.play],
      help: "How loud the sound is", details: "Default: 100."),
  ]
}

extension ValueGrammar where Value == Double {
  fileprivate static var speed: ValueGrammar {
    ValueGrammar(name: "X", expected: "a number from 0.25 to 4") { word in
      guard let number = decimal(word)?.doubleValue, (0.25...4).contains(number) else { return nil }
      return number
    }
  }
}
