public import Frames

/// Which outputs can be read back when they are complete.
extension OutputSet {
  /// Whether an output, as typed, is made of files that can be read when they are complete.
  public func canBeReadBack(_ word: String) -> Bool {
    outputs.contains { $0.word.utf8.elementsEqual(word.utf8) && $0.isFile }
  }

  /// Returns a notice for each file that cannot be read back; throws a usage error if none can.
  public func checkReadBack(frames: Int?) throws(EncodeError) -> [Notice] {
    let files = outputs.filter(\.isFile)
    let unreadable = files.compactMap { output in
      output.target.unreadable(frames: frames).map { (name: output.word, reason: $0) }
    }
    if files.isEmpty {
      throw EncodeError(
        "--verify reads files, and \(name) is none; write a file such as out.mov, or leave out --verify",
        isUsageError: true)
    }
    if files.count == unreadable.count, let first = unreadable.first {
      throw EncodeError(
        "--verify cannot read \(first.name) back, because \(first.reason); write another format, or leave out "
          + "--verify", isUsageError: true)
    }
    return unreadable.map {
      Notice(.outputUnread, $0.name, "\($0.name) is not read back, because \($0.reason)")
    }
  }
}

extension Output {
  /// Whether it is a file, or several.
  fileprivate var isFile: Bool {
    switch target.place {
    case .single(.file), .numbered, .playlist: true
    case .nowhere, .single: false
    }
  }
}
