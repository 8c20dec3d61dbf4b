import FoundationEssentials

/// What an effect does and takes, for listings.
package struct EffectDescription: Sendable, Equatable {
  package let name: String
  package let description: String
  package let categories: [String]
  package let inputs: [EffectInputDescription]
  package let path: String
  package let role: EffectRole
  /// What is wrong with the file's header; nil for an effect that can be used.
  package let problem: String?

  /// One JSON object on one line: `name`, `description`, `categories`, `inputs`, `path`, `role`,
  /// and `problem` where there is one.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only numbers that are not finite can fail, and there are no numbers.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  init(_ file: EffectFile) {
    self.init(path: file.path, header: file.header, role: file.role, problem: nil)
  }

  /// Describes a file, be its header right or wrong.
  init(path: String) {
    do {
      self.init(try EffectFile(path: path))
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
    inputs = header.inputs.filter { $0.imageRole == nil || $0.imageRole == .file }
      .map(EffectInputDescription.init)
    self.problem = problem
  }
}

extension EffectDescription: Encodable {}

/// One parameter of an effect; values are written as they would be typed.
package struct EffectInputDescription: Sendable, Equatable {
  package let name: String
  /// `float`, `bool`, `long`, `point2D`, `color`, `image` or `event`.
  package let type: String
  /// Empty for an image or an event, which has none.
  package let defaultText: String
  /// Nil where there is no limit.
  package let minText: String?
  package let maxText: String?
  /// The words that a `long` takes; empty where it takes numbers.
  package let labels: [String]
  package let description: String

  init(_ input: EffectInput) {
    name = input.name
    type = input.kind.rawValue
    defaultText = input.text(of: input.defaultValue)
    minText = input.minimum.map(input.text)
    maxText = input.maximum.map(input.text)
    labels = input.choices.map(\.label)
    description = input.description.isEmpty ? input.label : input.description
  }
}

extension EffectInputDescription: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, type, labels, description
    case defaultText = "default"
    case minText = "min"
    case maxText = "max"
  }
}
