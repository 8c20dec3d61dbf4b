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
  /// - Throws: A usage error for a value that does not fit on a line, and for an effect that does not exist.
  static func text(of words: Options, for path: String) throws -> String {
    let paths = PresetPaths(
      from: "", effectFolders: words.effectFolders,
      makesAbsolute: folder(of: path).isEmpty ? nil : .current)
    for effect in words.effects {
      _ = try EffectLibrary(folders: words.effectFolders).describe(effect.name)
    }
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
      lines.append(option.valueName == nil ? typed : "\(typed) \(moved)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Options {
  /// Writes the file of `--save-preset`.
  ///
  /// - Throws: A usage error if it exists and is not to be replaced, else an error that says why it cannot be written.
  func savePreset(_ path: String) throws {
    let text = try PresetFile.text(of: self, for: path)
    guard overwrite || access(path, F_OK) != 0 else {
      throw CommandLineError("the preset \(path) exists; give -y to replace it, or another name")
    }
    let temporary = path + ".part"
    func failure() -> PresetError {
      PresetError(
        description: "the preset \(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure() }
    let bytes = Array(text.utf8)
    let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    guard close(file) == 0, isWritten, rename(temporary, path) == 0 else {
      let error = failure()
      unlink(temporary)
      throw error
    }
  }
}

/// A preset that cannot be written.
struct PresetError: ExplainedError { let description: String }
