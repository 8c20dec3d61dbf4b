import CPosix
import Glibc

/// The names in a folder, sorted, without "." and ".."; empty if the folder cannot be read.
package func names(in folder: String) -> [String] { contents(of: folder) ?? [] }

/// The names in a folder, sorted, without "." and ".."; nil, with `errno`, if the folder cannot be read.
package func contents(of folder: String) -> [String]? {
  guard let stream = opendir(folder) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let found = name(of: entry)
    if found != ".", found != ".." { names.append(found) }
  }
  return names.sorted()
}

/// The name in an entry that `readdir` returned.
///
/// The name is read in place, because an entry is only as long as its name: at the last entry, a copy of
/// `entry.pointee.d_name`, a tuple of 256 bytes, would read beyond the stream's buffer. A file system
/// may also have longer names.
func name(of entry: UnsafePointer<dirent>) -> String {
  String(cString: kf_entry_name(entry))
}
