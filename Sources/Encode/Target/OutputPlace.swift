import Frames

enum Destination: Sendable {
  /// A regular file, written under another name in the same folder and renamed when complete.
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
  /// The playlists of an HLS recording, and their segments.
  case playlist(PlaylistNames)
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
    case .playlist(let names):
      names.paths.first { FileIdentity(at: $0) != nil } ?? names.segments.firstExisting
    }
  }

  /// Whether the output would overwrite an input, which may be given as a sequence's pattern.
  ///
  /// `word` is what the user typed for the output.
  func isInput(_ input: String, typed word: String) -> Bool {
    let absoluteInput = OutputPath.absolute(input)
    // What kfrec's own playlist lists is read, too.
    if let names = PlaylistNames(reading: input), isSame(as: .playlist(names)) { return true }
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
    case .playlist(let names):
      return names.paths.contains {
        OutputPath.areSame($0, input)
          || SequencePattern(absoluteInput)?.makes(OutputPath.absolute($0)) == true
      } || names.segments.absolute.makes(absoluteInput)
    }
  }

  func isSame(as other: OutputPlace) -> Bool {
    if case (.nowhere, .nowhere) = (self, other) { return true }
    let (first, second) = (writes, other.writes)
    return first.paths.contains { path in
      second.paths.contains {
        OutputPath.areSame(path, $0) || OutputPath.areSame(OutputPath.partial(of: path), $0)
          || OutputPath.areSame(path, OutputPath.partial(of: $0))
      } || second.pattern?.makes(OutputPath.absolute(path)) == true
    } || second.paths.contains { first.pattern?.makes(OutputPath.absolute($0)) == true }
      || OutputPlace.meet(first.pattern, second.pattern)
  }

  /// Whether two patterns, each with an absolute folder, make the same path.
  private static func meet(_ first: SequencePattern?, _ second: SequencePattern?) -> Bool {
    guard let first, let second else { return false }
    return OutputPath.areSame(first.path(1), second.path(1)) || first.meets(second)
  }

  /// The files that have names of their own, and the pattern of the numbered ones with its absolute folder.
  private var writes: (paths: [String], pattern: SequencePattern?) {
    switch self {
    case .nowhere: ([], nil)
    case .single(let destination): ([destination.path], nil)
    case .numbered(let pattern): ([], pattern.absolute)
    case .playlist(let names): (names.paths, names.segments.absolute)
    }
  }
}
