import Recorder
import Settings
import ShaderEffects

/// Brings options that mean the same into the same words, so that a batch does not make again what is only written
/// in another way.
enum SameWords {
  typealias Given = (name: String, value: String)

  /// The options, with numbers in one notation.
  static func options(_ given: [Given]) -> [Given] {
    let numbers = Set(optionTable.filter(\.isNumber).map(\.long))
    return given.map { numbers.contains($0.name) ? ($0.name, number($0.value)) : $0 }
  }

  /// The effects, with numbers in one notation, and without the folders of files whose names differ: their content is
  /// compared.
  static func effects(_ given: [Given], _ words: Options) -> [Given] {
    let library = words.effectLibrary
    let names = given.map { (try? EffectSpec(parsing: $0.value))?.name }
    func last(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    let places = Dictionary(grouping: Set(names.compactMap(\.self)), by: last)
    return zip(given, names).map { word, name in
      guard let name, let effect = try? library.describe(name) else { return word }
      let types = Dictionary(
        effect.inputs.flatMap { input in ([input.name] + input.aliases).map { ($0, input.type) } }
      ) { first, _ in first }
      let plain = places[last(name)]?.count == 1 ? String(last(name)) : name
      let value = EffectSpec.rewriting(word.value, name: plain) { key, value in
        ["mix", "from", "to"].contains(key) || ["float", "long"].contains(types[key] ?? "")
          ? number(value) : value
      }
      return (word.name, value)
    }
  }

  /// A decimal number without needless zeros; other text as it is.
  static func number(_ text: String) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" || $0 == "+" }
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty,
      text.prefix(2).count(where: { $0 == "-" || $0 == "+" }) <= 1,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      parts.count == 1 || !parts[1].isEmpty
    else { return text }
    let digits = whole.drop { $0 == "0" }
    var fraction = parts.count == 2 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    let number = (digits.isEmpty ? "0" : digits) + (fraction.isEmpty ? "" : "." + fraction)
    return isNegative && number != "0" ? "-" + number : String(number)
  }
}
