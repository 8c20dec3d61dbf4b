import ShaderCompiler
package import ShaderEffects

/// One golden test case of an effect, with the images that it must render.
package struct GoldenCase: Sendable, CustomStringConvertible {
  /// The effect's name.
  package let effect: String
  /// The path of the effect's file.
  package let path: String
  package private(set) var golden: GoldenFile.Case
  let file: GoldenFile
  /// Whether the effect has no golden file, so that kfrec chooses what is rendered.
  var isUnwritten = false
  /// Why the golden file cannot be understood; nil if it can.
  package var mistake: String?

  /// `EFFECT-CASE`.
  package var name: String { "\(effect)-\(golden.name)" }
  package var description: String { name }

  /// The paths of the golden images, one for each time that is compared.
  package var images: [String] {
    guard mistake == nil else { return [] }
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

  /// The path of the picture that it renders over; nil for a built-in one.
  var framePath: String? {
    guard !["reference", "moving"].contains(golden.frame) else { return nil }
    return golden.frame.hasPrefix("/") ? golden.frame : "\(folder)/\(golden.frame)"
  }

  /// What is rendered instead if nothing of the effect is seen: moving frames, for one that reads earlier ones, a transition
  /// half way, and events shortly before.
  func livelier(in library: EffectLibrary) throws(EffectError) -> [GoldenCase] {
    guard isUnwritten else { return [] }
    var moving = self
    (moving.golden.frame, moving.golden.leadUp) = ("moving", 8)
    let inputs = try library.describe(path).inputs
    let events = inputs.filter { $0.type == "event" }.map(\.name)
    let halfway = inputs.filter { $0.name == "progress" && $0.type == "float" }.map {
      "\($0.name)=0.5"
    }
    var cases = [moving]
    // An event is seen in its frame alone, or from then on.
    for time in ["1.5", "1.38"] where !(events.isEmpty && halfway.isEmpty) {
      var started = moving
      started.golden.parameters = (halfway + events.map { "\($0)@\(time)" }).joined(separator: ",")
      if events.isEmpty { (started.golden.frame, started.golden.leadUp) = ("reference", 0) }
      cases.append(started)
      if events.isEmpty { break }
    }
    return cases
  }

  /// Returns the effect with its parameters; the paths of pictures count from the effect's folder.
  ///
  /// - Throws: `EffectError` for parameters that cannot be read.
  func use(in library: EffectLibrary) throws(EffectError) -> EffectSpec {
    // The path may contain characters that have a meaning on the command line.
    var use = try EffectSpec(
      parsing: golden.parameters.isEmpty ? "_" : "_:\(golden.parameters)")
    (use.name, use.isOfEffect) = (path, true)
    for (index, parameter) in use.parameters.enumerated() {
      guard try isPicture(parameter, in: library), !parameter.value.hasPrefix("/") else { continue }
      use.parameters[index].value = "\(folder)/\(parameter.value)"
    }
    return use
  }

  /// Returns the pictures among an effect's parameters.
  func pictures(
    of use: EffectSpec, in library: EffectLibrary
  ) throws(EffectError) -> [(name: String, value: String)] {
    var pictures: [(name: String, value: String)] = []
    for parameter in use.parameters where try isPicture(parameter, in: library) {
      pictures.append(parameter)
    }
    return pictures
  }

  /// Returns a sentence about the first picture that the effect must not name; nil if it may read all.
  func problem(of use: EffectSpec, in library: EffectLibrary) throws(EffectError) -> String? {
    let given =
      try [framePath].compactMap(\.self) + pictures(of: use, in: library).map(\.value)
    for picture in given {
      guard let problem = library.problem(ofPicture: picture, ofEffect: path) else { continue }
      return "\(picture) \(problem)"
    }
    return nil
  }

  private func isPicture(
    _ parameter: (name: String, value: String), in library: EffectLibrary
  ) throws(EffectError) -> Bool {
    guard !parameter.value.isEmpty else { return false }
    return try library.describe(path).inputs.contains {
      $0.type == "image" && ($0.name == parameter.name || $0.aliases.contains(parameter.name))
    }
  }

  /// The folder of the effect's file.
  var folder: String { SourceFile.folder(of: path) }

  /// Returns the path of the golden file that belongs to an effect; the file need not exist.
  static func filePath(ofEffect path: String) -> String {
    "\(SourceFile.folder(of: path))/\(EffectLibrary.name(ofPath: path)).golden.json"
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
  package var name: String {
    image.hasSuffix(".png")
      ? String((image.split(separator: "/").last ?? "").dropLast(4)) : golden.effect
  }
}
