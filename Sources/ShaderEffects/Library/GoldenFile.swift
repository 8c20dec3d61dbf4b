public import Frames
public import ShaderCompiler

/// The content of `NAME.golden.json` beside an effect: the images that it must render, and the allowed
/// differences.
public struct GoldenFile: Sendable {
  /// One image to render, or several.
  public struct Case: Sendable {
    public var name = "default"
    /// The parameters as typed after `-e NAME:`.
    public var parameters = ""
    /// The place of the parameters, in bytes from the start of the file; nil if there are none.
    public var parametersOffset: Int?
    public var times = [Rational(3, 2)]
    /// The number of frames before the first time, at 25 frames per second.
    public var leadUp = 0
    /// True if every time is compared, and not only the last.
    public var comparesAll = false
    /// `reference`, `moving`, or the path of an image, relative to the file.
    public var frame = "reference"
    public var size: (width: Int, height: Int)?
    public var limits = Limits()
  }

  /// The allowed differences, by the kind of GPU.
  public struct Limits: Sendable, Equatable {
    /// For Mesa's software driver, which made the images.
    public var software = GoldenLimit(maximum: 1.5, rootMeanSquare: 0.2)
    /// For all others, which differ in the last bits of sines, powers and roots; a threshold on such a value
    /// makes whole pixels differ.
    public var others = GoldenLimit(maximum: 6, rootMeanSquare: 0.6)
  }

  /// The cases in the written order.
  public private(set) var cases: [Case] = []
  /// The parameters for a gallery, as typed; nil for the defaults.
  public private(set) var gallery: String?
  /// How far the effect may look different at another size; nil if nothing is said.
  public private(set) var looks: Looks?

  /// The bound of the difference between an effect's looks at two sizes.
  public struct Looks: Sendable, Equatable {
    /// The largest mean absolute difference over all components, in 8-bit code values, after both images were scaled
    /// to the same size.
    public var bound: Double
    /// The parameters as typed after `-e NAME:`; empty for the defaults.
    public var parameters = ""
  }

  private let path: String
  private let source: String

  /// Makes one case with the effect's defaults, for an effect without a golden file.
  public init() {
    (path, source) = ("", "")
    cases = [Case()]
  }

  /// Reads a file.
  ///
  /// - Throws: What is wrong with the file, with its line and a caret.
  public init(path: String) throws(EffectError) {
    self.path = path
    do {
      source = try SourceFile.read(path)
    } catch {
      throw EffectError(file: path, "cannot be read: \(error.reason)")
    }
    do throws(LocatedError) {
      let (json, end) = try LocatedJSONParser.parse(source)
      guard source.utf8.dropFirst(end).allSatisfy({ " \t\r\n".utf8.contains($0) }) else {
        throw LocatedError(offset: end, message: "nothing may come after the closing }")
      }
      try read(json)
    } catch {
      throw EffectError(diagnostic(at: error.offset, error.message))
    }
  }

  /// Returns a diagnostic about the parameters of a case, at their place in the file.
  public func problem(_ message: String, in golden: Case) -> Diagnostic? {
    golden.parametersOffset.map { diagnostic(at: $0, message) }
  }

  private func diagnostic(at offset: Int, _ message: String) -> Diagnostic {
    Diagnostic(file: path, source: SourceText(source), utf8Offset: offset, message: message)
  }

  private static let shared = ["frame", "size", "limits"]

  private mutating func read(_ json: LocatedJSON) throws(LocatedError) {
    var model = Case()
    var list: LocatedJSON?
    for member in try json.members("the file") {
      switch member.key {
      case "cases": list = member.value
      case "gallery": gallery = try member.value.string("gallery")
      case "looks": looks = try Looks(member.value)
      default:
        guard try model.setShared(member) else {
          throw member.unknown(among: ["cases", "gallery", "looks"] + Self.shared)
        }
      }
    }
    guard let list else {
      cases = [model]
      return
    }
    for item in try list.items("cases") {
      var golden = model
      golden.name = ""
      for member in try item.members("a case") {
        if try golden.setShared(member) { continue }
        if try golden.setOwn(member) { continue }
        throw member.unknown(
          among: ["name", "parameters", "times", "leadUp", "compare"] + Self.shared)
      }
      guard !golden.name.isEmpty else {
        throw item.mistake("a case needs a name")
      }
      guard !cases.contains(where: { $0.name == golden.name }) else {
        throw item.mistake("the case '\(golden.name)' is given twice")
      }
      cases.append(golden)
    }
    guard !cases.isEmpty else {
      throw list.mistake("there is no case; add one, or leave out cases")
    }
  }
}

/// The largest allowed difference of a channel, and the allowed root mean square over all channels, in
/// 8-bit steps.
public struct GoldenLimit: Sendable, Equatable {
  public var maximum: Double
  public var rootMeanSquare: Double
}
