import Glibc

/// Results that took time to compute, kept in files between runs.
///
/// A cache never causes a failure: a damaged, foreign or unreadable entry counts as missing, and an
/// entry that cannot be written is dropped; neither is reported. Several processes and threads may
/// use one folder: a file with an entry's name is always complete.
public struct DiskCache: Sendable {
  /// The largest entry read or written, in bytes.
  static let entryLimit = 16 << 20

  let folder: CacheFolder

  /// - Parameters:
  ///   - folder: Path; the folder and its parents are made when the first entry is written.
  ///   - byteLimit: Largest total size of all entries in bytes; the least recently used are removed
  ///     first.
  public init(folder: String, byteLimit: Int = 64 << 20) {
    self.folder = CacheFolder(path: folder, byteLimit: byteLimit)
  }

  /// Makes the user's own cache: `kfrec/KIND` in `$XDG_CACHE_HOME`, or in `.cache` of the home
  /// folder.
  ///
  /// Nil if neither folder is known, or if `KFREC_CACHE` is `off`.
  ///
  /// - Parameters:
  ///   - kind: What is kept there, as a folder name.
  ///   - environment: Returns the value of an environment variable, or nil if it is not set.
  public init?(userFolder kind: String, environment: (String) -> String? = Self.environment) {
    guard environment("KFREC_CACHE") != "off" else { return nil }
    // The XDG Base Directory Specification says to ignore a path that is not absolute.
    let base: String
    if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") {
      base = caches
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      base = home + "/.cache"
    } else {
      return nil
    }
    self.init(folder: "\(base)/kfrec/\(kind)")
  }

  public static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns the parts that `keep` stored in the entry called `name`, or nil if there is none.
  public func parts(of name: String) -> [ArraySlice<UInt8>]? {
    folder.read(name).flatMap { CacheEntry.parts(of: $0) }
  }

  /// Makes or replaces the entry called `name`, which is also its file name.
  public func keep(_ parts: [[UInt8]], as name: String) {
    let bytes = CacheEntry.bytes(of: parts)
    if bytes.count <= Self.entryLimit { folder.write(bytes, as: name) }
  }
}
