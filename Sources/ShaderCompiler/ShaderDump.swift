public import DiskCache
import CPosix
import Glibc
import Synchronization

/// Writes the text of every compiled kernel to a folder, one file each, to read or to compile with
/// other tools.
///
/// It never writes to an existing file, and writes each text once.
public final class ShaderDump: Sendable {
  /// The environment variable that names the folder.
  public static let variable = "KFREC_DUMP_SHADERS"

  private let folder: String
  private let warn: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    /// The number of the file written last.
    var number: Int
    var written: Set<String> = []
    var hasFailed = false
  }

  /// The dump that the environment requests; nil if it requests none, or if the folder is not writable.
  ///
  /// `warn` is called once, with one sentence, if texts cannot be written.
  public convenience init?(
    environment: (String) -> String? = DiskCache.environment,
    warn: @escaping @Sendable (String) -> Void
  ) {
    guard let folder = environment(Self.variable), !folder.isEmpty else { return nil }
    self.init(folder: folder, warn: warn)
  }

  /// Returns nil if texts cannot be written to the folder.
  public init?(folder: String, warn: @escaping @Sendable (String) -> Void) {
    guard access(folder, W_OK | X_OK) == 0, let number = Self.lastNumber(in: folder) else {
      warn(Self.sentence(folder, reason: String(cString: strerror(errno))))
      return nil
    }
    self.folder = folder
    self.warn = warn
    state = Mutex(State(number: number))
  }

  private static func sentence(_ folder: String, reason: String) -> String {
    "no shader texts are written to \(folder), which \(variable) names: \(reason); "
      + "make the folder, or name another one"
  }

  /// The largest number at the start of a name in the folder, 0 for none; nil if it is not a folder.
  private static func lastNumber(in folder: String) -> Int? {
    guard let listing = opendir(folder) else { return nil }
    defer { closedir(listing) }
    var last = 0
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // A longer number is not from kfrec, and could leave no room for the next one.
      let digits = name.prefix(9).prefix { $0.isASCII && $0.isNumber }
      last = max(last, Int(digits) ?? 0)
    }
    return last
  }

  /// Writes a kernel's text; `label` says what the kernel does and becomes a part of the file name.
  func write(_ text: String, label: String, includes: IncludeResolver) {
    state.withLock { state in
      guard !state.hasFailed, state.written.insert(label + "\n" + text).inserted else { return }
      do throws(SourceFileError) {
        try Self.create(in: folder, after: &state.number, label: label) { name in
          Self.lead(name, includes: includes) + text
        }
      } catch {
        state.hasFailed = true
        warn(Self.sentence(folder, reason: error.reason))
      }
    }
  }

  /// A comment that says how to compile the file.
  private static func lead(_ name: String, includes: IncludeResolver) -> String {
    let folders = includes.roots.map { root in
      "-I '\(String(root.map { $0.isNewline ? "_" : $0 }))' "
    }
    return """
      // A kernel's text as kfrec compiles it. To compile it by hand:
      // glslc --target-env=vulkan1.2 \(folders.joined())\(name)

      """
  }

  /// Creates a file with the next free number.
  private static func create(
    in folder: String, after number: inout Int, label: String, text: (_ name: String) -> String
  ) throws(SourceFileError) {
    while true {
      number += 1
      let name = fileName(number, label)
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      func failure() -> SourceFileError {
        SourceFileError(path: path, reason: String(cString: strerror(errno)))
      }
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard file >= 0 else {
        // Another run writes to the same folder.
        if errno == EEXIST { continue }
        throw failure()
      }
      defer { close(file) }
      let text = text(name)
      guard kf_write_all(file, text, text.utf8.count) == 0 else { throw failure() }
      return
    }
  }

  /// The file name: a number of two digits or more, and the label with `_` for every character that a
  /// shell or a file system might treat specially.
  static func fileName(_ number: Int, _ label: String) -> String {
    let kept = label.prefix(150).map { character in
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      return isPlain || "+-_.".contains(character) ? character : "_"
    }
    return "\(number < 10 ? "0" : "")\(number)-\(String(kept)).comp"
  }
}
