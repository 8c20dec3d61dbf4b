import Batch
import Encode
import Frames
import Glibc
import Recorder
import Settings
import ShaderEffects

/// What a batch reads and prints.
let listOptions: [Option] = [
  .value(
    "list", taking: .file(expected: "a file with a path on each line"), into: \.list,
    in: .batch, of: [.batch], traits: .once,
    help: "Also take the inputs of this list, a path on each line",
    details: """
      - is standard input. Empty lines are left out. Paths are relative to the current folder. A line that begins \
      with { is a JSON object with options for its input: {"input": "a.mov", "effects": ["vhs"], "options": \
      {"crf": 20, "start": "10"}, "output": "night/a.mkv"}. Only "input" is needed. "effects" takes the place of \
      all -e.
      """),
  .flag(
    "dry-run", in: .batch, of: [.batch], traits: .once,
    help: "Only print what would be made, and why"
  ) { $0.dryRun = true },
]

/// The lines of a list of inputs (`--list`): paths, and JSON objects with options of their own.
struct InputList {
  struct Line {
    /// For messages, such as "line 3 of list".
    let name: String
    var input = ""
    var output: String?
    /// As after each `-e`; nil if the command's effects apply.
    var effects: [String]?
    /// Names of options without dashes, and their values ("" for a switch).
    var options: [(name: String, value: String)] = []
    /// The line, if it is an object.
    var text: String?
  }

  let lines: [Line]

  /// A hundred thousand inputs with long paths have less, and a device may have no end.
  private static let mostMebibytes = 256

  /// Reads a file, or standard input if the path is "-".
  ///
  /// - Throws: A usage error; it names the line that is wrong.
  init(_ path: String) throws(CommandLineError) {
    let name = path == "-" ? "standard input" : path
    var bytes = try InputList.bytes(of: path, name)[...]
    // Editors of other systems put a mark before the text and "\r" before each line end.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    var lines: [Line] = []
    let split = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in split.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !line.isEmpty else { continue }
      let place = "line \(number + 1) of \(name)"
      guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
        throw CommandLineError("\(place) is not UTF-8; rename the file, or leave out the line")
      }
      var read = Line(name: place, input: text)
      if text.hasPrefix("{") { try read.readObject(text) }
      lines.append(read)
    }
    self.lines = lines
  }

  private static func bytes(of path: String, _ name: String) throws(CommandLineError) -> [UInt8] {
    let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    func failure() -> CommandLineError {
      CommandLineError("the list \(name) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    // Standard input may have been read in part by another program.
    guard let bytes = Frames.bytes(of: file, fromStart: false, most: mostMebibytes << 20) else {
      throw failure()
    }
    guard bytes.count <= mostMebibytes << 20 else {
      throw CommandLineError(
        "the list \(name) has more than \(mostMebibytes) MiB; make several batches of it")
    }
    return bytes
  }
}

extension InputList.Line {
  /// Reads an object that the plan of a farm holds.
  init(ofPlan text: String) throws(CommandLineError) {
    name = "the plan"
    try readObject(text)
  }

  /// The names that an object may have.
  private static let members = ["input", "output", "effects", "options"]

  /// What the line says beside its input, for a command; nil if nothing.
  ///
  /// - Throws: A usage error with the line's name.
  func settings(_ command: Options) throws -> InputSettings? {
    guard output != nil || effects != nil || !options.isEmpty else { return nil }
    if let output, !OutputSet.tellsContainer(output) {
      throw mistake(
        "the output \"\(output)\" has no extension that kfrec knows; end it in .mov, .mkv or another"
      )
    }
    do {
      var own: InputSettings.Own?
      if effects != nil || !options.isEmpty || command.container != nil {
        own = try InputSettings.Own(applied(to: command))
        own?.line = text
      }
      return try InputSettings(output: output, own: own)
    } catch let error as any ExplainedError {
      throw mistake("\(error)")
    }
  }

  /// The options of the command, with those of this line in their place.
  private func applied(to command: Options) throws -> Options {
    var words = command
    if let output, OutputSet.tellsContainer(output) { words.remove("container") }
    if let effects {
      words.remove("effect")
      for effect in effects { try words.apply("effect", effect) }
    }
    for name in Set(options.map(\.name)) { words.remove(name) }
    // One of the two takes the place of the other.
    for (own, other) in [("crf", "bitrate"), ("bitrate", "crf")]
    where options.contains(where: { $0.name == own })
      && !options.contains(where: { $0.name == other })
    { words.remove(other) }
    for (name, value) in options { try words.apply(name, value) }
    return words
  }

  fileprivate mutating func readObject(_ text: String) throws(CommandLineError) {
    let (object, end): (LocatedJSON, Int)
    do throws(LocatedError) {
      (object, end) = try LocatedJSONParser.parse(text)
    } catch {
      throw mistake(
        "byte \(error.offset + 1): \(error.message) (a path that begins with { is written ./{...)"
      )
    }
    guard text.utf8.dropFirst(end).allSatisfy({ " \t".utf8.contains($0) }) else {
      throw mistake("there is more text after the object; give each object its own line")
    }
    guard case .object(let members) = object.value else { throw mistake("no object") }
    (input, self.text) = ("", text)
    for member in members { try read(member) }
    guard !input.isEmpty else { throw mistake("the object has no \"input\"; add its path") }
  }

  private mutating func read(_ member: LocatedJSON.Member) throws(CommandLineError) {
    switch member.key {
    case "input": input = try text(member.value, of: member.key)
    case "output": output = try text(member.value, of: member.key)
    case "effects":
      guard case .array(let items) = member.value.value else {
        throw mistake("\"effects\" is \(member.value.kind), not an array such as [\"vhs\"]")
      }
      var effects: [String] = []
      for item in items { effects.append(try text(item, of: member.key)) }
      self.effects = effects
    case "options":
      guard case .object(let items) = member.value.value else {
        throw mistake("\"options\" is \(member.value.kind), not an object such as {\"crf\": 20}")
      }
      for item in items { try readOption(item) }
    default:
      let near = nearestName(to: member.key, among: Self.members).map {
        "; did you mean \"\($0)\"?"
      }
      throw mistake(
        "\"\(member.key)\" is unknown\(near ?? "; there are input, output, effects and options")")
    }
  }

  private mutating func readOption(_ member: LocatedJSON.Member) throws(CommandLineError) {
    let taken = optionTable.filter(\.isOfSingleInputs)
    guard let option = taken.first(where: { $0.long == member.key }) else {
      let near = nearestName(to: member.key, among: taken.map(\.long))
      let remedy =
        member.key == "effect"
        ? "write the member \"effects\" beside \"options\""
        : near.map { "did you mean \"\($0)\"?" }
          ?? "it takes names such as \"crf\" or \"start\", without dashes"
      throw mistake("\"\(member.key)\" is no option of a single input; \(remedy)")
    }
    guard case .array(let items) = member.value.value, option.repeats else {
      return options.append((option.long, try value(member.value, of: option)))
    }
    for item in items { options.append((option.long, try value(item, of: option))) }
  }

  private func value(_ value: LocatedJSON, of option: Option) throws(CommandLineError) -> String {
    switch value.value {
    case .bool(true) where option.valueName == nil: return ""
    case _ where option.valueName == nil:
      throw mistake("\"\(option.long)\" is a switch, and takes true; leave it out otherwise")
    case .string(let text): return text
    case .number(let number):
      return number.rounded() == number && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    default: throw mistake("\"\(option.long)\" is \(value.kind), not a string or a number")
    }
  }

  private func text(_ value: LocatedJSON, of key: String) throws(CommandLineError) -> String {
    guard case .string(let text) = value.value else {
      throw mistake("\"\(key)\" takes strings, not \(value.kind)")
    }
    guard !text.isEmpty, !text.utf8.contains(0) else { throw mistake("\"\(key)\" has no text") }
    return text
  }

  private func mistake(_ problem: String) -> CommandLineError {
    CommandLineError("\(name): \(problem)")
  }
}

extension Options {
  /// Applies an option of the table as if it had been typed.
  fileprivate mutating func apply(_ name: String, _ value: String) throws {
    try option(name, of: .batch)?.apply(&self, value)
    given.append((name, value))
  }

  /// Forgets an option, so that another value takes its place.
  fileprivate mutating func remove(_ name: String) {
    switch name {
    case "effect": recording.effects = []
    case "effects-dir": recording.effectFolders = []
    case "allow-read": recording.readableFolders = []
    case "container": recording.container = nil
    case "crf": recording.encoding.crf = nil
    case "bitrate": recording.encoding.bitrate = nil
    default: break
    }
    given.removeAll { $0.name == name }
  }
}
