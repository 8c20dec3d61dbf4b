import CPosix
import Frames
import Glibc

struct OutputPath: Sendable {
  /// The path as typed by the user.
  let path: String
  private let type: mode_t?
  /// Whether a folder above may not be entered, so that nobody knows what is there.
  private let isHidden: Bool

  init(_ path: String) {
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    isHidden = !isThere && errno == EACCES
    type = isThere ? status.st_mode & S_IFMT : nil
  }

  var exists: Bool { type != nil }
  var isDirectory: Bool { type == S_IFDIR }

  /// Bytes go directly into a FIFO, a character device, a socket, or a name for an open file
  /// (`/dev/stdout`); a rename must not replace any of these.
  var isStream: Bool {
    guard let type else { return false }
    return type == S_IFIFO || type == S_IFCHR || type == S_IFSOCK
      || ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
  }

  var isBlockDevice: Bool { type == S_IFBLK }

  /// The file that the path leads to through symbolic links, existing or not, so that the link
  /// stays and leads to the new file, as with `open`.
  var target: String {
    var target = path
    // The most links that Linux follows.
    for _ in 0..<40 {
      guard let next = OutputPath.destination(ofLink: target) else { return target }
      target = next
    }
    return target
  }

  /// Returns the target of a symbolic link, or nil if the path is not a link.
  private static func destination(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    let folder = OutputPath(path).folder
    // The kernel follows links in the path of the folder.
    return text.hasPrefix("/") ? text : folder + (folder == "/" ? "" : "/") + text
  }

  /// The extension without its dot, in lower case; empty if there is none.
  var fileExtension: String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The folder of the path: everything before the last slash, or "." without a slash.
  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  func checkPlace() throws(EncodeError) {
    if isDirectory || path.hasSuffix("/") {
      throw EncodeError("\(path) is a folder: name a file in it, such as \(nameInside)")
    }
    if OutputPath.destination(ofLink: target) != nil {
      throw EncodeError("\(path) is a symbolic link that leads to itself; name another place")
    }
    if isBlockDevice { throw EncodeError("\(path) is a disk: name a file instead") }
    try OutputPath.checkFolder(OutputPath(target).folder, of: path)
  }

  private var nameInside: String { path + (path.hasSuffix("/") ? "" : "/") + "out.mov" }

  private static func checkFolder(_ folder: String, of path: String) throws(EncodeError) {
    let place = OutputPath(folder)
    if place.isHidden {
      throw EncodeError(
        "cannot write \(path): there is no permission to enter the folder \(folder), or one above it; choose another "
          + "place")
    }
    if !place.exists {
      throw EncodeError("cannot write \(path): there is no folder \(folder); make it first")
    }
    if !place.isDirectory {
      throw EncodeError("cannot write \(path): \(folder) is not a folder; name another place")
    }
    // Making a nameless file also detects a read-only disk. Not every file system supports that; on
    // others, only the permissions can be checked.
    let file = kf_open_nameless(folder)
    if file >= 0 {
      close(file)
      return
    }
    var code = -file
    if code == EOPNOTSUPP || code == EISDIR || code == ENOENT || code == EINVAL {
      code = access(folder, W_OK | X_OK) == 0 ? 0 : errno
    }
    if code == EACCES || code == EROFS || code == EPERM {
      throw EncodeError(
        "cannot write \(path): the folder \(folder) is not writable"
          + (code == EROFS ? " (its file system is read-only)" : "") + "; choose another place")
    }
  }

  /// Whether two paths name the same file: the same inode on the same disk, or, if there is no file
  /// yet, the same name in the same folder.
  static func areSame(_ a: String, _ b: String) -> Bool {
    let (first, second) = (FileIdentity(behind: a), FileIdentity(behind: b))
    if first != nil || second != nil { return first == second }
    // Names that Swift takes for equal, such as two spellings of "é", are two files.
    return absolute(OutputPath(a).target).utf8
      .elementsEqual(absolute(OutputPath(b).target).utf8)
  }

  /// Returns the path with the links and dots in its folder resolved.
  static func absolute(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let folder = realpath(OutputPath(path).folder, nil) else { return path }
    defer { free(folder) }
    let text = String(cString: folder)
    return text == "/" ? "/" + name : text + "/" + name
  }
}

/// Whether two paths name the same file, or would if it existed.
package func namesSameFile(_ first: String, _ second: String) -> Bool {
  OutputPath.areSame(first, second)
}

extension SequencePattern {
  /// The same pattern with the links and dots in its folder resolved.
  var absolute: SequencePattern {
    var pattern = self
    // A digit replaces the number, so that the last part of the path is never empty.
    pattern.prefix = String(OutputPath.absolute(prefix + "0").dropLast())
    return pattern
  }
}
