import Encode
import Frames
import Glibc
import ShaderEffects

extension PresetFile {
  /// Returns the text of a file with typed options, without those that say what is read and written.
  ///
  /// - Parameters:
  ///   - words: The command line.
  ///   - path: The file, from whose folder its paths count.
  /// - Returns: The text.
  /// - Throws: A usage error for a value that does not fit on a line, and for an effect or a parameter that
  ///   does not exist.
  static func text(of words: Options, for path: String) throws -> String {
    let paths = PresetPaths(
      from: "", effectFolders: words.effectFolders,
      makesAbsolute: folder(of: path).isEmpty ? nil : .current)
    for effect in words.effects { try words.effectLibrary.check(effect) }
    var lines = [title]
    for (place, (name, value)) in words.typed.enumerated() {
      guard let option = optionTable.first(where: { $0.long == name && mayHave($0) }),
        option.category != .messages, !unstored.contains(name),
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
  /// Writes the file of `--save-preset`.
  ///
  /// It is written under another name, and renamed, so that it is whole or not there.
  ///
  /// - Parameter path: The file.
  /// - Throws: A usage error if it exists and is not to be replaced, or if options contradict each other; else an error
  ///   that says why it cannot be written.
  func savePreset(_ path: String) throws {
    try checkContradictions()
    let text = try PresetFile.text(of: self, for: path)
    let exists = CommandLineError(
      "the preset \(path) exists; give -y to replace it, or another name")
    guard overwrite || access(path, F_OK) != 0 else { throw exists }
    func failure(_ code: Int32) -> PresetError {
      PresetError(
        description: "the preset \(path) cannot be written: \(String(cString: strerror(code)))")
    }
    let (file, temporary) = PresetFile.openBeside(path)
    guard file >= 0 else { throw failure(errno) }
    var bytes = Array(text.utf8)[...]
    var code: Int32 = 0
    while code == 0, !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count >= 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { code = errno }
    }
    if code == 0, fsync(file) != 0 { code = errno }
    if close(file) != 0, code == 0 { code = errno }
    if code == 0 {
      code =
        overwrite
        ? rename(temporary, path) == 0 ? 0 : errno : renameExclusively(temporary, path)
    }
    guard code != 0 else { return }
    unlink(temporary)
    throw code == EEXIST ? exists as any Error : failure(code)
  }
}

extension PresetFile {
  /// How many names are tried for a file that is written.
  private static let names = 1000

  /// Makes a file beside another one, under a name that nothing has.
  ///
  /// - Parameter path: The other file.
  /// - Returns: Its descriptor and its path; the descriptor is negative if it cannot be made, and `errno` says why.
  fileprivate static func openBeside(_ path: String) -> (Int32, String) {
    for number in 1...names {
      let name = "\(path).\(number).part"
      let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file >= 0 || errno != EEXIST { return (file, name) }
    }
    return (-1, path)
  }
}

/// A preset that cannot be written.
struct PresetError: ExplainedError { let description: String }
