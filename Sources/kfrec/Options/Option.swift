/// One row of the option table: how an option is written, what its help says, and what it does to
/// the words typed.
///
/// Parsing, `-h`, `--help` and the suggestions for misspelt names all come from these rows.
struct Option: Sendable {
  /// Without its dashes.
  let long: String
  let short: Character?
  /// The value's name in the help; nil for a switch.
  let valueName: String?
  /// The words that may be the value, where they can be counted.
  let choices: [String]
  /// May be given more than once, with every value kept.
  let repeats: Bool
  let category: OptionCategory
  let commands: [Command]
  /// One line, without a full stop.
  let help: String
  /// Whole sentences that follow the line in the long help; may be empty.
  let details: String
  /// What follows the option in the words typed is passed in ("" for a switch).
  let apply: @Sendable (inout Options, String) throws -> Void
}

/// The groups of the help, in its order.
enum OptionCategory: String, CaseIterable {
  case input = "Input"
  case camera = "Camera"
  case effects = "Effects"
  case output = "Output"
  case encoding = "Encoding"
  case messages = "Messages"
}

extension Option {
  /// A switch.
  static func flag(
    _ long: String, short: Character? = nil, in category: OptionCategory,
    of commands: [Command] = [.record], help: String, details: String = "",
    apply: @escaping @Sendable (inout Options) -> Void
  ) -> Option {
    Option(
      long: long, short: short, valueName: nil, choices: [], repeats: false, category: category,
      commands: commands, help: help, details: details, apply: { words, _ in apply(&words) })
  }

  /// An option with a value; the last one given counts.
  static func value<Value>(
    _ long: String, short: Character? = nil, taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Options, Value?> & Sendable, in category: OptionCategory,
    of commands: [Command] = [.record], help: String, details: String = ""
  ) -> Option {
    Option(
      long: long, short: short, valueName: grammar.name, choices: grammar.choices, repeats: false,
      category: category, commands: commands, help: help, details: details,
      apply: { words, text in
        words[keyPath: field] = try grammar.value(of: text, for: "--" + long)
      })
  }

  /// An option that may be repeated; every value counts, in order.
  static func list<Value>(
    _ long: String, short: Character? = nil, taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Options, [Value]> & Sendable, in category: OptionCategory,
    of commands: [Command] = [.record], help: String, details: String = ""
  ) -> Option {
    Option(
      long: long, short: short, valueName: grammar.name, choices: grammar.choices, repeats: true,
      category: category, commands: commands, help: help, details: details,
      apply: { words, text in
        words[keyPath: field].append(try grammar.value(of: text, for: "--" + long))
      })
  }
}

extension ValueGrammar {
  /// Reads a value, or says what the option takes.
  func value(of text: String, for option: String) throws -> Value {
    guard let value = try parse(text) else {
      throw CommandLineError("\(option) takes \(expected), not \"\(text)\"")
    }
    return value
  }
}
