import CPosix
import Glibc

/// The cache in which Mesa keeps what its drivers compiled.
///
/// Mesa maps its index into memory. Where the disk has no space for a page of that file, the process is killed without
/// a message, because Mesa's threads take no signals: so the space is reserved before.
enum DriverCache {
  /// Bytes that the cache's disk must have free; a kernel has some 100 KB.
  private static let least = 8 << 20

  /// Makes sure that the index has its room; without it the cache is turned off for this process, which must not have
  /// started a driver.
  ///
  /// - Returns: A sentence if the cache was turned off; nil if not.
  static func prepare() -> String? {
    guard !isTurnedOff else { return nil }
    for folder in folders {
      guard let reason = problem(folder) else { continue }
      setenv("MESA_SHADER_CACHE_DISABLE", "true", 1)
      return
        "\(reason), so compiled shaders of the graphics driver are not kept and each start takes longer; free some space, or "
        + "set MESA_SHADER_CACHE_DIR to a folder on another disk"
    }
    return nil
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static var isTurnedOff: Bool {
    ["MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE"].contains {
      ["1", "true", "yes", "y"].contains(value($0)?.lowercased())
    }
  }

  /// Where the cache may lie, as Mesa looks for it.
  private static var folders: [String] {
    if let folder = value("MESA_SHADER_CACHE_DIR") ?? value("MESA_GLSL_CACHE_DIR")
      ?? value("XDG_CACHE_HOME")
    {
      return [folder]
    }
    let home = getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) }
    return [value("HOME"), home].compactMap { $0.map { $0 + "/.cache" } }
  }

  /// Why a cache in this folder cannot be used.
  private static func problem(_ folder: String) -> String? {
    var disk = statvfs()
    // It may be a link to another disk.
    guard statvfs(folder + "/mesa_shader_cache", &disk) == 0 || statvfs(folder, &disk) == 0,
      disk.f_flag & UInt(ST_RDONLY) == 0
    else { return nil }
    let full = "the disk of \(folder) is full"
    if disk.f_blocks > 0, UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < UInt64(least) {
      return full
    }
    let file = open(
      folder + "/mesa_shader_cache/index", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_blocks * 512 < status.st_size
    else { return nil }
    // A copy has holes where the index was empty.
    let code = kf_keep_room(file, 0, Int64(status.st_size))
    return code == ENOSPC || code == EDQUOT ? full : nil
  }
}
