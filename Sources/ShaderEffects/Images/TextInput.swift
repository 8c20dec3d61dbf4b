import ShaderCompiler
import Text

/// How the words of a text input are drawn: formulas of the frame's size and the inputs, in pixels of the frame.
struct TextRule: Sendable, Equatable {
  /// The height of a line.
  var size: Expression
  /// The width at which lines are broken; nil for the frame's.
  var width: Expression?
  /// The width of the outline; nil for none.
  var outline: Expression?
  /// 0, 1 or 2: lines begin at the left, lie in the middle or end at the right; nil for the left.
  var alignment: Expression?

  static let keys = ["SIZE", "WIDTH", "OUTLINE", "ALIGN"]

  var formulas: [Expression] { [size, width, outline, alignment].compactMap(\.self) }
}

extension EffectHeader {
  /// Reads how texts are drawn from INPUTS; the inputs must already be known.
  mutating func addTexts(_ list: LocatedJSON) throws(LocatedError) {
    for (item, input) in zip(try list.items("INPUTS"), inputs) where input.kind == .text {
      let members = try item.members("an input")
      func formula(_ key: String) throws(LocatedError) -> Expression? {
        guard let member = members.first(where: { $0.key == key }) else { return nil }
        return try PassTarget.formula(member.value, key, inputs)
      }
      guard let size = try formula("SIZE") else {
        throw item.mistake("input '\(input.name)' needs SIZE, the height of a line in pixels")
      }
      texts[input.name] = TextRule(
        size: size, width: try formula("WIDTH"), outline: try formula("OUTLINE"),
        alignment: try formula("ALIGN"))
    }
  }
}

/// A text of an effect: its words, and the font that draws them.
struct TextInput: Sendable {
  let name: String
  let template: TextTemplate
  let font: TextFont
  private let rule: TextRule

  /// Returns the texts of an effect; they are drawn in the font of its first font input, or else in the usual one.
  static func all(_ use: EffectSpec, for file: EffectFile) throws(EffectError) -> [TextInput] {
    let header = file.header
    guard !header.texts.isEmpty else { return [] }
    let given = Dictionary(use.parameters.map { ($0.name, $0.value) }) { $1 }
    func words(_ input: EffectInput) -> String { given[input.name] ?? input.words }
    let chosen = header.inputs.first { $0.kind == .font }
    let fontWords = chosen.map(words) ?? ""
    if let chosen, given[chosen.name] == nil || use.isOfEffect, file.readable.refuses(fontWords) {
      throw EffectError(
        file: file.path, "\(chosen.name): the font \(fontWords) \(file.readable.refusal)")
    }
    let font: TextFont
    do {
      font = try TextFont(fontWords.isEmpty ? TextFont.usual : fontWords)
    } catch {
      throw .usage("effect '\(file.name)': \(chosen?.name ?? "font"): \(error)")
    }
    var texts: [TextInput] = []
    for input in header.inputs {
      guard let rule = header.texts[input.name] else { continue }
      let template = try TextTemplate(words(input), subject: "effect '\(file.name)': \(input.name)")
      texts.append(TextInput(name: input.name, template: template, font: font, rule: rule))
    }
    return texts
  }

  /// The largest height of a line in pixels.
  private static let sizes = 1.0...2048

  /// Returns how the text is drawn.
  ///
  /// - Throws: `EffectError` for a size that is not allowed.
  func style(_ moments: SizingMoments, of file: EffectFile) throws(EffectError) -> TextStyle {
    func value(
      _ formula: Expression?, _ key: String, in range: ClosedRange<Double>, otherwise: Double
    ) throws(EffectError) -> Double {
      guard let value = formula.map(moments.largest) else { return otherwise }
      guard !value.isNaN else {
        throw EffectError(file: file.path, "the \(key) of '\(name)' is not a number")
      }
      return min(max(value, range.lowerBound), range.upperBound)
    }
    let sides = Double(PassTarget.sides.lowerBound)...Double(PassTarget.sides.upperBound)
    return TextStyle(
      font: font, size: try value(rule.size, "SIZE", in: Self.sizes, otherwise: 1).rounded(),
      outline: try value(rule.outline, "OUTLINE", in: 0...256, otherwise: 0),
      width: Int(try value(rule.width, "WIDTH", in: sides, otherwise: moments.frameWidth)),
      alignment: Int(try value(rule.alignment, "ALIGN", in: 0...2, otherwise: 0)))
  }
}
