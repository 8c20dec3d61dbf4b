import TestSupport
import Testing

@testable import Batch

@Suite("The version of the pixels") struct PixelVersionTests {
  @Test("A golden image changes only with it, so that no batch keeps outputs of the pixels before")
  func goldenImages() throws {
    let list = "pixels-\(ResultFingerprint.pixelVersion).sha256"
    let kept = "\(repositoryRoot)/Tests/Kept"
    #expect(
      namesInFolder(kept).filter { $0.hasPrefix("pixels-") } == [list],
      "Tests/Kept has the list of one version: with a higher one, rename it and write it again")
    let before = Self.sums(String(decoding: try readFile("\(kept)/\(list)"), as: UTF8.self))
    let now = Self.sums(
      try runTool("bash", ["-c", "cd '\(repositoryRoot)/Effects/goldens' && sha256sum *.png"]))
    let changed = before.keys.filter { now[$0] != nil && now[$0] != before[$0] }
    #expect(changed.isEmpty, "raise ResultFingerprint.pixelVersion: these have other pixels")
    let unlisted = Set(before.keys).symmetricDifference(now.keys)
    #expect(unlisted.isEmpty, "write Tests/Kept/\(list) again: these are new or gone")
  }

  /// Returns the sums in the lines of `sha256sum`, by the names of the files.
  private static func sums(_ text: String) -> [String: Substring] {
    Dictionary(
      uniqueKeysWithValues: text.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^([0-9a-f]{64})  (.+)$/).map { (String($0.2), $0.1) }
      })
  }
}
