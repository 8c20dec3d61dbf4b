import Frames
import Glibc

/// A folder for one test's files, removed with its contents when the last reference goes.
package final class TemporaryFolder: Sendable {
  /// The absolute path, without a slash at its end.
  package let path: String

  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/kfrec-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw TestSupportError("no folder in \(parent): \(errorText())")
    }
    path = String(cString: made)
  }

  deinit { remove(tree: path) }

  /// Returns the path of a file in the folder, which need not exist.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try TestSupport.write(Array(bytes), to: file(name))
    return file(name)
  }

  /// The names in the folder, sorted.
  package var names: [String] { namesInFolder(path) }
}

/// Writes a file, new or over another one.
func write(_ bytes: [UInt8], to path: String) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw TestSupportError("\(path): \(errorText())") }
  defer { close(descriptor) }
  try bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      guard count > 0 else { throw TestSupportError("\(path): \(errorText())") }
      done += count
    }
  }
}

/// Returns all bytes of a file.
package func readFile(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw TestSupportError("\(path): \(errorText())") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &block, block.count)
    guard count >= 0 else { throw TestSupportError("\(path): \(errorText())") }
    if count == 0 { return bytes }
    bytes += block[..<count]
  }
}

/// Returns whether a file or folder of that name exists.
package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// An error in the setup of a test, not a failure of the code under test.
package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

func errorText() -> String { String(cString: strerror(errno)) }

/// Returns the names in a folder, sorted; empty if there is no such folder.
package func namesInFolder(_ folder: String) -> [String] { names(in: folder) }

private func remove(tree path: String) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  if status.st_mode & S_IFMT == S_IFDIR {
    // A test of an unwritable folder may have left it so.
    chmod(path, 0o700)
    for name in namesInFolder(path) { remove(tree: path + "/" + name) }
    rmdir(path)
  } else {
    unlink(path)
  }
}
