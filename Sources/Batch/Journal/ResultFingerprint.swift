import CPosix
import Capture
import DiskCache
import Frames
import Glibc

/// What a result was made of; two equal fingerprints mean equal outputs.
struct ResultFingerprint: Codable, Sendable, Equatable {
  var input: InputFingerprint
  /// Hash of each file that an effect reads, by its path.
  var effectFiles: [String: String]
  /// The effects with their parameters, in one notation of several that mean the same.
  var effects: String
  /// The other options that change the result, likewise.
  var options: String
  var version: String
  /// Effects and options as typed, as journals of earlier versions have them.
  var typed = Typed()

  struct Typed: Sendable, Equatable {
    var effects = ""
    var options = ""
  }

  /// The version of what this kfrec makes of the same input, effects and options; nil in journals of kfrec 0.1 that
  /// are older than it: 1.
  var pixels: Int? = ResultFingerprint.pixelVersion

  /// Raised by one with every change after which outputs have other pixels, times or samples; `PixelVersionTests` ask for it
  /// where a golden image changed.
  static let pixelVersion = 7

  private enum CodingKeys: CodingKey { case input, effectFiles, effects, options, version, pixels }

  /// Returns what differs from the fingerprint of an earlier result, as words; nil if nothing does.
  ///
  /// Only content counts: not where the input and the files of effects lie.
  func difference(from earlier: ResultFingerprint) -> String? {
    sealed.difference(fromSealed: earlier.sealed)
  }

  private func difference(fromSealed earlier: ResultFingerprint) -> String? {
    if !input.isSame(as: earlier.input) { return "the input changed" }
    if effects != earlier.effects, typed.effects != earlier.effects { return "the effects changed" }
    if let path = ResultFingerprint.changed(effectFiles, from: earlier.effectFiles) {
      return "\(path) changed"
    }
    if options != earlier.options, typed.options != earlier.options { return "the options changed" }
    if version != earlier.version { return "it was made by kfrec \(earlier.version)" }
    if (pixels ?? 1) != (earlier.pixels ?? 1) { return "this kfrec makes other pixels" }
    return nil
  }

  /// The fingerprint as the journal has it: what may be secret in addresses is not there, neither names nor passwords; the rest,
  /// such as a query, which may choose the content, is a hash.
  var sealed: ResultFingerprint {
    var result = self
    result.effects = ResultFingerprint.sealed(effects)
    result.options = ResultFingerprint.sealed(options)
    result.typed.effects = ResultFingerprint.sealed(typed.effects)
    result.typed.options = ResultFingerprint.sealed(typed.options)
    result.effectFiles = Dictionary(
      effectFiles.map { (ResultFingerprint.sealed($0.key), $0.value) }
    ) { first, _ in first }
    return result
  }

  private static let seal = "#hidden-"

  private static func sealed(_ text: String) -> String {
    guard text.contains("://") else { return text }
    return ShownAddress.inText(text) { hidden in
      hidden.isEmpty || hidden.hasPrefix(seal)
        ? String(hidden) : seal + Fingerprint(of: hidden.utf8).description
    }
  }

  /// The first file by path whose name and content are not among the earlier ones; nil if all are the same.
  private static func changed(
    _ files: [String: String], from earlier: [String: String]
  ) -> String? {
    func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    var left: [String: Int] = [:]
    for (path, hash) in earlier { left[name(path) + "/" + hash, default: 0] += 1 }
    var others: [String] = []
    for (path, hash) in files {
      let key = name(path) + "/" + hash
      if let count = left[key], count > 0 { left[key] = count - 1 } else { others.append(path) }
    }
    if let path = others.min() { return path }
    return earlier.filter { left[name($0.key) + "/" + $0.value].map { $0 > 0 } ?? false }.keys.min()
  }
}

/// Identifies an input file by its path, size, time and hash.
struct InputFingerprint: Codable, Sendable, Equatable {
  var path: String
  /// The size in bytes and the time of the last change in nanoseconds since 1970; 0 for an input that is no
  /// file.
  ///
  /// Of numbered images the size of all, and a hash of their times.
  var size: Int64 = 0
  var time: Int64 = 0
  /// Hash of the content: of its first and last part, or of all of it.
  var hash = ""
  /// Whether `hash` is of all of it.
  var isWhole = false

  /// Bytes at each end of a file that are hashed unless all of it is wanted.
  static let part = 65536

  /// Reads the fingerprint of a file, or of numbered images; inputs that are no files have only their text.
  ///
  /// Of an earlier fingerprint of the same path the hash is taken over, unless all is wanted, if size and time are the same;
  /// and a file that was only touched is hashed as it was then.
  init(path: String, isWhole isAsked: Bool, earlier: InputFingerprint?) {
    self.path = path
    isWhole = isAsked
    let files = InputFingerprint.files(of: path)
    let stamps = files.compactMap(FileStamp.init).filter(\.isRegular)
    guard !stamps.isEmpty, stamps.count == files.count else { return }
    size = stamps.reduce(0) { $0 + $1.size }
    time =
      files.count == 1
      ? stamps[0].time
      : Int64(
        truncatingIfNeeded: InputFingerprint.combined(stamps.map { UInt64(bitPattern: $0.time) })
          .value >> 1)
    if let earlier, !isAsked, earlier.path == path, earlier.size == size, !earlier.hash.isEmpty {
      isWhole = earlier.isWhole
      if earlier.time == time {
        hash = earlier.hash
        return
      }
    }
    let isWhole = isWhole
    let hashes = files.map { InputFingerprint.hash(of: $0, isWhole: isWhole) }
    hash =
      hashes.count == 1
      ? hashes[0] : Fingerprint(of: Array(hashes.joined(separator: " ").utf8)).description
  }

  /// The files that an input consists of: one, or the images of a sequence in their order.
  static func files(of path: String) -> [String] {
    let kind = SourceRequest(input: path).kind
    guard kind.takesFrameRate else { return [path] }
    // Of two numbers the longer one is larger, or has zeros before it.
    return kind.paths(path).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Whether both are the same input, wherever it lies; an input that was only touched is the same.
  func isSame(as other: InputFingerprint) -> Bool {
    if hash.isEmpty, path != other.path { return false }
    return size == other.size && hash == other.hash && isWhole == other.isWhole
  }

  private static func hash(of path: String, isWhole: Bool) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "" }
    return hash(of: file, size: Int(status.st_size), isWhole: isWhole)
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
    return combined(hashes).description
  }

  private static func combined(_ values: [UInt64]) -> Fingerprint {
    let bytes = values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Fingerprint(of: bytes)
  }
}
