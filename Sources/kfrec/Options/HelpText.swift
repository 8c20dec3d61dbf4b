import Capture
import Encode

/// The help of a command, made from the tables, at most 80 columns wide.
struct HelpText {
  static let width = 80
  /// The column at which the text beside an option begins.
  private static let column = 27

  let command: Command
  let length: HelpLength

  var text: String {
    var sections = [head, usage]
    if command == .record { sections.append(commands) }
    sections += OptionCategory.allCases.map(options).filter { !$0.isEmpty }
    if command == .record, length == .long { sections += [sources, outputs] }
    sections.append(examples)
    if command == .record { sections += length == .long ? [exitCodes, environment] : [more] }
    return sections.joined(separator: "\n")
  }

  private var head: String {
    command == .record
      ? "kfrec \(programVersion): \(Command.record.summary)\n"
      : "\(command.title): \(command.summary)\n"
  }

  private var usage: String {
    let shown = command == .record ? Command.allCases : [command]
    return section("Usage", shown.map { "  kfrec \($0.usage)\n" })
  }

  private var commands: String {
    section(
      "Commands",
      Command.allCases.filter { $0 != .record }.map { entry($0.rawValue, $0.summary) })
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
    section(
      "Environment",
      [
        entry("KFREC_EFFECTS", "a folder to look for effects in, after --effects-dir"),
        entry("XDG_DATA_HOME", "effects are also looked for in kfrec/effects below it"),
        entry(
          "XDG_CACHE_HOME", "compiled shaders are kept in kfrec below it, else in ~/.cache/kfrec"),
        entry("XDG_CONFIG_HOME", "what --midi learns is kept in kfrec/midi.map below it"),
        entry("KFREC_CACHE", "off: keep nothing there and use nothing from there"),
        entry(
          "KFREC_DUMP_SHADERS", "a folder to which the text of each compiled kernel is written"),
        entry("VK_DRIVER_FILES", "read by the Vulkan loader: which drivers it may load"),
      ])
  }

  private var more: String { "kfrec --help says more about each option.\n" }

  private func section(_ title: String, _ lines: [String]) -> String {
    title + ":\n" + lines.joined()
  }

  /// A name on the left, and its text in a column on the right, below the name if that is long.
  private func entry(_ name: String, _ text: String) -> String {
    let lines = wrap(text, width: Self.width - Self.column)
    let start = "  " + name
    let indent = String(repeating: " ", count: Self.column)
    let fits = start.count + 2 <= Self.column
    var result = fits ? start + indent.dropFirst(start.count) : start + "\n" + indent
    result += lines.joined(separator: "\n" + indent) + "\n"
    return result
  }
}

/// Breaks a text at its spaces into lines of at most `width` characters (a longer word stays whole).
func wrap(_ text: String, width: Int) -> [String] {
  var lines = [""]
  for word in text.split(separator: " ") {
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
