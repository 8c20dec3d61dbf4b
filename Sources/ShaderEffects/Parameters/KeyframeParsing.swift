import Frames

extension ParameterTrack {
  /// Reads an event's times, `@2` or `@2@5.5`; the value is 1 at each.
  ///
  /// - Throws: A usage error that says what the event accepts.
  init(eventTimes text: String, subject: String, allowed: String) throws(EffectError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let times = parts.dropFirst().compactMap { Rational(clockTime: String($0)) }
    guard parts.count > 1, parts[0].isEmpty, times.count == parts.count - 1 else {
      throw .usage("\(subject) is an event; give \(allowed)")
    }
    self.init(times.sorted().map { Keyframe(time: $0, value: [1]) }, .step)
  }

  /// Returns whether a text is meant as keyframes, and not as one value.
  static func isNotation(_ text: String) -> Bool { text.contains("@") || text.contains("..") }

  /// Reads `0@0..1@2..0.5@4`, with `~smooth` or `~step` at the end if it is not linear; values that are stepped only step.
  ///
  /// The subject begins, and what is allowed ends the sentence of an error. `parse` reads one value; nil if it is invalid or
  /// out of range.
  ///
  /// - Throws: A usage error that says which keyframe is wrong and what it should be.
  init(
    parsing text: String, subject: String, allowed: String, isStepped: Bool,
    parse: (String) -> [Double]?
  ) throws(EffectError) {
    var rest = text[...]
    var interpolation = isStepped ? Interpolation.step : .linear
    if let mark = text.lastIndex(of: "~") {
      let word = String(text[text.index(after: mark)...])
      guard let known = Interpolation(rawValue: word) else {
        let near = NearNames.suggestion(word, in: Interpolation.allCases.map(\.rawValue))
        throw .usage(
          "\(subject): '~' must be followed by smooth, step or linear, not '\(word)'\(near)")
      }
      guard !isStepped || known == .step else {
        throw .usage(
          "\(subject) changes only in steps; leave out '~\(word)'")
      }
      interpolation = known
      rest = text[..<mark]
    }
    var keyframes: [Keyframe] = []
    for part in rest.split(separator: "..", omittingEmptySubsequences: false) {
      guard let at = part.lastIndex(of: "@") else {
        throw .usage(
          "\(subject): '\(part)' is not a keyframe; write value@seconds, with '..' between two, such "
            + "as 0@0..1@2.5")
      }
      let (word, clock) = (String(part[..<at]), String(part[part.index(after: at)...]))
      guard let value = parse(word) else {
        throw .usage("\(subject) must be \(allowed), not '\(word)' at \(clock)")
      }
      guard let time = Rational(clockTime: clock) else {
        throw .usage(
          "\(subject): a keyframe must be at a time such as 2.5 or 00:01:30.25, not '\(clock)'"
        )
      }
      if let last = keyframes.last, last.time >= time {
        throw .usage(
          "\(subject): the times of keyframes must increase, and '\(part)' is not later than "
            + "the one before it")
      }
      keyframes.append(Keyframe(time: time, value: value))
    }
    self.init(keyframes, interpolation)
  }
}
