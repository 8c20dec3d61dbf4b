import CPosix
import Frames
import Glibc

/// A process that has a device open.
package struct DeviceHolder: Equatable {
  package let process: Int32
  /// The process name that the system shows.
  package let name: String

  /// Returns the processes that have a device open and that this user may see, without this
  /// process.
  package static func all(of path: String) -> [DeviceHolder] {
    var device = stat()
    guard stat(path, &device) == 0 else { return [] }
    return names(in: "/proc").compactMap { entry in
      guard let process = Int32(entry), process != getpid(),
        names(in: "/proc/\(entry)/fd").contains(where: { name in
          var file = stat()
          return stat("/proc/\(entry)/fd/\(name)", &file) == 0
            && file.st_mode & S_IFMT == S_IFCHR && file.st_rdev == device.st_rdev
        })
      else { return nil }
      return DeviceHolder(
        process: process, name: firstLine(of: "/proc/\(entry)/comm") ?? "process")
    }
  }

  /// Returns who has a device open, such as "kfrec (process 123)", or "another program" if that is
  /// unknown.
  package static func description(of path: String) -> String {
    let holders = all(of: path).map { "\($0.name) (process \($0.process))" }
    return holders.isEmpty ? "another program" : holders.joined(separator: ", ")
  }
}

/// Returns the first line of a short file, or nil if the file cannot be read.
package func firstLine(of path: String) -> String? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
    let count = read(file, bytes.baseAddress, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}
