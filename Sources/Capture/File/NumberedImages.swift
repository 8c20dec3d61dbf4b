import Frames
import V4L2Handles

/// The pictures of a numbered sequence, `name-%04d.png`, that there are in its folder.
struct NumberedImages {
  /// The sequence's first number.
  let first: Int
  /// A sentence, where a number is missing although pictures with higher ones are there: FFmpeg ends
  /// with the one before it.
  let hole: String?

  /// Looks for them; nil where there are none, or the path is no pattern.
  ///
  /// - Throws: A sentence where one is a pipe, in whose opening FFmpeg would wait for a writer.
  init?(path: String) throws(CaptureError) {
    let all = NumberedImages.all(of: path)
    if let pipe = all.map(\.path).filter(FileProblems.isPipe).min() {
      throw CaptureError(
        "\(path) takes \(pipe) for a picture, which is a pipe or a device: move it away")
    }
    let numbers = all.map(\.number).sorted()
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

  /// Those that there are in the folder of a pattern, in no order; none for another path.
  private static func all(of path: String) -> [(number: Int, path: String)] {
    guard let pattern = SequencePattern(path) else { return [] }
    let folder = pattern.prefix.lastIndex(of: "/").map { String(pattern.prefix[...$0]) } ?? ""
    return names(in: folder.isEmpty ? "." : folder).compactMap { name in
      pattern.number(in: folder + name).map { ($0, folder + name) }
    }
  }

  /// Their paths.
  static func paths(of path: String) -> [String] { all(of: path).map(\.path) }
}
