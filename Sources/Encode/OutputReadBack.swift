/// Which outputs can be read back when they are complete.
extension OutputSet {
  /// Whether an output, as typed, is made of files that can be read when they are complete.
  package func canBeReadBack(_ word: String) -> Bool {
    outputs.contains { output in
      guard output.word.utf8.elementsEqual(word.utf8) else { return false }
      return switch output.target.place {
      case .single(.file), .numbered: true
      case .nowhere, .single: false
      }
    }
  }

  /// Throws a usage error if nothing can be read back.
  package func checkReadBack() throws(EncodeError) {
    guard !outputs.contains(where: { canBeReadBack($0.word) }) else { return }
    throw EncodeError(
      "--verify reads files, and \(name) is none; write a file such as out.mov, or leave out --verify",
      isUsageError: true)
  }
}
