import Encode
import Frames
import Glibc
import Recorder
import Settings
import ShaderEffects

/// The preset of an encoder, and files of options.
let encoderOptions: [Option] = [
  .value(
    "preset", taking: .encoderPreset, into: \.recording.encoding.preset,
    in: .encoding, of: [.record, .batch, .preview, .play], traits: .recording,
    help: "The encoder's preset, or a file of options that --save-preset wrote",
    details: """
      The encoder's: speed against file size. Default: for H.264 and HEVC about as fast as veryfast, with options of kfrec's own \
      that save more (see --crf); a preset that is named takes their place. A name that ends in .kfpreset or has a / is a file. Its \
      options count as if they were typed first: those that are typed win, and its effects come before those of -e. Paths \
      in it count from its folder. Several files may be given. -e look.kfpreset takes its effects alone, at this place of \
      the chain.
      """)
]

/// A file of options: its first line is `kfrec preset 1`, and each line after it is an option as it is typed, empty, or
/// a comment after `#`.
struct PresetFile {
  /// An option of the file, with its value ("" for a switch); paths count from the current folder.
  struct Line {
    let option: Option
    let value: String
  }

  private(set) var lines: [Line] = []
  /// The file, and those that its effects name.
  private(set) var paths: [String]

  /// The first line of a file of this version.
  static let title = titleStart + "\(version)"
  /// The beginning of the first line of a file of any version.
  static let titleStart = "kfrec preset "
  private static let version = 1
  static let suffix = ".kfpreset"
  /// How many presets may use one another.
  private static let depth = 8
  /// No preset is as large, and a device may have no end.
  private static let mostMebibytes = 4

  /// Returns whether a value of `--preset` is a file, and not a preset of an encoder.
  static func isFile(_ value: String) -> Bool { value.hasSuffix(suffix) || value.contains("/") }

  /// Reads a file, and the files that its effects name, which may be `depth` files away from the first one.
  ///
  /// - Throws: A usage error that names the file and the line.
  init(
    _ path: String, effectFolders: [String] = [], depth: Int = 0
  ) throws {
    guard depth < Self.depth else {
      throw CommandLineError("\(path): presets use one another; take one of them out")
    }
    paths = [path]
    let text = try Self.text(of: path)
    let rows: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    try Self.checkTitle(rows[0].trimmed, of: path)
    var written: [Line] = []
    for (number, row) in rows.enumerated().dropFirst() {
      let words = row.trimmed
      guard !words.isEmpty, !words.hasPrefix("#") else { continue }
      let place = "\(path), line \(number + 1)"
      let (option, value) = try Self.option(words, place)
      if option.long == "preset", Self.isFile(value) {
        throw CommandLineError(
          "\(place): a preset takes the effects of another one with -e \(value)")
      }
      written.append(Line(option: option, value: value))
    }
    let folder = Self.folder(of: path)
    var places = PresetPaths(from: folder, effectFolders: effectFolders)
    // Its effects may be in these folders, which have to be known before the images of an effect.
    let own = written.filter { $0.option.long == "effects-dir" }
      .map { places.moved($0.value, of: $0.option) }
    // What was typed is searched first.
    let folders = effectFolders + own
    places = PresetPaths(from: folder, effectFolders: folders)
    for line in written {
      let moved = places.moved(line.value, of: line.option)
      if line.option.long == "effect", moved.hasSuffix(Self.suffix) {
        let other = try PresetFile(moved, effectFolders: folders, depth: depth + 1)
        lines += other.chain
        paths += other.paths
      } else {
        lines.append(Line(option: line.option, value: moved))
      }
    }
  }

  /// The lines that `-e FILE.kfpreset` takes: the effects, and the folders that they are in.
  var chain: [Line] { lines.filter { $0.option.traits.contains(.chain) } }

  private static func text(of path: String) throws(CommandLineError) -> String {
    // So that a FIFO that nobody writes to is empty, and not waited for; one that has a writer is.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0, fcntl(file, F_SETFL, 0) == 0 else {
      throw CommandLineError(
        "--preset: \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    guard let bytes = Frames.bytes(of: file, fromStart: false, most: mostMebibytes << 20) else {
      throw CommandLineError(
        "--preset: \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard bytes.count <= mostMebibytes << 20 else {
      throw CommandLineError("\(path) is no preset: it has more than \(mostMebibytes) MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw CommandLineError("\(path) is no preset: it is not UTF-8")
    }
    // Editors of other systems end lines in two characters, which Swift takes for one.
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))
  }

  private static func checkTitle(_ line: String, of path: String) throws(CommandLineError) {
    guard line != title else { return }
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "kfrec", words[1] == "preset" else {
      throw CommandLineError("\(path) is no preset: its first line must be \"\(title)\"")
    }
    throw CommandLineError(
      "\(path) is a preset of version \(words[2]), and this kfrec reads version \(version); save it again"
    )
  }

  /// Reads a line: an option, and after a blank or an equals sign its value.
  private static func option(
    _ words: String, _ place: String
  ) throws(CommandLineError) -> (Option, String) {
    let isLong = words.hasPrefix("--")
    let name = words.dropFirst(isLong ? 2 : 1).prefix { $0 != " " && $0 != "=" && $0 != "\t" }
    let rest = words.dropFirst((isLong ? 2 : 1) + name.count)
    let candidates = optionTable.filter {
      isLong ? $0.long == name : $0.short.map(String.init) == String(name)
    }
    guard words.hasPrefix("-"), !candidates.isEmpty else {
      throw CommandLineError(
        "\(place): \"\(words)\" is no option; write one on each line, as it is typed")
    }
    guard let option = candidates.first(where: \.mayBeInPreset) else {
      let remedy = candidates[0].long == "overwrite" ? "; type it, where something is replaced" : ""
      throw CommandLineError(
        "\(place): a preset cannot have \(words.prefix { $0 != " " })\(remedy)")
    }
    var value = (rest.hasPrefix("=") ? rest.dropFirst() : rest).trimmed
    // As a shell would read it.
    let isQuoted = value.count > 1 && value.first == "'" && value.last == "'"
    if isQuoted { value = String(value.dropFirst().dropLast()) }
    if option.valueName == nil, !value.isEmpty {
      throw CommandLineError("\(place): --\(option.long) takes no value")
    }
    if option.valueName != nil, value.isEmpty, !isQuoted {
      guard let usual = option.valueIfAlone else {
        throw CommandLineError(
          "\(place): --\(option.long) lacks its \(option.valueName ?? "value")")
      }
      value = usual
    }
    return (option, value)
  }

  /// Returns a value as `option` reads it again: within quotation marks if its own ends would be taken off.
  static func written(_ value: String) -> String {
    let isQuoted = value.count > 1 && value.first == "'" && value.last == "'"
    return isQuoted || value.isEmpty || value.trimmed != value ? "'\(value)'" : value
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}

extension Options {
  /// Throws if the preset of an encoder was given to a command that has none.
  func checkPreset() throws(CommandLineError) {
    guard let preset = recording.encoding.preset, command == .preview || command == .play else {
      return
    }
    throw CommandLineError(
      "--preset \(preset) is for an encoder; \(command.title) takes the file of a preset, such as look.kfpreset"
    )
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " || $0 == "\t" }
    return String(String(rest.reversed().drop { $0 == " " || $0 == "\t" }).reversed())
  }
}

extension ValueGrammar where Value == String {
  /// The name of an encoder's preset; the parser takes the names of files before.
  static let encoderPreset = Self(
    name: "NAME", expected: "a preset's name such as veryfast, or a file such as look.kfpreset",
    kind: .encoderPreset
  ) { word in
    guard !PresetFile.isFile(word) else {
      throw CommandLineError(
        "the preset file \(word) cannot stand here; give it on the command line, with --preset")
    }
    return word.isEmpty ? nil : word
  }
}
