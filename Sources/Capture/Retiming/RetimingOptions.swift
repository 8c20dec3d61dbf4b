import Frames
package import Settings

extension Retiming {
  /// How the time of the input runs.
  package static let options: [OptionRow<Retiming>] = [
    .value(
      "speed", taking: .speed, into: \.speed, in: .input, of: [.record, .batch, .preview],
      traits: .recording,
      help: "Run the input faster or slower; the sound keeps its pitch",
      details: """
        From 0.1 to 100: 2 takes half as long, 0.5 twice as long; 25/24 is exact. --start and --end count in the source, \
        --duration in the output; effects get the times of the output. Faster frames keep their exact \
        times, but those that exceed the frame rate of the source, or that of --fps, are left out (never so many that less \
        than 25 a second are shown, if the source has few). For slow motion see \
        --fps-mode blend. With several inputs it counts for each.
        """),
    .flag(
      "reverse", in: .input, of: [.record, .batch, .preview], traits: .recording,
      help: "Run the input backwards, with its sound",
      details: """
        The source is read group by group from its end, so its length does not matter; it must be a file, numbered \
        images, or a generated source with --duration. The sound ends with the frames.
        """
    ) { $0.isReversed = true },
    .value(
      "loop", taking: .number(in: 1...100_000), into: \.turns, in: .input,
      of: [.record, .batch, .preview], traits: .recording,
      help: "Play the input this many times in all",
      details: """
        The part that --start and --end select is repeated without a gap; the sound is joined to the \
        sample. --duration ends it, also in the middle of a turn. It needs a source that can be read again, as --reverse does.
        """),
    .flag(
      "boomerang", in: .input, of: [.record, .batch, .preview], traits: .recording,
      help: "Run the input forwards, then backwards",
      details: """
        The first and last frame are not repeated, so 10 frames become 18, which repeat smoothly; with --loop that many times. The \
        sound turns in the middle of these frames. With --reverse it begins backwards.
        """
    ) { $0.isBoomerang = true },
  ]
}

extension ValueGrammar where Value == Rational {
  fileprivate static var speed: ValueGrammar {
    ValueGrammar(
      name: "X", expected: "a number from 0.1 to 100, such as 2, 0.5 or 25/24"
    ) { word in
      let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        .map { decimal(String($0)) }
      guard parts.count <= 2, let top = parts[0], let bottom = parts.count == 2 ? parts[1] : .one,
        bottom > .zero
      else { return nil }
      let speed = top / bottom
      return (Rational(1, 10)...Rational(100)).contains(speed) ? speed : nil
    }
  }
}
