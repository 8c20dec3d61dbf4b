import Capture
import Encode
import Settings

/// The help of a command, made from the tables, at most 80 columns wide.
struct HelpText {
  static let width = 80

  let command: Command
  let length: HelpLength

  var text: String { (length == .short ? screen : everything).joined(separator: "\n") }

  private var everything: [String] {
    var sections = [head, usage]
    if command == .record { sections.append(commands) }
    sections += OptionCategory.allCases.map(options).filter { !$0.isEmpty }
    if command == .record { sections += [sources, outputs] }
    sections.append(examples)
    if command == .record { sections += [exitCodes, environment] }
    return sections
  }

  /// The rows of a terminal that `-h` fits on, without the line of the next prompt.
  static let rows = 23
  private static let shortOptions = 6
  private static let shortExamples = 3

  /// A screen: the options that most people need, and where the others are.
  private var screen: [String] {
    let own = optionTable.filter { $0.commands.contains(command) && $0.long != "help" }
    let common = command.commonOptions.compactMap { name in own.first { $0.long == name } }
    let rest = own.filter { option in !common.contains { $0.long == option.long } }
    let shown = common + rest.prefix(max(0, Self.shortOptions - common.count))
    var sections = [head + "\nUsage: kfrec \(command.usage)\n"]
    if !shown.isEmpty { sections.append(shown.map(describe).joined()) }
    sections.append(
      command.examples.prefix(Self.shortExamples).map { "  \($0.words)\n      \($0.what)\n" }
        .joined())
    if command == .record {
      let names = Command.shown.filter { $0 != .record && !$0.isForInstalling }.map(\.rawValue)
      sections.append(
        wrap(
          "Commands: \(names.joined(separator: ", ")); kfrec help COMMAND tells more.",
          width: Self.width
        )
        .joined(separator: "\n") + "\n"
          + "kfrec --help has all \(own.count) options, and kfrec man is the manual page.\n")
    } else {
      sections.append(
        own.count > shown.count
          ? "\(command.title) --help has all \(own.count) options.\n"
          : "\(command.title) --help says more.\n")
    }
    return sections
  }

  private var head: String {
    command == .record
      ? "kfrec \(programVersion): \(Command.record.summary)\n"
      : "\(command.title): \(command.summary)\n"
  }

  private var usage: String {
    let shown = command == .record ? Command.shown : [command]
    return section("Usage", shown.map { "  kfrec \($0.usage)\n" })
  }

  private var commands: String {
    section(
      "Commands",
      Command.shown.filter { $0 != .record }.map { entry($0.rawValue, $0.summary) })
  }

  private func options(_ category: OptionCategory) -> String {
    let rows = optionTable.filter { $0.category == category && $0.commands.contains(command) }
    return rows.isEmpty ? "" : section(category.rawValue, rows.map(describe))
  }

  private func describe(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { option.valueIfAlone == nil ? " " + $0 : "[=\($0)]" } ?? ""
    var words = option.help
    if !option.choices.isEmpty { words += ": " + orList(option.choices) }
    if length == .long, !option.details.isEmpty { words += ". " + option.details }
    return entry(short + "--" + option.long + value, words)
  }

  private var sources: String {
    section("Sources, for --input", SourceKind.all.map { entry($0.words, $0.summary) })
  }

  private var outputs: String {
    section("Outputs, for --output", OutputKind.all.map { entry($0.words, $0.summary) })
  }

  private var examples: String {
    section("Examples", command.examples.map { "  \($0.words)\n      \($0.what)\n" })
  }

  private var exitCodes: String {
    section("Exit codes", ExitCode.allCases.map { entry("\($0.rawValue)", $0.meaning) })
  }

  private var environment: String {
    section("Environment", EnvironmentVariable.all.map { entry($0.name, $0.meaning) })
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    title + ":\n" + lines.joined()
  }

  private func entry(_ name: String, _ text: String) -> String {
    hang("  " + name, text, column: 27)
  }
}

/// An environment variable that kfrec or a library reads, for the help and the manual page.
struct EnvironmentVariable {
  let name: String
  let meaning: String

  static let all: [EnvironmentVariable] = [
    .init(name: "KFREC_EFFECTS", meaning: "a folder to look for effects in, after --effects-dir"),
    .init(name: "XDG_DATA_HOME", meaning: "effects are also looked for in kfrec/effects below it"),
    .init(
      name: "XDG_CACHE_HOME",
      meaning: "compiled shaders are kept in kfrec below it, else in ~/.cache/kfrec"),
    .init(
      name: "XDG_CONFIG_HOME", meaning: "what --midi learns is kept in kfrec/midi.map below it"),
    .init(name: "KFREC_CACHE", meaning: "off: keep nothing there and use nothing from there"),
    .init(name: "KFREC_FONT", meaning: "a font file for the text of the window"),
    .init(
      name: "KFREC_DUMP_SHADERS",
      meaning: "a folder to which the text of each compiled kernel is written"),
    .init(
      name: "VK_DRIVER_FILES", meaning: "read by the Vulkan loader: which drivers it may load"),
  ]
}

/// Breaks a text at its spaces into lines of at most `width` characters (a longer word stays whole).
func wrap(_ text: String, width: Int) -> [String] {
  var lines = [""]
  for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
    let line = lines[lines.count - 1]
    if line.isEmpty {
      lines[lines.count - 1] = String(word)
    } else if line.count + 1 + word.count <= width {
      lines[lines.count - 1] = line + " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
