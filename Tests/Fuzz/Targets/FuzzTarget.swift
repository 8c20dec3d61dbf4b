import Glibc

/// A parser that takes bytes that nobody has checked.
struct FuzzTarget: Sendable {
  /// The name, which is also the name of its folder in `Corpus`.
  let name: String
  /// Reads the bytes, as the program does, and uses what came out; errors are fine, crashes and hangs are not.
  let read: @Sendable ([UInt8]) -> Void
}

extension FuzzTarget {
  /// A parser of text: bytes that are no UTF-8 are refused before they reach it.
  static func text(_ name: String, _ read: @escaping @Sendable (String) throws -> Void) -> Self {
    FuzzTarget(name: name) { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { return }
      try? read(text)
    }
  }

  /// A parser that opens a file by its path; `fileName` has the ending that the parser looks for.
  static func file(
    _ name: String, _ fileName: String, _ read: @escaping @Sendable (String) throws -> Void
  ) -> Self {
    FuzzTarget(name: name) { bytes in
      let path = "\(folder)/\(fileName)"
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0, write(file, bytes, bytes.count) == bytes.count else {
        fatalError("\(path) cannot be written")
      }
      close(file)
      try? read(path)
    }
  }

  /// A folder in memory, one for each process.
  private static let folder: String = {
    let path = "/dev/shm/kfrec-fuzz-\(getpid())"
    mkdir(path, 0o700)
    return path
  }()
}
