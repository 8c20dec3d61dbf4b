import Capture
import Frames
import Glibc
import Recorder
import Settings
import ShaderEffects

/// What is read.
let inputOptions: [Option] = [
  .list(
    "input", short: "i", taking: .inputPart, into: \.inputs,
    in: .input, of: [.record, .preview], traits: .unsaved,
    help: "What to read",
    details: """
      See the list of sources below. Repeat -i for several inputs, which are played one after the other, with a transition if one of the effects is a transition. The \
      first input sets the size and the frame rate. ~start=, ~end= and ~duration= behind a name take a part of that input: \
      -i a.mov~start=1~duration=2. A file that has such a name is taken as it is. A generated source before another input \
      needs ~duration=.
      """)
]

/// An input, and the part of it that is read: `a.mov~start=1~duration=2`.
struct InputPart: Sendable, Equatable {
  /// What `-i` names, without the words behind it.
  var name: String
  /// Seconds from the source's zero; nil for its beginning and its end.
  var start: Rational?
  var end: Rational?
  /// Seconds of the source.
  var duration: Rational?

  init(name: String) { self.name = name }

  /// Reads the value of `-i`: a source, and words with a `~` before each.
  ///
  /// The name of an existing file may contain any of them, and a name any other `~`.
  ///
  /// - Throws: A usage error if a word has no time, comes twice, or does not go with another one.
  init(_ words: String) throws(CommandLineError) {
    name = words
    while access(name, F_OK) != 0, let mark = name.lastIndex(of: "~") {
      let word = String(name[name.index(after: mark)...])
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let rest = String(name[..<mark])
      guard let place = Self.place(String(parts[0])) else {
        // A mistyped word, or a part of a name that kfrec cannot find for another reason.
        guard access(rest, F_OK) == 0 else { break }
        throw CommandLineError(
          "\"~\(word)\" does not say which part of \(rest) is read: write ~start=5, ~end=8 or ~duration=3 (in seconds)"
        )
      }
      guard parts.count == 2, let time = Rational(clockTime: String(parts[1])),
        time > .zero || place == \.start
      else {
        throw CommandLineError(
          "\"~\(word)\" of \(rest) lacks a time in seconds or HH:MM:SS, such as ~\(parts[0])=2.5")
      }
      guard self[keyPath: place] == nil else {
        throw CommandLineError("\(words) has ~\(parts[0]) twice; leave one out")
      }
      self[keyPath: place] = time
      name = rest
    }
    if end != nil, duration != nil {
      throw CommandLineError("~end and ~duration of \(name) contradict each other; give one")
    }
    if let end, end <= start ?? .zero {
      throw CommandLineError("~end of \(name) lies before its ~start; give a later one")
    }
  }

  var isPart: Bool { start != nil || end != nil || duration != nil }

  private static func place(_ word: String) -> WritableKeyPath<InputPart, Rational?>? {
    switch word {
    case "start": \.start
    case "end": \.end
    case "duration": \.duration
    default: nil
    }
  }
}

extension ValueGrammar where Value == InputPart {
  /// A source's name, with the part of it that is read.
  static let inputPart = Self(name: "SOURCE", expected: "a source's name", kind: .source) { word in
    word.isEmpty ? nil : try InputPart(word)
  }
}

extension Options {
  /// Throws if the parts of the inputs do not go with each other or with another option, or if one has no end.
  func checkParts() throws(CommandLineError) {
    for input in inputs where input.isPart {
      if SourceKind.written(input.name).isLive {
        throw CommandLineError(
          "\(input.name) is live and has no parts; leave out what follows the ~, and end the output with -t"
        )
      }
      if recording.source.range != nil {
        throw CommandLineError(
          "--frame-range and the ~ of \(input.name) contradict each other; give one")
      }
    }
    if let first = inputs.first, inputs.count == 1 {
      if recording.source.start != nil, first.isPart {
        throw CommandLineError("--start and the ~ of \(first.name) contradict each other; give one")
      }
      if recording.source.end != nil, first.isPart {
        throw CommandLineError("--end and the ~ of \(first.name) contradict each other; give one")
      }
    }
    guard let first = inputs.first, inputs.count > 1 else { return }
    if let limit = limitsBeforeInput.first {
      throw CommandLineError(
        "\(limit) stands before another input, and kfrec would not count it in one of them; give each input its own "
          + "part, such as -i \(first.name)\(partOfLimits), and -t or --frames of the output after the last -i"
      )
    }
    if let option = ["start", "end"].first(where: isGiven) {
      throw CommandLineError(
        "--\(option) is for one input; give each input its own part, such as -i \(first.name)~start=1~duration=1"
      )
    }
    try checkEndless()
  }

  /// The limits before a later input as words behind the name of an input.
  private var partOfLimits: String {
    var words: [String] = []
    for name in ["start", "end", "duration"] {
      guard let limit = limitsBeforeInput.last(where: { $0.hasPrefix("--\(name) ") }) else {
        continue
      }
      words.append("~\(name)=\(limit.dropFirst(name.utf8.count + 3))")
    }
    return words.isEmpty ? "~start=1~duration=1" : words.joined()
  }

  /// Throws if a generated input would never end: only the last one can get its length from that of the output.
  private func checkEndless() throws(CommandLineError) {
    let source = recording.source
    let isEnded =
      source.duration != nil || source.frames != nil || stopTime != nil || showsWindow
    for (place, input) in inputs.enumerated() {
      let isLast = place == inputs.count - 1
      guard SourceKind.written(input.name).isGenerated, input.duration == nil, input.end == nil,
        !isLast || !isEnded
      else { continue }
      throw CommandLineError(
        "\(input.name) has no end of its own; give its length, such as -i \(input.name)~duration=2"
          + (isLast ? ", or that of the output with -t" : ""))
    }
  }
}
