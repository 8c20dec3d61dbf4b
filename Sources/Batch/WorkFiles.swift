import CPosix
import Encode
import Frames
import Glibc

/// Waits until a file is on the disk, so that it is whole after a power cut.
func flush(_ path: String) throws(BatchError) {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw BatchError("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  guard fsync(file) == 0 || errno == EINVAL else {
    throw BatchError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// Makes a folder and those above it.
func makeFolders(_ path: String) throws(BatchError) {
  if mkdir(path, 0o777) == 0 || FileIdentity.folder(path) != nil { return }
  if errno == ENOENT, path != folderName(of: path) {
    try makeFolders(folderName(of: path))
    if mkdir(path, 0o777) == 0 || FileIdentity.folder(path) != nil { return }
  }
  throw BatchError("cannot make the folder \(path): \(String(cString: strerror(errno)))")
}

func folderName(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Removes a folder with all in it; links are removed, not followed.
func removeTree(_ path: String) {
  for name in names(in: path) {
    let inner = path + "/" + name
    var status = stat()
    guard lstat(inner, &status) == 0 else { continue }
    if status.st_mode & S_IFMT == S_IFDIR { removeTree(inner) } else { unlink(inner) }
  }
  rmdir(path)
}
