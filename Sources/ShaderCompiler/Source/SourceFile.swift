import CPosix
import Glibc

/// A source file that cannot be read: its path and the reason.
public struct SourceFileError: Error, Sendable, Equatable {
  public let path: String
  public let reason: String
}

/// Reads source files, and refuses a path that is not a regular file.
public enum SourceFile {
  /// The longest source accepted, in bytes; far above any hand-written shader.
  public static let maximumLength = 1 << 20

  /// The whole text of a regular file; bytes that are not UTF-8 become U+FFFD, and a carriage return
  /// without a line feed becomes a line feed.
  public static func read(_ path: String) throws(SourceFileError) -> String {
    var bytes = try bytes(path, limit: maximumLength)
    guard !bytes.contains(0) else {
      throw SourceFileError(path: path, reason: "is not a text file")
    }
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    for at in bytes.indices where bytes[at] == carriageReturn {
      if at + 1 == bytes.count || bytes[at + 1] != lineFeed { bytes[at] = lineFeed }
    }
    // Some editors begin a file with a byte order mark, which GLSL does not allow.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return String(decoding: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0), as: UTF8.self)
  }

  /// All bytes of a regular file of at most `limit` bytes.
  public static func bytes(_ path: String, limit: Int) throws(SourceFileError) -> [UInt8] {
    func fail(_ reason: String) -> SourceFileError { SourceFileError(path: path, reason: reason) }
    func fail(errno code: Int32) -> SourceFileError { fail(String(cString: strerror(code))) }

    // Opened without blocking, so that a pipe without a writer is refused below instead of waited for.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw fail(errno: errno) }
    defer { close(file) }

    var status = stat()
    guard fstat(file, &status) == 0 else { throw fail(errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw fail("is a directory")
    default: throw fail("is not a regular file")
    }
    guard status.st_size <= limit else {
      throw fail("is longer than \(limit / 1024) KiB")
    }

    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw fail(errno: errno) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Returns whether a path leads to a regular file, whose reading ends.
  public static func isRegular(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  /// Returns whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The path without links, `.` and `..`; nil if it does not exist.
  public static func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder of a path.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
