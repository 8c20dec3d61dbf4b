import CPosix
import Glibc

/// The names in a folder, sorted, without "." and ".."; none where it cannot be read.
package func names(in folder: String) -> [String] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let found = name(of: entry)
    if found != ".", found != ".." { names.append(found) }
  }
  return names.sorted()
}

/// The name in what `readdir` gave.
///
/// It is read where it lies: an entry is as long as its name, and the last one ends with the stream's
/// buffer, beyond which `entry.pointee.d_name`, a tuple of 256 bytes, would be copied. A file system
/// may also have longer names than that.
func name(of entry: UnsafePointer<dirent>) -> String {
  String(cString: kf_entry_name(entry))
}
