import Frames

/// The destination of an output's bytes.
enum Destination: Sendable {
  /// A regular file, written beside its place and renamed when complete.
  case file(String)
  /// A FIFO or device: bytes go directly into it, and seeking back is impossible.
  case stream(String)
  case standardOutput

  var path: String {
    switch self {
    case .file(let path), .stream(let path): path
    case .standardOutput: "/dev/stdout"
    }
  }
}

/// The place that an output writes to, comparable with other names for it.
enum OutputPlace: Sendable {
  case nowhere
  case single(Destination)
  /// One file per frame.
  case numbered(SequencePattern)
}

extension SequencePattern {
  /// The existing path with the lowest number of those that an output of this pattern writes.
  fileprivate var firstExisting: String? {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    return names(in: OutputPath(path(1)).folder)
      .compactMap { name in number(in: folder + name) }.filter { $0 > 0 }.min().map(path)
  }
}

extension OutputPlace {
  var isStandardOutput: Bool { if case .single(.standardOutput) = self { true } else { false } }

  /// The existing file that would be overwritten, or nil; for a sequence, the one with the lowest number.
  ///
  /// `word` is what the user typed for the output.
  func existingPath(typed word: String) -> String? {
    switch self {
    case .nowhere, .single(.stream), .single(.standardOutput): nil
    case .single(.file): OutputPath(word).exists ? word : nil
    case .numbered(let pattern):
      FileIdentity(at: pattern.path(1)).map { _ in pattern.path(1) } ?? pattern.firstExisting
    }
  }

  /// Whether the output would overwrite an input, which may be given as a sequence's pattern.
  ///
  /// `word` is what the user typed for the output.
  func isInput(_ input: String, typed word: String) -> Bool {
    let absoluteInput = OutputPath.absolute(input)
    switch self {
    case .nowhere, .single(.standardOutput): return false
    case .single(.stream(let path)): return OutputPath.areSame(path, input)
    case .single(.file(let path)):
      return OutputPath.areSame(path, input)
        || SequencePattern(absoluteInput)?.makes(OutputPath.absolute(path)) == true
    case .numbered(let pattern):
      let absolute = OutputPath.absolute(word)
      return absolute == absoluteInput
        || SequencePattern(absolute)?.makes(absoluteInput) == true
        || OutputPath.areSame(pattern.path(1), input)
    }
  }

  /// Whether both outputs would write to the same place.
  func isSame(as other: OutputPlace) -> Bool {
    switch (self, other) {
    case (.nowhere, .nowhere): true
    case (.nowhere, _), (_, .nowhere): false
    case (.numbered(let first), .numbered(let second)):
      OutputPath.areSame(first.path(1), second.path(1)) || first.absolute.meets(second.absolute)
    case (.numbered(let pattern), .single(let destination)),
      (.single(let destination), .numbered(let pattern)):
      pattern.absolute.makes(OutputPath.absolute(destination.path))
    case (.single(let first), .single(let second)):
      OutputPath.areSame(first.path, second.path)
        || OutputPath.areSame(OutputPath.partial(of: first.path), second.path)
        || OutputPath.areSame(first.path, OutputPath.partial(of: second.path))
    }
  }
}
