import Frames
import Glibc
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Every effect against its golden pictures: `Tests/Goldens/EFFECT-CASE.png`.
  ///
  /// `make golden-update` writes those anew that are missing or off, and fails for each, so that
  /// nobody does it unawares; look at each before it is committed. Those within their limits stay as
  /// they are, whatever driver renders them.
  @Suite("Golden pictures of effects")
  struct EffectGoldenTests {
    @Test("Each effect renders its golden pictures", arguments: try GoldenCase.all())
    func golden(_ golden: GoldenCase) throws {
      // Odd sides: the last work group of a row and of a column is not full.
      let actual = try golden.render(width: 53, height: 39)
      let isUpdate = getenv("KFREC_GOLDEN").map { String(cString: $0) } == "update"
      var stored: RGBAPicture?
      if fileExists(golden.path) {
        // A damaged golden picture is an error, and a reason to update it.
        do { stored = try PictureFile.read(golden.path) } catch  where isUpdate {}
      }
      let difference = stored.flatMap { PictureDifference($0, actual) }
      if let difference, golden.allows(difference) { return }

      if isUpdate {
        try PictureFile.write(actual, to: golden.path)
        Issue.record(
          "\(golden.path) is written anew; look at it, and run the tests without KFREC_GOLDEN")
      } else if let difference {
        let kept = try Self.keep(
          golden,
          [
            ("expected", difference.expected), ("actual", actual),
            ("difference", difference.picture),
          ])
        Issue.record(
          """
          \(golden.name) is \(difference) (limits \(golden.limits.maximum) and \
          \(golden.limits.rootMeanSquare)). See \(kept)
          """)
      } else {
        Issue.record(
          """
          \(golden.name) has no golden picture\(stored == nil ? "" : " of this size"); make one \
          with: make golden-update
          """)
      }
    }

    @Test("Golden pictures are small, and there is none that no test compares")
    func folder() throws {
      let cases = try GoldenCase.all()
      let files = GoldenCase.storedNames
      #expect(Set(files).subtracting(cases.map(\.name)).isEmpty)
      for name in files {
        let path = "\(GoldenCase.folder)/\(name).png"
        #expect(try readFile(path).count <= 8192, "\(path)")
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
