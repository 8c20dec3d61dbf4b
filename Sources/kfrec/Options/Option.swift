import Frames

/// One row of the option table: how an option is written, its help, and how it changes the typed
/// options.
///
/// Parsing, `-h`, `--help` and the suggestions for misspelt names all use these rows.
struct Option: Sendable {
  /// The long name, without its dashes.
  let long: String
  let short: Character?
  /// The name of the value in the help; nil for a switch.
  let valueName: String?
  /// The allowed values, if they can be listed.
  let choices: [String]
  /// Whether the option may be repeated, with every value kept.
  let repeats: Bool
  let category: OptionCategory
  var commands: [Command]
  /// One line, without a full stop.
  let help: String
  /// Whole sentences after that line in the long help; may be empty.
  let details: String
  /// The value of the option if none is attached (`--preview` is `--preview=window`); nil if it needs one.
  var valueIfAlone: String? = nil
  /// Whether its value is a number, which has several notations.
  var isNumber = false
  /// Stores the option's value ("" for a switch) in the typed options.
  let apply: @Sendable (inout Options, String) throws -> Void
}

/// The groups of the help, in its order.
enum OptionCategory: String, CaseIterable {
  case input = "Input"
  case camera = "Camera"
  case effects = "Effects"
  case control = "Control"
  case output = "Output"
  case play = "Player"
  case batch = "Batch"
  case farm = "Farm"
  case encoding = "Encoding"
  case messages = "Messages"
}

extension Option {
  /// Options of a recording that a batch does not have: it has inputs and outputs of its own, and no live
  /// source.
  private static let recordingOnly: Set<String> = [
    "input", "overlap", "realtime", "audio", "reload", "control", "control-bind", "control-token",
    "glide", "automation",
    "output",
    "no-overwrite", "framehash", "stop-at", "stats", "version", "preview", "midi", "midi-map",
    "split", "verify",
    "save-preset",
  ]

  /// Whether the option changes what a recording makes, and can be given to a batch too.
  var isOfRecordings: Bool {
    commands.contains(.record) && category != .camera && category != .messages
      && !Option.recordingOnly.contains(long)
  }

  /// The option, also for `kfrec batch` if each of its recordings can have it.
  var forBatchToo: Option {
    let isMessage = category == .messages && commands.contains(.record)
    guard isOfRecordings || isMessage && !Option.recordingOnly.contains(long),
      !commands.contains(.batch)
    else { return self }
    var option = self
    option.commands.append(.batch)
    return option
  }

  /// The option, also for `kfrec preview` if it changes what is shown.
  var forPreviewToo: Option {
    let isShown = [.input, .camera, .effects, .control, .messages].contains(category)
    guard commands.contains(.record), !commands.contains(.preview),
      isShown
        // An automation is a file too.
        || [
          "size", "scale", "scaler", "pad-color", "range", "preview", "preset", "overwrite",
          "no-overwrite",
        ].contains(long),
      ![
        "no-tags", "audio", "volume", "normalize", "save-preset", "json", "on-end",
        "subtitles-track",
      ]
      .contains(long)
    else { return self }
    var option = self
    option.commands.append(.preview)
    return option
  }

  /// The option, also for `kfrec play` if it changes how files are played.
  var forPlayToo: Option {
    let names: Set<String> = [
      "start", "end", "duration", "no-audio", "subtitles", "variant", "program", "network-timeout",
      "input-matrix", "input-range",
      "input-transfer", "effect",
      "effects-dir", "allow-read", "reload", "gpu", "require-gpu", "gpu-timeout", "control",
      "control-bind",
      "control-token",
      "glide", "midi", "midi-map", "size", "deinterlace", "field-order", "crop", "rotate", "flip",
      "aspect", "pad-color",
      "scale", "scaler", "range", "preset", "compare",
      "quiet", "verbose", "stats", "help",
    ]
    guard commands.contains(.record), names.contains(long) else { return self }
    var option = self
    option.commands.append(.play)
    return option
  }

  /// Makes a switch.
  static func flag(
    _ long: String, short: Character? = nil, in category: OptionCategory,
    of commands: [Command] = [.record], help: String, details: String = "",
    apply: @escaping @Sendable (inout Options) -> Void
  ) -> Option {
    Option(
      long: long, short: short, valueName: nil, choices: [], repeats: false, category: category,
      commands: commands, help: help, details: details, apply: { words, _ in apply(&words) })
  }

  /// Makes an option with a value; the last one given counts.
  ///
  /// With `ifAlone` the value may be left out, and must be attached by an equals sign if it is given.
  static func value<Value>(
    _ long: String, short: Character? = nil, ifAlone: String? = nil,
    taking grammar: ValueGrammar<Value>,
    into field: any WritableKeyPath<Options, Value?> & Sendable, in category: OptionCategory,
    of commands: [Command] = [.record], help: String, details: String = ""
  ) -> Option {
    Option(
      long: long, short: short, valueName: grammar.name, choices: grammar.choices, repeats: false,
      category: category, commands: commands, help: help, details: details, valueIfAlone: ifAlone,
      isNumber: Value.self == Int.self || Value.self == Double.self || Value.self == Rational.self,
      apply: { words, text in
        words[keyPath: field] = try grammar.value(of: text, for: "--" + long)
      })
  }

  /// Makes an option that may be repeated; every value counts, in order.
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
  /// Parses a value, or throws an error that says what the option takes.
  func value(of text: String, for option: String) throws -> Value {
    guard let value = try parse(text) else {
      throw CommandLineError("\(option) takes \(expected), not \"\(text)\"")
    }
    return value
  }
}
