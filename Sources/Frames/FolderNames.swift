import CPosix
import Glibc

/// The names in a folder, sorted, without "." and ".."; empty if the folder cannot be read.
public func names(in folder: String) -> [String] { contents(of: folder) ?? [] }

/// The names in a folder, sorted, without "." and ".."; nil, with `errno`, if the folder cannot be read.
public func contents(of folder: String) -> [String]? {
  guard let stream = opendir(folder) else { return nil }
  defer { closedir(stream) }
  return names(in: stream)
}

/// The names in an open folder, sorted, without "." and ".."; empty if it cannot be read.
package func names(inFolder descriptor: Int32) -> [String] {
  // A stream closes its descriptor, and two that are copies share their place.
  let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard own >= 0 else { return [] }
  guard let stream = fdopendir(own) else {
    close(own)
    return []
  }
  defer { closedir(stream) }
  return names(in: stream)
}

private func names(in stream: OpaquePointer) -> [String] {
  var names: [String] = []
  while let entry = readdir(stream) {
    let found = name(of: entry)
    if found != ".", found != ".." { names.append(found) }
  }
  return names.sorted()
}

/// Whether other machines or programs may change a folder without this machine's inotify seeing it.
public func isChangedUnseen(_ folder: String) -> Bool {
  let kind = UInt32(truncatingIfNeeded: kf_file_system(folder))
  return unseenFileSystems.contains(kind)
}

/// NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS (two), Ceph, Lustre, GPFS, Coda, VirtualBox's shared folders and BeeGFS, as
/// linux/magic.h and their own sources number them.
private let unseenFileSystems: Set<UInt32> = [
  0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997, 0x5346_414f, 0x6b41_4653,
  0x00c3_6400, 0x0bd0_0bd0, 0x4750_4653, 0x7375_7245, 0x786f_4256, 0x1983_0326,
]

/// The name in an entry that `readdir` returned.
///
/// The name is read in place, because an entry is only as long as its name: at the last entry, a copy of
/// `entry.pointee.d_name`, a tuple of 256 bytes, would read beyond the stream's buffer. A file system
/// may also have longer names.
func name(of entry: UnsafePointer<dirent>) -> String {
  String(cString: kf_entry_name(entry))
}
