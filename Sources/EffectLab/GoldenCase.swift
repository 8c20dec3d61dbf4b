package import ShaderEffects

/// One golden test case of an effect, with the images that it must render.
package struct GoldenCase: Sendable, CustomStringConvertible {
  /// The effect's name.
  package let effect: String
  /// The path of the effect's file.
  package let path: String
  package let golden: GoldenFile.Case
  let file: GoldenFile

  /// `EFFECT-CASE`.
  package var name: String { "\(effect)-\(golden.name)" }
  package var description: String { name }

  /// The paths of the golden images, one for each time that is compared.
  package var images: [String] {
    let stem = "\(folder)/goldens/\(name)"
    guard golden.comparesAll, golden.times.count > 1 else { return [stem + ".png"] }
    return golden.times.indices.map { "\(stem)-\($0 + 1).png" }
  }

  /// Throws if two different cases would use the same golden image; the same case twice is allowed.
  package static func checkApart(_ cases: [GoldenCase]) throws(EffectLabError) {
    var owners: [String: GoldenCase] = [:]
    for golden in cases {
      for image in golden.images {
        if let other = owners[image], other.path != golden.path || other.name != golden.name {
          throw EffectLabError(
            """
            the case '\(other.golden.name)' of \(other.path) and the case '\(golden.golden.name)' of \
            \(golden.path) use the same golden image, \(image); give one of the cases another name
            """)
        }
        owners[image] = golden
      }
    }
  }

  /// The folder of the effect's file.
  var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the path of the golden file that belongs to an effect; the file need not exist.
  static func filePath(ofEffect path: String) -> String {
    "\(folder(of: path))/\(EffectLibrary.name(ofPath: path)).golden.json"
  }
}

/// The outcome of one comparison with a golden image.
package enum GoldenOutcome: Sendable {
  case passed(ImageDifference)
  /// The difference is larger than the limit.
  case off(ImageDifference)
  /// There is no golden image of this name and size, or it cannot be read: the reason, and the rendered
  /// image.
  case missing(String, actual: RGBAImage)
  /// The image was not rendered, for this reason.
  case failed(String)
}

/// The comparison of one rendered image with its golden image.
package struct GoldenResult: Sendable {
  package let golden: GoldenCase
  /// The path of the golden image.
  package let image: String
  package let limit: GoldenLimit
  package let outcome: GoldenOutcome

  package var passed: Bool { if case .passed = outcome { true } else { false } }

  /// The rendered image; nil if nothing was rendered.
  package var actual: RGBAImage? {
    switch outcome {
    case .passed(let difference), .off(let difference): difference.actual
    case .missing(_, let actual): actual
    case .failed: nil
    }
  }

  /// The golden image's file name without folder and extension.
  package var name: String { String((image.split(separator: "/").last ?? "").dropLast(4)) }
}
