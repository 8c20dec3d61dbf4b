import Frames
import Glibc
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Every effect against its golden pictures: `Tests/Goldens/EFFECT-CASE.png`.
  ///
  /// `make golden-update` writes them anew, and fails once, so that nobody does it unawares; look at
  /// each changed picture before it is committed.
  @Suite("Golden pictures of effects")
  struct EffectGoldenTests {
    @Test("Each effect renders its golden pictures", arguments: try GoldenCase.all())
    func golden(_ golden: GoldenCase) throws {
      // Odd sides: the last work group of a row and of a column is not full.
      let picture = RGBAPicture.reference(width: 53, height: 39)
      let actual = try EffectRenderer.render(picture, [golden.use], time: golden.time)
      if getenv("KFREC_GOLDEN").map({ String(cString: $0) }) == "update" {
        try PictureFile.write(actual, to: golden.path)
        Issue.record(
          "\(golden.path) is written anew; look at it, and run the tests without KFREC_GOLDEN")
        return
      }
      guard fileExists(golden.path) else {
        Issue.record("\(golden.name) has no golden picture; make one with: make golden-update")
        return
      }
      let expected = try PictureFile.read(golden.path)
      guard (expected.width, expected.height) == (actual.width, actual.height) else {
        Issue.record(
          """
          \(golden.path) is \(expected.width)x\(expected.height) and the result \
          \(actual.width)x\(actual.height); make it anew with: make golden-update
          """)
        return
      }
      let difference = PictureDifference(expected, actual)
      guard !golden.allows(difference) else { return }
      let kept = try Self.keep(
        golden, [("expected", expected), ("actual", actual), ("difference", difference.picture)])
      Issue.record(
        """
        \(golden.name) is \(difference) (limits \(golden.limits.maximum) and \
        \(golden.limits.rootMeanSquare)). See \(kept)
        """)
    }

    @Test("Golden pictures are small, and there is none that no test compares")
    func folder() throws {
      let cases = try GoldenCase.all()
      let files = GoldenCase.storedNames
      #expect(Set(files).subtracting(cases.map(\.name)).isEmpty)
      for name in files {
        let path = "\(GoldenCase.folder)/\(name).png"
        #expect(try readFile(path).count <= 4096, "\(path)")
      }
    }

    /// Leaves pictures where a person can look at them, and says where.
    private static func keep(
      _ golden: GoldenCase, _ pictures: [(word: String, picture: RGBAPicture)]
    ) throws -> String {
      let folder = "\(repositoryRoot)/.build/goldens"
      for path in ["\(repositoryRoot)/.build", folder] { mkdir(path, 0o755) }
      for (word, picture) in pictures {
        try PictureFile.write(picture, to: "\(folder)/\(golden.name)-\(word).png")
      }
      return "\(folder)/\(golden.name)-{\(pictures.map(\.word).joined(separator: ","))}.png"
    }
  }
}
