import Frames
import Recorder
import Settings
import ShaderEffects

/// What keeps a command line.
let presetOptions: [Option] = [
  .value(
    "save-preset", taking: .file(), into: \.savedPreset,
    in: .effects, of: [.record], traits: .person,
    help: "Write the options and effects of this command to a file for --preset",
    details: """
      The first line is kfrec preset 1, and each line after it is an option as it is typed; # begins a comment. Paths \
      in it count from its folder. -i, -o, -y and -n are never stored, but you may write -i and -o into the file. Without \
      -o only the file is written. -y replaces a file that exists.
      """)
]

extension PresetFile {
  /// Returns the text of a file with typed options, without those that say what is read and written; its paths count from
  /// its folder.
  ///
  /// - Throws: A usage error for a value that does not fit on a line, and for an effect or a parameter that
  ///   does not exist.
  static func text(of words: Options, for path: String) throws -> String {
    let paths = PresetPaths(
      from: "", effectFolders: words.effectFolders,
      makesAbsolute: !folder(of: path).isEmpty)
    for effect in words.effects { try words.effectLibrary.check(effect) }
    var lines = [title]
    for (place, (name, value)) in words.typed.enumerated() {
      guard let option = optionTable.first(where: { $0.long == name && $0.mayBeInPreset }),
        option.isSavedInPreset,
        // The last one counts.
        option.repeats || !words.typed[(place + 1)...].contains(where: { $0.name == name })
      else { continue }
      // A text may have line ends, which it also writes as \n.
      let moved = paths.moved(value, of: option).replacing(
        "\n", with: name == "effect" ? "\\n" : "\n")
      guard !moved.contains(where: \.isNewline) else {
        throw CommandLineError("--\(name) has a line end in its value, which a preset cannot keep")
      }
      let typed = name == "effect" ? "-e" : "--\(name)"
      lines.append(option.valueName == nil ? typed : "\(typed) \(written(moved))")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Options {
  /// Writes the file of `--save-preset`; only another preset can be replaced, and none that this command reads.
  ///
  /// - Throws: A usage error if it exists and is not to be replaced, or if options contradict each other; else an error
  ///   that says why it cannot be written.
  func savePreset(_ path: String) throws {
    try checkContradictions()
    try checkWrittenFiles()
    let text = try PresetFile.text(of: self, for: path)
    let file = WholeFile(
      path,
      replacing: recording.overwrite == .replace
        ? .own { $0.starts(with: PresetFile.titleStart.utf8) } : .nothing)
    do throws(WholeFile.Failure) {
      try file.write(text.utf8, isPrivate: ShownAddress.inText(text) != text)
    } catch {
      switch error {
      case .exists where recording.overwrite != .replace:
        throw CommandLineError("the preset \(path) exists; give -y to replace it, or another name")
      case .exists:
        throw CommandLineError("\(path) exists and is no preset; give --save-preset another name")
      case .isOther: throw CommandLineError("the preset \(path) \(error.words)")
      case .system:
        throw CommandLineError("the preset \(path) \(error.words)", isUsageError: false)
      }
    }
  }
}
