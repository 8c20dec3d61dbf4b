import FoundationEssentials
import Frames
import ShaderCompiler

/// What an effect does and which parameters it takes, for lists of effects.
public struct EffectDescription: Sendable, Equatable, Encodable {
  public let name: String
  public let description: String
  public let categories: [String]
  public let inputs: [EffectInputDescription]
  public let path: String
  public let role: EffectRole
  /// The error in the file's header; nil if the effect can be used.
  public let problem: String?

  /// The description as one JSON object on one line.
  ///
  /// The keys are `name`, `description`, `categories`, `inputs`, `path`, `role`, and `problem` if there
  /// is one.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for infinite or NaN numbers; these numbers come from JSON, which has neither.
    let data = try? encoder.encode(self)
    return data.map { withoutControls(json: String(decoding: $0, as: UTF8.self)) } ?? "{}"
  }

  init(_ file: EffectFile) {
    self.init(path: file.path, header: file.header, role: file.role, problem: nil)
  }

  /// Describes a file, even if its header is wrong.
  init(path: String, readable: ReadableFolders) {
    do {
      self.init(try EffectFile(path: path, readable: readable))
    } catch {
      self.init(path: path, header: EffectHeader(), role: .filter, problem: error.description)
    }
  }

  private init(path: String, header: EffectHeader, role: EffectRole, problem: String?) {
    self.role = role
    name = EffectFile.name(ofPath: path)
    self.path = path
    description = header.description
    categories = header.categories
    inputs = header.inputs.filter { [nil, .file, .text].contains($0.imageRole) }
      .map(EffectInputDescription.init)
    self.problem = problem
  }
}

/// One parameter of an effect: in typed text for people, and in numbers for programs.
public struct EffectInputDescription: Sendable, Equatable {
  public let name: String
  /// `float`, `bool`, `long`, `point2D`, `color`, `image`, `event`, `text` or `font`.
  public let type: String
  /// The default; empty for an image or an event, which have no default.
  public let defaultText: String
  /// The limits; nil if there is no limit.
  public let minText: String?
  public let maxText: String?
  /// Other names that the command line accepts.
  public let aliases: [String]
  /// The words that a `long` accepts; empty if it accepts numbers.
  public let labels: [String]
  public let description: String
  /// True for an image that the effect cannot work without.
  public let isRequired: Bool

  fileprivate let defaultValue: Value?
  fileprivate let minimum: Value?
  fileprivate let maximum: Value?

  /// A value in its JSON form.
  fileprivate enum Value: Equatable {
    case flag(Bool)
    case word(String)
    case number(Double)
    case numbers([Double])
  }

  init(_ input: EffectInput) {
    name = input.name
    type = input.kind.rawValue
    defaultText = input.text(of: input.defaultValue)
    minText = input.minimum.map(input.text)
    maxText = input.maximum.map(input.text)
    aliases = input.aliases
    labels = input.choices.map(\.label)
    description = input.description.isEmpty ? input.label : input.description
    isRequired = input.isRequired
    defaultValue = Value(input.defaultValue, of: input)
    minimum = input.minimum.flatMap { Value($0, of: input) }
    maximum = input.maximum.flatMap { Value($0, of: input) }
  }
}

extension EffectInputDescription.Value {
  /// Nil for an input that has no value.
  fileprivate init?(_ value: [Double], of input: EffectInput) {
    switch input.kind {
    case .bool: self = .flag(value != [0])
    case .long where !input.choices.isEmpty: self = .word(input.text(of: value))
    case .long, .float: self = .number(value[0])
    case .point2D, .color: self = .numbers(value)
    case .text, .font: self = .word(input.words)
    case .image, .event, .audio, .audioFFT: return nil
    }
  }
}

extension EffectInputDescription.Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .flag(let flag): try container.encode(flag)
    case .word(let word): try container.encode(word)
    case .number(let number): try container.encode(number)
    case .numbers(let numbers): try container.encode(numbers)
    }
  }
}

extension EffectInputDescription: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, type, aliases, labels, description
    case defaultValue = "default"
    case minimum = "min"
    case maximum = "max"
    case isRequired = "required"
  }
}
