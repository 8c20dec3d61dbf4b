import Capture
import Frames

/// The options that change how the time of the input runs.
let timeOptions: [Option] = [
  .value(
    "speed", taking: .speed, into: \.inputSpeed, in: .input,
    help: "Run the input faster or slower; the sound keeps its pitch",
    details: """
      From 0.1 to 100: 2 takes half as long, 0.5 twice as long; 25/24 is exact. --start and --end count in the source, \
      --duration in the output; effects get the times of the output. Faster frames keep their exact \
      times, but those that exceed the frame rate of the source, or that of --fps, are left out (never so many that less \
      than 25 a second are shown, if the source has few). For slow motion see \
      --fps-mode blend. With several inputs it counts for each.
      """),
  .flag(
    "reverse", in: .input, help: "Run the input backwards, with its sound",
    details: """
      The source is read group by group from its end, so its length does not matter; it must be a file, numbered \
      images, or a generated source with --duration. The sound ends with the frames.
      """
  ) { $0.reversed = true },
  .value(
    "loop", taking: .number(in: 1...100_000), into: \.turns, in: .input,
    help: "Run the input so many times in all",
    details: """
      The part that --start and --end select is repeated without a gap; the sound is joined to the \
      sample. --duration ends it, also in the middle of a turn. It needs a source that can be read again, as --reverse does.
      """),
  .flag(
    "boomerang", in: .input, help: "Run the input forwards, then backwards",
    details: """
      The first and last frame are not repeated, so 10 frames become 18, which repeat smoothly; with --loop so many times. The \
      sound turns in the middle of these frames. With --reverse it begins backwards.
      """
  ) { $0.boomerang = true },
]

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

extension Options {
  /// How the time of each input runs.
  var retiming: Retiming {
    var retiming = Retiming()
    retiming.speed = inputSpeed ?? .one
    (retiming.isReversed, retiming.isBoomerang) = (reversed, boomerang)
    retiming.turns = turns ?? 1
    return retiming
  }

  /// Throws if the input or another option does not go with a changed time.
  func checkRetiming(of input: String) throws(CommandLineError) {
    if inputs.count > 1, frameRateMode == .blend {
      throw CommandLineError(
        "--fps-mode blend is for one input; leave out the other inputs, or take nearest")
    }
    let options = [
      (inputSpeed != nil, "--speed"), (reversed, "--reverse"), (turns != nil, "--loop"),
      (boomerang, "--boomerang"),
    ].filter(\.0).map(\.1)
    guard let option = options.first else { return }
    if SourceKind.written(input).isLive {
      throw CommandLineError(
        "\(option) is for files, and \(input.isEmpty ? "a camera" : input) is live; record it first"
      )
    }
    if inputs.count > 1, let other = options.first(where: { $0 != "--speed" }) {
      throw CommandLineError(
        "\(other) is for one input; leave out the other inputs, or make that part first")
    }
  }
}
