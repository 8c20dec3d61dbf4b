package import ShaderEffects

/// One case of an effect, with the pictures that it must render.
package struct GoldenCase: Sendable, CustomStringConvertible {
  /// The effect's name.
  package let effect: String
  /// The path of its file.
  package let path: String
  package let golden: GoldenFile.Case
  let file: GoldenFile

  /// `EFFECT-CASE`.
  package var name: String { "\(effect)-\(golden.name)" }
  package var description: String { name }

  /// Where the pictures are kept, one for each time that is compared.
  package var images: [String] {
    let stem = "\(folder)/goldens/\(name)"
    guard golden.comparesAll, golden.times.count > 1 else { return [stem + ".png"] }
    return golden.times.indices.map { "\(stem)-\($0 + 1).png" }
  }

  /// Throws where two cases would be kept in the same picture; the same case twice is none.
  package static func checkApart(_ cases: [GoldenCase]) throws(EffectLabError) {
    var owners: [String: GoldenCase] = [:]
    for golden in cases {
      for image in golden.images {
        if let other = owners[image], other.path != golden.path || other.name != golden.name {
          throw EffectLabError(
            """
            the case '\(other.golden.name)' of \(other.path) and the case '\(golden.golden.name)' of \
            \(golden.path) are kept in the same picture, \(image): give one of them another name
            """)
        }
        owners[image] = golden
      }
    }
  }

  /// The folder of the effect.
  var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where it stands what to render of an effect, whether or not it is there.
  static func filePath(ofEffect path: String) -> String {
    "\(folder(of: path))/\(EffectLibrary.name(ofPath: path)).golden.json"
  }
}

/// What became of a picture.
package enum GoldenOutcome: Sendable {
  case passed(ImageDifference)
  /// Further off than it may be.
  case off(ImageDifference)
  /// There is none of its name and size, or it cannot be read: in words, with what came.
  case missing(String, actual: RGBAImage)
  /// It was not rendered, and why.
  case failed(String)
}

/// A picture of a case against the one that is kept.
package struct GoldenResult: Sendable {
  package let golden: GoldenCase
  /// The path of the picture that is kept.
  package let image: String
  package let limit: GoldenLimit
  package let outcome: GoldenOutcome

  package var passed: Bool { if case .passed = outcome { true } else { false } }

  /// What was rendered, if anything was.
  package var actual: RGBAImage? {
    switch outcome {
    case .passed(let difference), .off(let difference): difference.actual
    case .missing(_, let actual): actual
    case .failed: nil
    }
  }

  /// The picture's name without folder and ending.
  package var name: String { String((image.split(separator: "/").last ?? "").dropLast(4)) }
}
