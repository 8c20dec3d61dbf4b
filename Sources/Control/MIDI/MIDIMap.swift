import Frames
import Glibc

/// The lines of a map file, which can learn new ones.
package struct MIDIMap: Sendable {
  /// The name of the file; nil for lines that nobody keeps.
  package let path: String?
  /// Whether the file may be written.
  private let isWritable: Bool
  private var lines: [String] = []
  private(set) var bindings: [MIDIBinding] = []

  /// The largest file in bytes.
  private static let largest = 1 << 20

  /// Reads a map; without a path it is empty, and nobody keeps it.
  ///
  /// A file that may be missing is made when something is learned, and an existing one changes only with `replacing`.
  ///
  /// - Throws: If the file cannot be read, or a line is wrong.
  package init(
    path: String?, mayBeMissing: Bool = false, replacing: Bool = false
  ) throws(MIDIError) {
    self.path = path
    guard let path else {
      isWritable = false
      return
    }
    let exists = access(path, F_OK) == 0
    isWritable = !exists || replacing
    guard exists || !mayBeMissing else { return }
    // A FIFO that nobody writes to is empty, and must not be waited for.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, let bytes = Frames.bytes(of: file, fromStart: false, most: Self.largest) else {
      throw MIDIError("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard bytes.count <= Self.largest, let text = String(validating: bytes, as: UTF8.self) else {
      throw MIDIError("\(path) is no map of MIDI: it is not UTF-8 text, or it is too large")
    }
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      do throws(ControlError) {
        if let binding = try MIDIBinding(parsing: line) { bindings.append(binding) }
      } catch {
        throw MIDIError("\(path), line \(index + 1): \(error)", isUsageError: true)
      }
    }
  }

  /// Where a line is, to begin a sentence.
  func place(of binding: MIDIBinding) -> String {
    let index = lines.firstIndex { (try? MIDIBinding(parsing: $0)) == binding }
    return "\(path ?? "the map")" + (index.map { ", line \($0 + 1)" } ?? "")
  }

  /// Adds a line, in the place of those for the same source, without writing the file.
  mutating func learn(_ binding: MIDIBinding) {
    forget(binding.source)
    bindings.append(binding)
    lines.append(binding.text)
  }

  /// Writes the file; returns why the file does not have all lines, as a sentence; nil if it has.
  func save() -> String? {
    guard let path else { return nil }
    guard isWritable else {
      return "\(path) exists and was not changed; with -y it keeps what is learned"
    }
    return Self.write(lines.map { $0 + "\n" }.joined(), to: path)
  }

  /// Removes the lines for a source, without writing the file.
  mutating func forget(_ source: MIDISource) {
    bindings.removeAll { $0.source == source }
    lines.removeAll { (try? MIDIBinding(parsing: $0))?.source == source }
  }

  /// Writes a file in one step, so that a killed program leaves the old one or the new one whole.
  private static func write(_ text: String, to name: String) -> String? {
    // A link stays one: what it points to is replaced.
    let resolved = realpath(name, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? name
    // The user's own folder may not be there yet; other failures show below.
    for slash in path.indices.dropFirst() where path[slash] == "/" {
      mkdir(String(path[..<slash]), 0o700)
    }
    let file = WholeFile(path, replacing: .own(isMap))
    do throws(WholeFile.Failure) { try file.write(text.utf8) } catch {
      return "\(path) \(error.words)"
    }
    return nil
  }

  /// Whether a file that begins with these bytes is a map.
  private static func isMap(_ start: ArraySlice<UInt8>) -> Bool {
    // The last line may be cut off.
    String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline).dropLast().allSatisfy
    {
      (try? MIDIBinding(parsing: String($0))) != nil
    }
  }

  /// The file in the user's own folder that keeps what is learned without a named file; nil without a home.
  package static var usualPath: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let folder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
    return folder.map { $0 + "/kfrec/midi.map" }
  }
}

/// What is wrong with MIDI, in one sentence with a remedy.
package struct MIDIError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  init(_ description: String, isUsageError: Bool = false) {
    (self.description, self.isUsageError) = (description, isUsageError)
  }
}
