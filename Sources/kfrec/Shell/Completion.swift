import Settings

/// `kfrec complete`: what may stand in the place of the last word, for the completions of shells.
///
/// It opens no device and no GPU. Each line is `KIND`, a tab, the whole word, a tab, and a note for people:
/// - `word`: a word after which the next one may follow;
/// - `part`: the beginning of a word, which goes on without a space;
/// - `files` and `folders`: the shell completes paths here, in its own way; the other fields are empty.
struct Completion {
  /// The typed words after the program's name; the last one is not complete, and may be empty.
  let words: [String]

  /// One thing that may stand there.
  enum Offer: Equatable {
    case word(String, note: String = "")
    case part(String, note: String = "")
    case files
    case folders
  }

  var text: String { offers.compactMap(\.line).map { $0 + "\n" }.joined() }

  /// What may stand in the place of the last word.
  var offers: [Offer] {
    let typed = words.last ?? ""
    let place = TypedPlace(words.dropLast())
    if let option = place.pending { return values(of: option, typed, behind: "", place) }
    if !place.isBehindDashes, typed.hasPrefix("-") {
      return options(typed, place)
    }
    return operands(typed, place)
  }

  private func options(_ typed: String, _ place: TypedPlace) -> [Offer] {
    if typed.hasPrefix("--"), let equal = typed.firstIndex(of: "=") {
      let name = typed[..<equal].dropFirst(2)
      guard let option = place.option(named: String(name)), option.valueName != nil else {
        return []
      }
      let value = typed[typed.index(after: equal)...]
      return values(of: option, String(value), behind: "--\(name)=", place)
    }
    if !typed.hasPrefix("--"), let letter = typed.dropFirst().first,
      let option = place.option(named: letter), option.valueName != nil
    {
      let value = String(typed.dropFirst(2))
      let sign = value.first == "=" ? "=" : ""
      return values(
        of: option, String(value.dropFirst(sign.count)), behind: "-\(letter)\(sign)", place)
    }
    let given = Set(place.given)
    return place.options.filter { $0.repeats || !given.contains($0.long) }.flatMap { option in
      let name = "--" + option.long
      let own: [Offer] =
        option.valueIfAlone == nil || option.choices.isEmpty
        ? [.word(name, note: option.help)]
        : [.word(name, note: option.help), .part(name + "=", note: option.help)]
      return (option.short.map { [.word("-\($0)", note: option.help)] } ?? []) + own
    }
  }

  private func operands(_ typed: String, _ place: TypedPlace) -> [Offer] {
    var offers: [Offer] = []
    if words.count == 1 {
      offers = Command.shown.filter { $0 != .record }
        .map { .word($0.rawValue, note: $0.summary) }
    }
    if place.operandCount < place.command.operand.limit {
      offers += OfferedValues(place).operands(typed)
    }
    // Every other word is an option.
    return offers.isEmpty && typed.isEmpty && !place.isBehindDashes ? options("-", place) : offers
  }

  private func values(
    of option: Option, _ typed: String, behind lead: String, _ place: TypedPlace
  ) -> [Offer] {
    let offers = OfferedValues(place).values(of: option, typed)
    guard !lead.isEmpty else { return offers }
    // The shell would look for a file of the whole word's name.
    return offers.flatMap { offer -> [Offer] in
      switch offer {
      case .word(let text, let note): [.word(lead + text, note: note)]
      case .part(let text, let note): [.part(lead + text, note: note)]
      case .files: OfferedPaths(typed).offers(behind: lead)
      case .folders: OfferedPaths(typed, onlyFolders: true).offers(behind: lead)
      }
    }
  }
}

extension Completion.Offer {
  /// The line for a shell; nil for text that does not fit on a line.
  fileprivate var line: String? {
    let fields: [String]
    switch self {
    case .word(let text, let note): fields = ["word", text, Self.short(note)]
    case .part(let text, let note): fields = ["part", text, Self.short(note)]
    case .files: fields = ["files", "", ""]
    case .folders: fields = ["folders", "", ""]
    }
    let breaks = fields.contains {
      $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    }
    return breaks ? nil : fields.joined(separator: "\t")
  }

  private static func short(_ note: String) -> String {
    let plain = visible(note).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return plain.count <= 70 ? plain : plain.prefix(69) + "…"
  }
}

/// What the words before an incomplete one mean.
struct TypedPlace {
  private(set) var command = Command.record
  /// The option whose value is the next word.
  private(set) var pending: Option?
  /// Whether no word is an option any more.
  private(set) var isBehindDashes = false
  private(set) var operandCount = 0
  /// The long names of the options so far.
  private(set) var given: [String] = []
  private(set) var effectFolders: [String] = []

  init(_ words: some Sequence<String>) {
    for (number, word) in words.enumerated() { add(word, isFirst: number == 0) }
  }

  var options: [Option] { optionTable.filter { $0.commands.contains(command) } }

  func option(named long: String) -> Option? { options.first { $0.long == long } }
  func option(named short: Character) -> Option? { options.first { $0.short == short } }

  private mutating func add(_ word: String, isFirst: Bool) {
    if let option = pending {
      note(option, word)
      pending = nil
    } else if isFirst, !word.isEmpty, let command = Command(rawValue: word) {
      self.command = command
    } else if isBehindDashes || !word.hasPrefix("-") || word == "-" {
      operandCount += 1
    } else if word == "--" {
      isBehindDashes = true
    } else if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, let option = option(named: name) else { return }
      given.append(option.long)
      if parts.count > 1 || word.hasSuffix("=") {
        note(option, parts.count > 1 ? parts[1] : "")
      } else if option.valueName != nil, option.valueIfAlone == nil {
        pending = option
      }
    } else {
      addShort(word.dropFirst())
    }
  }

  private mutating func addShort(_ letters: Substring) {
    var letters = letters
    while let letter = letters.popFirst(), let option = option(named: letter) {
      given.append(option.long)
      guard option.valueName != nil else { continue }
      if letters.isEmpty { pending = option } else { note(option, String(letters)) }
      return
    }
  }

  private mutating func note(_ option: Option, _ value: String) {
    if option.long == "effects-dir" { effectFolders.append(value) }
  }
}
