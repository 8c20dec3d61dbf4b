import Frames

/// One row of the option table: how an option is written, its help, and how it changes the settings of its feature.
///
/// Parsing, help, manual, completions, presets, batches and farms read the rows.
package struct OptionRow<Settings>: Sendable {
  /// The long name, without its dashes.
  package let long: String
  package let short: Character?
  /// The name of the value in the help; nil for a switch.
  package let valueName: String?
  /// What its value names.
  package let kind: ValueKind
  /// The allowed values, if they can be listed.
  package let choices: [String]
  /// Whether the option may be repeated, with every value kept.
  package let repeats: Bool
  package let category: OptionCategory
  /// The commands that take it.
  package let commands: [Command]
  package let traits: OptionTraits
  /// One line, without a full stop.
  package let help: String
  /// Whole sentences after that line in the long help; may be empty.
  package let details: String
  /// The value of the option if none is attached (`--preview` is `--preview=window`); nil if it needs one.
  package let valueIfAlone: String?
  /// Whether its value is a number, which has several notations.
  package let isNumber: Bool
  /// Stores the option's value ("" for a switch) in the settings.
  ///
  /// Throws a usage error for a value that is not allowed.
  package let apply: @Sendable (inout Settings, String) throws -> Void

  /// The same option, as one of settings that hold these.
  package func within<Whole>(
    _ place: any WritableKeyPath<Whole, Settings> & Sendable
  ) -> OptionRow<Whole> {
    OptionRow<Whole>(
      long: long, short: short, valueName: valueName, kind: kind, choices: choices,
      repeats: repeats, category: category, commands: commands, traits: traits, help: help,
      details: details, valueIfAlone: valueIfAlone, isNumber: isNumber,
      apply: { whole, value in try apply(&whole[keyPath: place], value) })
  }
}

extension Array {
  /// The same options, as those of settings that hold these.
  package func within<Settings, Whole>(
    _ place: any WritableKeyPath<Whole, Settings> & Sendable
  ) -> [OptionRow<Whole>] where Element == OptionRow<Settings> {
    map { $0.within(place) }
  }
}

extension OptionRow {
  /// Makes a switch.
  package static func flag(
    _ long: String, short: Character? = nil, in category: OptionCategory, of commands: [Command],
    traits: OptionTraits = [], help: String, details: String = "",
    apply: @escaping @Sendable (inout Settings) -> Void
  ) -> OptionRow {
    OptionRow(
      long: long, short: short, valueName: nil, kind: .word, choices: [], repeats: false,
      category: category, commands: commands, traits: traits, help: help, details: details,
      valueIfAlone: nil, isNumber: false, apply: { settings, _ in apply(&settings) })
  }

  /// Makes an option with a value that `apply` stores; the last one given counts.
  ///
  /// With `ifAlone` the value may be left out, and must be attached by an equals sign if it is given.
  package static func value<Value>(
    _ long: String, short: Character? = nil, ifAlone: String? = nil,
    taking grammar: ValueGrammar<Value>, in category: OptionCategory, of commands: [Command],
    traits: OptionTraits = [], help: String, details: String = "", repeats: Bool = false,
    apply: @escaping @Sendable (inout Settings, Value) -> Void
  ) -> OptionRow {
    OptionRow(
      long: long, short: short, valueName: grammar.name, kind: grammar.kind,
      choices: grammar.choices, repeats: repeats, category: category, commands: commands,
      traits: traits, help: help, details: details, valueIfAlone: ifAlone,
      isNumber: Value.self == Int.self || Value.self == Double.self || Value.self == Rational.self,
      apply: { settings, text in
        apply(&settings, try grammar.value(of: text, for: "--" + long))
      })
  }

  /// Makes an option with a value; the last one given counts.
  package static func value<Value>(
    _ long: String, short: Character? = nil, ifAlone: String? = nil,
    taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Settings, Value> & Sendable, in category: OptionCategory,
    of commands: [Command], traits: OptionTraits = [], help: String, details: String = ""
  ) -> OptionRow {
    value(
      long, short: short, ifAlone: ifAlone, taking: grammar, in: category, of: commands,
      traits: traits, help: help, details: details
    ) { $0[keyPath: field] = $1 }
  }

  /// Makes an option with a value for a setting that is nil without it; the last one given counts.
  package static func value<Value>(
    _ long: String, short: Character? = nil, ifAlone: String? = nil,
    taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Settings, Value?> & Sendable, in category: OptionCategory,
    of commands: [Command], traits: OptionTraits = [], help: String, details: String = ""
  ) -> OptionRow {
    value(
      long, short: short, ifAlone: ifAlone, taking: grammar, in: category, of: commands,
      traits: traits, help: help, details: details
    ) { $0[keyPath: field] = $1 }
  }

  /// Makes an option that may be repeated; every value counts, in order.
  package static func list<Value>(
    _ long: String, short: Character? = nil, taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Settings, [Value]> & Sendable, in category: OptionCategory,
    of commands: [Command], traits: OptionTraits = [], help: String, details: String = ""
  ) -> OptionRow {
    value(
      long, short: short, taking: grammar, in: category, of: commands, traits: traits, help: help,
      details: details, repeats: true
    ) { $0[keyPath: field].append($1) }
  }
}
