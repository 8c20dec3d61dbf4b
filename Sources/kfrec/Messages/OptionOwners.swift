import Settings

/// Completes sentences that name options.
///
/// Most messages come from parts of kfrec that do not know which command was typed, and some name an option as the
/// remedy. Where the command refuses this option, the sentence must say whose it is.
extension Command {
  /// Returns a sentence for somebody who typed this command, with the commands of the options that this one refuses.
  func completing(_ sentence: String) -> String {
    if [.batch, .play].contains(self), sentence.contains("~duration=") {
      return
        "\(sentence) (a part behind a name belongs to -i of kfrec and of kfrec preview, not to \(title))"
    }
    let foreign = optionsNamed(in: sentence).filter { named in
      !named.rows.contains { $0.commands.contains(self) }
        && !named.rows.flatMap(\.commands).contains { $0.isShown(in: sentence) }
    }
    guard let first = foreign.first else { return sentence }
    let owners = Command.allCases.filter { command in
      foreign.allSatisfy { named in named.rows.contains { $0.commands.contains(command) } }
    }
    // Options that no command has together: those of the first one.
    let (names, commands) =
      owners.isEmpty
      ? (
        [first.word],
        Command.allCases.filter { command in
          first.rows.contains { $0.commands.contains(command) }
        }
      ) : (foreign.map(\.word), owners)
    let list =
      names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
    return
      "\(sentence) (\(list) \(names.count == 1 ? "belongs" : "belong") to \(orList(commands.map(\.title))), not "
      + "to \(title))"
  }

  /// The options of kfrec that a sentence names, each once.
  private func optionsNamed(in sentence: String) -> [(word: String, rows: [Option])] {
    // What other programs take is theirs.
    let isOfOthers = ["ffmpeg -", "ssh -", "usermod -"].contains { sentence.contains($0) }
    var found: [(word: String, rows: [Option])] = []
    for part in sentence.split(whereSeparator: { " (\"',;:=\n".contains($0) }) {
      // What ends a sentence is no part of a name; any other sign makes it something else, such as a file's name.
      var word = part
      while let last = word.last, ").".contains(last) { word.removeLast() }
      guard word.allSatisfy({ $0 == "-" || $0.isASCII && $0.isLetter }),
        !found.contains(where: { $0.word == word })
      else { continue }
      let rows = optionTable.filter { option in
        word == "--" + option.long || !isOfOthers && option.short.map { word == "-\($0)" } == true
      }
      if !rows.isEmpty { found.append((String(word), rows)) }
    }
    return found
  }

  /// Whether a sentence shows how this command is called.
  private func isShown(in sentence: String) -> Bool {
    self == .record
      ? sentence.contains("kfrec -") || sentence.contains("to kfrec,")
        || sentence.contains("to kfrec or")
      : sentence.contains(title)
  }
}
