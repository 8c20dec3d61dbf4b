import CPosix
import Encode
import FoundationEssentials
import Frames
import Glibc

/// Waits until a file is on the disk, so that it is whole after a power cut.
func flush(_ path: String) throws(BatchError) {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  guard file >= 0 else { throw BatchError("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  guard fsync(file) == 0 || errno == EINVAL else {
    throw BatchError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// Makes a folder and those above it.
func makeFolders(_ path: String) throws(BatchError) {
  var code = makeFolder(path)
  if code == ENOENT, path != folderName(of: path) {
    try makeFolders(folderName(of: path))
    code = makeFolder(path)
  }
  guard code != 0 else { return }
  throw BatchError("cannot make the folder \(path): \(String(cString: strerror(code)))")
}

/// Makes a folder unless it is there; returns 0, or the error of the attempt.
private func makeFolder(_ path: String) -> Int32 {
  guard mkdir(path, 0o777) != 0 else { return 0 }
  let code = errno
  return FileIdentity.folder(path) != nil ? 0 : code
}

/// The folder that a file is in, by the file's path.
package func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Encodes a line of a journal or of a plan, with its end.
func jsonLine(_ value: some Encodable, of path: String) throws(BatchError) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    throw BatchError("\(path) cannot be written: a name is not text")
  }
  return [UInt8](data) + [UInt8(ascii: "\n")]
}
