import Frames
import Glibc
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Every effect against its golden picture: `Tests/Goldens/NAME-CASE.png`.
  ///
  /// `make golden-update` writes them anew, and fails once, so that nobody does it unawares; look at
  /// each changed picture before it is committed.
  @Suite("Golden pictures of effects")
  struct EffectGoldenTests {
    /// What is rendered of an effect; one not named here is rendered with its defaults at 1.5 s.
    struct Case: Sendable, CustomStringConvertible {
      let name: String
      let effect: String
      let time: Rational
      /// The most a part may be off, and the root of the mean square; 0 where pixels only move.
      var limits = (maximum: 1.5, rootMeanSquare: 0.2)

      var description: String { name }
    }

    static let special = [
      Case(
        name: "separateRGB-default", effect: "separateRGB", time: Rational(3, 2), limits: (0, 0)),
      Case(
        name: "separateRGB-amount3", effect: "separateRGB:amount=3", time: Rational(37, 10),
        limits: (0, 0)),
      Case(
        name: "vignette-tint", effect: "vignette:tint=ff8000,center=0.25/0.75", time: .zero),
    ]

    static func cases() throws -> [Case] {
      let named = Set(special.map { String($0.name.split(separator: "-")[0]) })
      let others = try EffectRenderer.library.descriptions().map(\.name)
        .filter { !named.contains($0) || $0 == "vignette" }
      return special
        + others.map { Case(name: "\($0)-default", effect: $0, time: Rational(3, 2)) }
    }

    @Test("Each effect renders its golden picture", arguments: try cases())
    func golden(_ golden: Case) throws {
      let path = "\(repositoryRoot)/Tests/Goldens/\(golden.name).png"
      let picture = RGBAPicture.reference(width: 64, height: 48)
      let actual = try EffectRenderer.render(picture, [golden.effect], time: golden.time)
      if getenv("KFREC_GOLDEN").map({ String(cString: $0) }) == "update" {
        try PictureFile.write(actual, to: path)
        Issue.record("\(path) is written anew; look at it, and run the tests without KFREC_GOLDEN")
        return
      }
      guard fileExists(path) else {
        Issue.record("\(golden.name) has no golden picture; make one with make golden-update")
        return
      }
      let expected = try PictureFile.read(path)
      let difference = PictureDifference(expected, actual)
      let isGood =
        Double(difference.maximum) <= golden.limits.maximum
        && difference.rootMeanSquare <= golden.limits.rootMeanSquare
      guard !isGood else { return }
      let folder = "\(repositoryRoot)/.build/goldens"
      mkdir(folder, 0o755)
      for (word, image) in [
        ("expected", expected), ("actual", actual), ("difference", difference.picture),
      ] {
        try PictureFile.write(image, to: "\(folder)/\(golden.name)-\(word).png")
      }
      let (x, y) = difference.worst
      Issue.record(
        """
        \(golden.name) is off by \(difference.maximum) at most (limit \(golden.limits.maximum)) and \
        \(difference.rootMeanSquare) root mean square (limit \(golden.limits.rootMeanSquare)); worst \
        at \(x),\(y): \(actual.parts(x: x, y: y)) where \(expected.parts(x: x, y: y)) is expected. \
        See \(folder)/\(golden.name)-*.png
        """)
    }

    @Test("Golden pictures are small")
    func sizes() throws {
      for golden in try Self.cases() {
        let path = "\(repositoryRoot)/Tests/Goldens/\(golden.name).png"
        #expect(try readFile(path).count <= 8192, "\(path)")
      }
    }
  }
}
