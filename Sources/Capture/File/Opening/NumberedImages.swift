import Frames
import V4L2Handles

/// The existing images of a numbered sequence, such as `name-%04d.png`, in its folder.
struct NumberedImages {
  /// The lowest number of the sequence.
  let first: Int
  /// Number of images until a number is missing.
  let count: Int
  /// A sentence if a number is missing although images with higher numbers exist; nil otherwise.
  ///
  /// FFmpeg ends the sequence before the missing number.
  let hole: String?

  /// Finds the images; nil if there are none; fails for a pipe, where FFmpeg's open call would wait for a writer.
  init?(path: String) throws(CaptureError) {
    let all = NumberedImages.all(of: path)
    if let pipe = all.map(\.path).filter(FileProblems.isPipe).min() {
      throw CaptureError(
        "\(path) includes \(pipe), which is a pipe or a device, not an image; move it away")
    }
    let numbers = all.map(\.number).sorted()
    guard let first = numbers.first else { return nil }
    self.first = first
    let run = zip(numbers, first...).prefix { $0 == $1 }.count
    count = run
    let left = numbers.count - run
    hole =
      left == 0
      ? nil
      : "\(path) has no image with number \(first + run): it ends there, without the "
        + (left == 1 ? "image with a higher number" : "\(left) images with higher numbers")
  }

  /// Returns the existing images of a pattern, in no particular order; none if the path is not a pattern.
  private static func all(of path: String) -> [(number: Int, path: String)] {
    guard let pattern = SequencePattern(path) else { return [] }
    let folder = pattern.prefix.lastIndex(of: "/").map { String(pattern.prefix[...$0]) } ?? ""
    return names(in: folder.isEmpty ? "." : folder).compactMap { name in
      pattern.number(in: folder + name).map { ($0, folder + name) }
    }
  }

  /// Returns the paths of the existing images of a pattern.
  static func paths(of path: String) -> [String] { all(of: path).map(\.path) }
}
