import Frames
import Testing

@testable import Encode

/// Where a movie of a size is cut.
@Suite struct SplitRuleTests {
  /// Cuts a movie.
  ///
  /// - Parameters:
  ///   - sizes: Bytes of each frame's packet.
  ///   - lag: How many frames the encoder holds, at most those that the rule expects.
  ///   - isDrained: Whether a file is complete when the next one begins.
  /// - Returns: The bytes.
  private func files(_ sizes: [Int], lag: Int, isDrained: Bool) -> [Int] {
    var rule = SplitRule(.size(2_000_000), heldFrames: 64)
    var file: [Int] = []
    var files: [Int] = []
    for (place, size) in sizes.enumerated() {
      let packets = Array(file.prefix(max(file.count - lag, 0)))
      if rule.cuts(
        before: Rational(Int64(place), 30), frames: file.count, packets: packets, audio: 0)
      {
        if isDrained { rule.note(whole: file) }
        files.append(file.reduce(0, +))
        file = []
      }
      file.append(size)
    }
    return files + [file.reduce(0, +)]
  }

  @Test(
    "a picture that turns from plain to busy exceeds the size by what the encoder holds, and only once",
    arguments: [true, false])
  func busy(_ isDrained: Bool) {
    let sizes = Array(repeating: 200, count: 600) + Array(repeating: 40_000, count: 600)
    let files = files(sizes, lag: 20, isDrained: isDrained)
    #expect(files[0] > 2_000_000 && files[0] < 90 * 40_000, "\(files)")
    let rest = files.dropFirst(isDrained ? 1 : 2)
    #expect(rest.allSatisfy { $0 <= 2_000_000 }, "\(files)")
    #expect(rest.dropLast().allSatisfy { $0 > 1_500_000 }, "\(files)")
  }

  @Test("the cuts do not depend on how many frames the encoder holds")
  func processors() {
    let sizes = (0..<3000).map { 1000 + $0 % 250 * 100 + ($0 % 4 == 0 ? 9000 : 0) }
    for isDrained in [true, false] {
      #expect(
        files(sizes, lag: 0, isDrained: isDrained) == files(sizes, lag: 64, isDrained: isDrained))
    }
  }
}
