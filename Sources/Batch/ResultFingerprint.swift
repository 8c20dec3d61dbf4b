import CPosix
import DiskCache
import Glibc

/// What a result was made of; two equal fingerprints mean equal outputs.
struct ResultFingerprint: Codable, Sendable, Equatable {
  var input: InputFingerprint
  /// Hash of each file that an effect reads, by its path.
  var effectFiles: [String: String]
  /// The effects with their parameters, as typed.
  var effects: String
  /// The other options that change the result.
  var options: String
  /// The version of kfrec.
  var version: String

  /// Returns what differs from the fingerprint of an earlier result, as words; nil if nothing does.
  func difference(from earlier: ResultFingerprint) -> String? {
    if !input.isSame(as: earlier.input) { return "the input changed" }
    if effects != earlier.effects { return "the effects changed" }
    let changed = Set(effectFiles.keys).union(earlier.effectFiles.keys).filter {
      effectFiles[$0] != earlier.effectFiles[$0]
    }
    if let path = changed.min() { return "\(path) changed" }
    if options != earlier.options { return "the options changed" }
    if version != earlier.version { return "it was made by kfrec \(earlier.version)" }
    return nil
  }
}

/// Which file an input was.
struct InputFingerprint: Codable, Sendable, Equatable {
  var path: String
  /// The size in bytes and the time of the last change in nanoseconds since 1970; 0 for an input that is no
  /// file.
  var size: Int64 = 0
  var time: Int64 = 0
  /// Hash of the content: of its first and last part, or of all of it.
  var hash = ""
  /// Whether `hash` is of all of it.
  var isWhole = false

  /// Bytes at each end of a file that are hashed unless all of it is wanted.
  static let part = 65536

  /// Reads the fingerprint of a file; inputs that are no files have only their text.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isWhole: Whether all of it is hashed.
  ///   - earlier: A fingerprint of the same path: its hash is taken over if size and time are the same.
  init(path: String, isWhole: Bool, earlier: InputFingerprint?) {
    self.path = path
    self.isWhole = isWhole
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    size = Int64(status.st_size)
    time = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    if let earlier, earlier.path == path, earlier.size == size, earlier.time == time,
      earlier.isWhole || !isWhole, !earlier.hash.isEmpty
    {
      (hash, self.isWhole) = (earlier.hash, earlier.isWhole)
      return
    }
    hash = InputFingerprint.hash(of: file, size: Int(size), isWhole: isWhole)
  }

  /// Whether both are the same input; an input that was only touched is the same.
  func isSame(as other: InputFingerprint) -> Bool {
    path == other.path && size == other.size && hash == other.hash && isWhole == other.isWhole
  }

  private static func hash(of file: Int32, size: Int, isWhole: Bool) -> String {
    var buffer = [UInt8](repeating: 0, count: isWhole ? 1 << 20 : part)
    var hashes: [UInt64] = []
    var offset = 0
    while offset < size {
      let count = pread(file, &buffer, buffer.count, off_t(offset))
      guard count > 0 else { break }
      hashes.append(Fingerprint(of: buffer[..<count]).value)
      offset += count
      if !isWhole { offset = max(offset, size - part) }
    }
    let bytes = hashes.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Fingerprint(of: bytes).description
  }
}
