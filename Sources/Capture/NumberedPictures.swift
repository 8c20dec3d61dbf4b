import Frames
import V4L2Handles

/// The pictures of a numbered sequence, `name-%04d.png`, that there are in its folder.
struct NumberedPictures {
  /// The sequence's first number.
  let first: Int
  /// A sentence, where a number is missing although pictures with higher ones are there: FFmpeg ends
  /// with the one before it.
  let hole: String?

  /// Looks for them; nil where there are none, or the path is no pattern.
  init?(path: String) {
    guard let pattern = SequencePattern(path) else { return nil }
    let folder = pattern.prefix.lastIndex(of: "/").map { String(pattern.prefix[...$0]) } ?? ""
    let numbers = names(in: folder.isEmpty ? "." : folder).compactMap {
      pattern.number(in: folder + $0)
    }.sorted()
    guard let first = numbers.first else { return nil }
    self.first = first
    let run = zip(numbers, first...).prefix { $0 == $1 }.count
    let left = numbers.count - run
    hole =
      left == 0
      ? nil
      : "\(path) has no picture of number \(first + run): it ends there, without the "
        + "\(left == 1 ? "one" : "\(left)") with higher numbers"
  }
}
