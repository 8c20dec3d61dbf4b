import Encode
import Recorder
import Settings

/// The lines of all files of `--preset` that count: what is typed wins over the files, and a later file over those
/// before it, also if the two are different options that contradict each other.
struct PresetLayers {
  typealias Line = PresetFile.Line

  /// The lines that count, with the file of each, in the order in which they are applied.
  private(set) var lines: [(file: String, line: Line)] = []

  /// All files that were read.
  private(set) var paths: [String] = []

  private let command: Command

  /// Reads the files.
  ///
  /// - Parameter typed: What is typed, with the names of the files.
  /// - Throws: A usage error that names the file.
  init(_ typed: Options) throws {
    command = typed.command
    var files: [(path: String, lines: [Line])] = []
    // What is typed is searched first, and the folders of a later file before those of the files before it.
    var folders: [String] = []
    for path in typed.presetFiles {
      let file = try PresetFile(path, effectFolders: typed.effectFolders + folders)
      files.append((path, file.lines.filter { [command] in Self.has(command, $0.option) }))
      folders.insert(
        contentsOf: file.lines.filter { $0.option.long == "effects-dir" }.map(\.value), at: 0)
      paths += file.paths
    }
    var above = typed.typed.compactMap { [command] name, value in
      option(name, of: command).map { Line(option: $0, value: value) }
    }
    for (path, own) in files.reversed() {
      do {
        let rest = try remaining(own, under: above)
        lines.insert(contentsOf: rest.map { (path, $0) }, at: 0)
        above = rest + above
      } catch {
        throw CommandLineError("\(path): \(error)")
      }
    }
  }

  /// Whether a command takes an option of a file; only some take the preset of an encoder.
  private static func has(_ command: Command, _ option: Option) -> Bool {
    let encodes = command != .play && command != .preview
    return option.commands.contains(command) && (encodes || option.long != "preset")
  }

  /// Returns the lines of a file that count, in their order; those above win over them.
  private func remaining(_ own: [Line], under above: [Line]) throws -> [Line] {
    let names = Set(above.map(\.option.long))
    var rest = own.filter { $0.option.repeats || !names.contains($0.option.long) }
    if let codec = above.last(where: { $0.option.long == "codec" })?.value {
      let words = try options(rest)
      var settings = EncodeSettings()
      settings.codec = own.last { $0.option.long == "codec" }?.value
      settings.crf = words.encoding.crf
      settings.pixelFormat = words.encoding.pixelFormat
      let lost = settings.optionsLost(with: codec)
      rest.removeAll { lost.contains($0.option.long) }
    }
    while true {
      let words = try options(rest + above)
      let broken = Contradiction.all.first { pair in
        pair.isThere(words) && !pair.names.isDisjoint(with: names)
          && rest.contains { pair.names.contains($0.option.long) }
      }
      // What a file contradicts in itself is refused as if it were typed.
      guard let broken else { return rest }
      rest.removeAll { broken.names.contains($0.option.long) }
    }
  }

  /// Returns what lines say together.
  private func options(_ lines: [Line]) throws -> Options {
    var words = Options()
    words.command = command
    for line in lines {
      try line.option.apply(&words, line.value)
      words.typed.append((line.option.long, line.value))
    }
    return words
  }
}
