import Frames

/// Finds the names that a user may have meant by a mistyped name.
enum NearNames {
  /// The longest name to compare, in bytes.
  private static let longest = 256

  /// Returns at most three names, nearest first, that are within a third of the word's length in edits,
  /// that begin with the word or are its beginning, or that have a word within one edit of it.
  static func find(_ word: String, in names: [String]) -> [String] {
    let lowered = word.lowercased()
    let scored = names.compactMap { name -> (name: String, score: Int)? in
      let other = name.lowercased()
      // The cost is the product of the two lengths, and nobody types such a long name.
      let isLong = max(lowered.utf8.count, other.utf8.count) > longest
      let distance = isLong ? .max : editDistance(lowered, other)
      let begins =
        lowered.utf8.count >= 3 && other.utf8.count >= 3
        && (other.hasPrefix(lowered) || lowered.hasPrefix(other))
      if begins || distance <= max(1, max(lowered.count, other.count) / 3) {
        return (name, distance)
      }
      // "blurr" for boxBlur: names are made of words.
      let isPart =
        !isLong && lowered.count >= 4
        && words(of: name).contains { $0.count >= 4 && editDistance(lowered, $0) == 1 }
      return isPart ? (name, distance) : nil
    }
    return scored.sorted { ($0.score, $0.name) < ($1.score, $1.name) }.prefix(3).map(\.name)
  }

  /// Returns the words of a name, in small letters: a word begins with a capital letter behind a small one.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var isSmall = false
    for character in name {
      if words.isEmpty || (isSmall && character.isUppercase) { words.append("") }
      words[words.count - 1] += character.lowercased()
      isSmall = character.isLowercase
    }
    return words
  }

  /// The most names that a sentence suggests because they contain the word.
  private static let most = 8

  /// Makes the end of a sentence about a mistyped name: `; did you mean 'a' or 'b'?`, or an empty text.
  ///
  /// Names that contain the word come first, if they are wanted too.
  static func suggestion(
    _ word: String, in names: [String], orContainingIt containing: Bool = false
  ) -> String {
    var found: [String] = []
    if containing, word.utf8.count >= 3 {
      found = names.filter { $0.lowercased().contains(word.lowercased()) }
    }
    found += find(word, in: names).filter { !found.contains($0) }
    let near = found.prefix(most).map { "'\($0)'" }
    return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
  }
}
