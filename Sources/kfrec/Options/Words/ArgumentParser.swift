import Frames
import Recorder
import Settings

/// Parses the words after the program's name with the option table.
///
/// `--option=value`, `--option value`, `-ovalue`, `-o=value` and `-o value` are the same, except for options whose
/// value may be left out: theirs is never the next word. Switches may share a dash (`-yh`); after `--` nothing is an
/// option.
struct ArgumentParser {
  private var rest: ArraySlice<String>
  private var words = Options()
  /// The latest option, as typed, if it stands without the value that it may have.
  private var alone: String?
  /// What is typed, if preset files come before it.
  private var typedBefore: Options?
  /// What was typed so far of the options that count in one input in other programs, where their place matters.
  private var limits: [String] = []
  /// The folders of effects that preset files name, which are searched after those that are typed.
  private var foldersOfPresets: [(option: Option, value: String)] = []

  /// The typed options, each value parsed by its option's grammar; those of preset files come first.
  static func parse(_ typed: [String]) throws -> Options {
    var parser = ArgumentParser(rest: typed[...])
    try parser.run()
    let words = parser.words
    try words.checkPreset()
    guard !words.presetFiles.isEmpty else { return words }
    parser = ArgumentParser(rest: typed[...])
    parser.typedBefore = words
    try parser.run()
    try parser.words.checkPreset()
    return parser.words
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  /// Applies the options of preset files that count beside what is typed.
  private mutating func apply(presetsOf typed: Options) throws {
    // The place of what is in a file says nothing.
    defer { limits = [] }
    let layers = try PresetLayers(typed)
    words.readPresets += layers.paths
    var folders: [[(option: Option, value: String)]] = []
    var last: String?
    for (file, line) in layers.lines {
      if line.option.long == "effects-dir" {
        if last != file { folders.append([]) }
        folders[folders.count - 1].append((line.option, line.value))
        last = file
        continue
      }
      do { try apply(line.option, line.value) } catch {
        throw CommandLineError("\(file): \(error)")
      }
    }
    // A later file wins.
    foldersOfPresets += folders.reversed().flatMap(\.self)
  }

  private mutating func run() throws {
    if let command = rest.first.flatMap(Command.init(typed:)) {
      words.command = command
      rest.removeFirst()
    }
    if let typedBefore { try apply(presetsOf: typedBefore) }
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { try accept(operand: operand) }
        rest = []
      } else if word.hasPrefix("--") {
        try acceptLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-" {
        try acceptShort(word.dropFirst())
      } else {
        try accept(operand: word)
      }
    }
    for (option, value) in foldersOfPresets { try apply(option, value) }
  }

  private mutating func acceptLong(_ word: Substring) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    // A name may mean another thing to another command.
    let options = optionTable.filter { $0.long == name }
    guard
      let option = options.first(where: { $0.commands.contains(words.command) }) ?? options.first
    else {
      try refuse(foreign: "--" + name, parts.count == 2 ? String(parts[1]) : nil)
      throw unknown("--" + name, names: allowed.map { "--" + $0.long })
    }
    try check(option, typed: "--" + name)
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if option.valueName == nil, let attached {
      throw CommandLineError("--\(name) takes no value, so leave out \"=\(attached)\"")
    }
    try apply(option, typed: "--" + name, attached: attached)
  }

  private mutating func acceptShort(_ letters: Substring) throws {
    var letters = letters
    // "-input x" would be read as -i with the value "nput".
    let whole = String(letters.prefix { $0 != "=" })
    if whole.count > 1 || !optionTable.contains(where: { $0.short == whole.first }) {
      try refuse(
        foreign: "-" + whole,
        whole.count < letters.count ? String(letters.dropFirst(whole.count + 1)) : nil)
    }
    if whole.count > 1, allowed.contains(where: { $0.long == whole }) {
      throw CommandLineError("-\(whole) is not an option; did you mean --\(whole)?")
    }
    while let letter = letters.popFirst() {
      let typed = "-\(letter)"
      guard let option = optionTable.first(where: { $0.short == letter }) else {
        throw unknown(typed, names: [])
      }
      try check(option, typed: typed)
      if option.valueName == nil {
        try apply(option, typed: typed, attached: nil)
        if option.long == "help" { words.help = .short }
      } else {
        let attached = letters.isEmpty ? nil : letters.first == "=" ? letters.dropFirst() : letters
        try apply(option, typed: typed, attached: attached.map(String.init))
        letters = ""
      }
    }
  }

  /// Throws if a word is one of another tool: what to type here instead.
  private func refuse(foreign word: String, _ attached: String?) throws(CommandLineError) {
    let isNegative = rest.first.map { $0.hasPrefix("-") && Double($0) != nil } ?? false
    let next = rest.first.flatMap { !$0.hasPrefix("-") || isNegative ? $0 : nil }
    guard let sentence = ForeignWord.sentence(word, attached ?? next) else { return }
    throw CommandLineError(sentence)
  }

  private mutating func apply(_ option: Option, typed: String, attached: String?) throws {
    alone = attached == nil && option.valueIfAlone != nil ? typed : nil
    guard let valueName = option.valueName else { return try apply(option, "") }
    if let attached = attached ?? option.valueIfAlone { return try apply(option, attached) }
    guard let value = rest.popFirst() else {
      throw CommandLineError("\(typed) is the last word and lacks its \(valueName)")
    }
    if let next = namedOption(value) {
      throw CommandLineError(
        "\(typed) lacks its \(valueName): what follows is the option \(value) "
          + "(write \(typed)=\(value) if \(next) is the value)")
    }
    try apply(option, value)
  }

  private mutating func apply(_ option: Option, _ value: String) throws {
    if option.long == "preset", PresetFile.isFile(value) { return words.presetFiles.append(value) }
    if option.long == "effect", value.hasSuffix(PresetFile.suffix) {
      let file = try PresetFile(value, effectFolders: words.effectFolders)
      guard file.chain.contains(where: { $0.option.long == "effect" }) else {
        throw CommandLineError("the preset \(value) has no effects")
      }
      words.readPresets += file.paths
      for line in file.chain {
        if line.option.long == "effects-dir" {
          foldersOfPresets.append((line.option, line.value))
        } else {
          try apply(line.option, line.value)
        }
      }
      return
    }
    do { try option.apply(&words, value) } catch {
      throw ForeignWord.sentence(option, value: value).map { CommandLineError($0) } ?? error
    }
    words.typed.append((option.long, value))
    noteOrder(option, value)
    if option.traits.contains(.recording) { words.given.append((option.long, value)) }
  }

  /// Notes limits that stand before an input which is not the first one.
  private mutating func noteOrder(_ option: Option, _ value: String) {
    switch option.long {
    case "start", "end", "duration", "frames": limits.append("--\(option.long) \(value)")
    case "input" where words.inputs.count > 1: words.limitsBeforeInput = limits
    default: break
    }
  }

  /// The word, if it is an option of the table and not a value that begins with a dash.
  private func namedOption(_ word: String) -> String? {
    let isOption = optionTable.contains { option in
      word == "--" + option.long || word.hasPrefix("--\(option.long)=")
        || option.short.map { word == "-\($0)" } == true
    }
    return isOption ? word : nil
  }

  private func check(_ option: Option, typed: String) throws {
    guard !option.commands.contains(words.command) else { return }
    throw CommandLineError(
      "\(typed) belongs to \(orList(option.commands.map(\.title))), not to \(words.command.title)")
  }

  private mutating func accept(operand: String) throws {
    if words.operands.count < words.command.operand.limit {
      if [.batch, .play].contains(words.command), (try? InputPart(operand))?.isPart == true {
        throw CommandLineError(
          "\(operand): kfrec -i takes a part of an input; give --start, --end or -t here, which count for every "
            + "input")
      }
      return words.operands.append(operand)
    }
    // Nobody expects that the value of such an option cannot be the next word.
    let remedy = alone.map { "; write \($0)=\(operand) if it is the value of \($0)" } ?? ""
    guard words.command == .record else {
      throw CommandLineError(
        "\"\(operand)\" is one word too many; see \(words.command.title) --help" + remedy)
    }
    if let sentence = ForeignWord.command(operand) { throw CommandLineError(sentence) }
    let names = Command.shown.map(\.rawValue).filter { !$0.isEmpty }
    if let near = nearestName(to: operand, among: names) {
      throw CommandLineError(
        (near == operand
          ? "the command \(near) must be the first word"
          : "\"\(operand)\" is not a command; did you mean kfrec \(near)?") + remedy)
    }
    // Two files, as many programs take them.
    if remedy.isEmpty, words.inputs.isEmpty, words.outputs.isEmpty, operand.contains("."),
      let next = rest.first, !next.hasPrefix("-"), next.contains(".")
    {
      throw CommandLineError(
        "unexpected argument \"\(operand)\"; use -i \(shellWord(operand)) -o \(shellWord(next))")
    }
    throw CommandLineError(
      "unexpected argument \"\(operand)\"; name an input with -i and an output with -o" + remedy)
  }

  private var allowed: [Option] {
    optionTable.filter { $0.commands.contains(words.command) }
  }

  private func unknown(_ typed: String, names: [String]) -> CommandLineError {
    let remedy =
      nearestName(to: typed, among: names).map { "did you mean \($0)?" }
      ?? "see \(words.command.title) --help"
    return CommandLineError("\(typed) is not an option; \(remedy)")
  }
}
