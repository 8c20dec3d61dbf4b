import Glibc

/// Results that took time to make, kept in files from one run to the next.
///
/// A cache is never in the way: an entry that is damaged, foreign or unreadable is not there, and
/// what cannot be written is not kept; neither is told. Several processes and threads may use one
/// folder: an entry appears whole, under its name, or not at all.
package struct DiskCache: Sendable {
  /// The largest entry read or written, in bytes.
  static let entryLimit = 16 << 20

  let folder: CacheFolder

  /// - Parameters:
  ///   - folder: Made with the folders above it when the first entry is written.
  ///   - byteLimit: What all entries together may take; the longest unused go first.
  package init(folder: String, byteLimit: Int = 64 << 20) {
    self.folder = CacheFolder(path: folder, byteLimit: byteLimit)
  }

  /// The user's own: `kfrec/KIND` in `$XDG_CACHE_HOME`, or in `.cache` of the home folder.
  ///
  /// Nil without a home, and where `KFREC_CACHE` is `off`.
  ///
  /// - Parameters:
  ///   - kind: What is kept there: a folder's name.
  ///   - environment: The value of an environment variable, nil where it is not set.
  package init?(userFolder kind: String, environment: (String) -> String? = Self.environment) {
    guard environment("KFREC_CACHE") != "off" else { return nil }
    // The XDG Base Directory Specification: a path that is not absolute is to be ignored.
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

  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The parts of the entry called `name`, as `keep` was given them; nil if there is none.
  package func parts(of name: String) -> [ArraySlice<UInt8>]? {
    folder.read(name).flatMap { CacheEntry.parts(of: $0) }
  }

  /// Makes or replaces the entry called `name`, a file's name.
  package func keep(_ parts: [[UInt8]], as name: String) {
    let bytes = CacheEntry.bytes(of: parts)
    if bytes.count <= Self.entryLimit { folder.write(bytes, as: name) }
  }
}
