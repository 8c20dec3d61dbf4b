import CPosix
import FoundationEssentials
import Frames
import Glibc
import Recorder

/// Which file an output is; a rename keeps it, and so does a copy that keeps times.
struct OutputFile: Codable, Sendable, Hashable {
  let bytes: Int64
  /// Nanoseconds since 1970.
  let modified: Int64

  init(bytes: Int64, modified: Int64) { (self.bytes, self.modified) = (bytes, modified) }

  /// Nil if nothing is at the path.
  init?(at path: String) {
    guard let stamp = FileStamp(path) else { return nil }
    (bytes, modified) = (stamp.size, stamp.time)
  }
}

/// The journal of an output folder: one JSON object a line, only ever appended to.
///
/// It holds a lock on the folder, which ends with the process, however that ends. Any thread may append.
///
/// Each task of a farm has a journal of its own, because lines that several machines append to one file on a
/// network drive can be lost. What the folder holds is in all of them together.
final class Journal: Sendable {
  /// The journal's name in the output folder.
  static let fileName = ".kfrec-batch.jsonl"
  /// The beginning of the name of a folder for outputs that are not complete, in the output folder.
  static let workFolder = ".kfrec-batch"
  /// The version of the format.
  static let format = 1

  /// Whether a path is that of a journal or of a work folder, or leads into one.
  static func isOwnPath(_ path: String) -> Bool {
    path.split(separator: "/").contains {
      $0 == workFolder || $0.hasPrefix(workFolder + ".")
    }
  }

  struct Entry: Codable, Sendable {
    enum Event: String, Codable { case opened, begun, chunk, done, failed }

    var event: Event
    /// Seconds since 1970-01-01 UTC.
    var time: Int64
    /// The version of the format, in the first line and whenever a batch opens the journal.
    var journal: Int?
    /// The output's path, relative to the folder.
    var output: String?
    var fingerprint: ResultFingerprint?
    var frames: Int?
    /// The output's size in bytes, and the time of its last change in nanoseconds since 1970.
    var bytes: Int64?
    var modified: Int64?
    /// The hash of the output's first and last part, which a copy has too.
    var hash: String?
    /// The output's length in seconds.
    var duration: Double?
    /// What is wrong with an output that is done, and the warnings about it.
    var flaw: OutputFlaw?
    var warnings: [String]?
    var error: String?
    /// Of a chunk: the numbers of its first and last frame, as "0-1799", and the time at which it ends in the
    /// output in seconds, as "60/1".
    var chunk: String?
    var end: String?
  }

  /// A result that is done, by the latest line about it.
  struct Result: Sendable {
    /// Nil if the line is damaged, so that the result does not count as done.
    let fingerprint: ResultFingerprint?
    let file: OutputFile
    /// The hash of its first and last part, if the line has it.
    var hash: String?
    /// Its frames and its length in seconds, if the line has them.
    var frames: Int?
    var duration: Double?
    /// What is wrong with it, and the warnings about it, the sentence about the flaw first.
    var flaw: OutputFlaw?
    var warnings: [String] = []
    /// The files that earlier lines call done: a batch that is killed before the last one has its name leaves one of
    /// these in its place.
    var earlier: Set<OutputFile> = []

    /// Whether a file is this result, also if it is a copy of it or was touched.
    func isAt(_ path: String) -> Bool {
      guard let there = OutputFile(at: path) else { return false }
      guard there != file else { return true }
      return hash != nil && there.bytes == file.bytes
        && InputFingerprint(path: path, isWhole: false, earlier: nil).hash == hash
    }

    /// Whether a file is this result or an earlier one, and nobody's own.
    func isOwn(_ path: String) -> Bool {
      OutputFile(at: path).map(earlier.contains) == true || isAt(path)
    }

    /// Takes over what an earlier line about the same output says.
    func after(_ other: Result?) -> Result {
      guard let other else { return self }
      var result = self
      result.earlier.formUnion(other.earlier)
      result.earlier.insert(other.file)
      return result
    }
  }

  /// What was done before, by the output's path.
  let results: [ExactPath: Result]
  /// Chunks that were made of outputs that are not done, by the output's path and the chunk's name.
  let chunks: [ExactPath: [String: ChunkStore.Chunk]]
  /// Number of lines that could not be read.
  let damagedLines: Int
  /// The folder for outputs that are not complete, in the output folder.
  let workFolder: WorkFolder
  /// The lock that a task shares with the other tasks of the folder; nil of a batch without tasks.
  private let folderLock: FileLock?
  private let descriptor: Int32
  private let path: String

  /// Opens the journal of a folder, or that of a task in it, or makes it.
  ///
  /// - Throws: If another batch uses the folder, or if the journal cannot be read or is of a later version.
  init(folder: String, task: Int? = nil) throws(BatchError) {
    path = folder + "/" + (task.map(Journal.fileName(ofTask:)) ?? Journal.fileName)
    workFolder = WorkFolder(
      path: folder + "/" + Journal.workFolder + (task.map { ".task-\($0)" } ?? ""))
    folderLock = task == nil ? nil : try Journal.lockForTasks(folder)
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard file >= 0 else { throw Journal.failure(path, "opened", errno) }
    var isKept = false
    defer {
      if !isKept {
        flock(file, LOCK_UN)
        close(file)
      }
    }
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Journal.taken(folder, task)
    }
    let bytes = try Journal.bytes(of: file, path)
    var found = try Journal.results(in: bytes, path)
    // Something else may have the name. A full disk may have cut the first line.
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard
      bytes.isEmpty || first.starts(with: Journal.mark)
        || first.count > 1 && Journal.mark.starts(with: first)
    else {
      throw BatchError(
        "\(path) is no journal of kfrec batch; move it away, or choose another --output-dir",
        endsBatch: true)
    }
    try workFolder.check(isContinued: !bytes.isEmpty)
    try Journal.addOthers(than: path, of: folder, to: &found)
    (results, chunks, damagedLines) = found
    descriptor = file
    isKept = true
    // The last line may have been cut off by a kill.
    if let last = bytes.last, last != UInt8(ascii: "\n") { try write([UInt8(ascii: "\n")]) }
    try append(Entry(event: .opened, time: Journal.now, journal: Journal.format))
  }

  deinit {
    // A child process that is being started has a copy of the descriptor until its `exec`.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Returns what the journals of a folder call done, without a lock; nothing if there is no journal.
  static func results(inFolder folder: String) throws(BatchError) -> [ExactPath: Result] {
    var found = Found(results: [:], chunks: [:], damagedLines: 0)
    try addOthers(than: "", of: folder, to: &found)
    return found.results
  }

  typealias Found = (
    results: [ExactPath: Result], chunks: [ExactPath: [String: ChunkStore.Chunk]],
    damagedLines: Int
  )

  private static func results(in bytes: [UInt8], _ path: String) throws(BatchError) -> Found {
    var results: [ExactPath: Result] = [:]
    var chunks: [ExactPath: [String: ChunkStore.Chunk]] = [:]
    let damagedLines = try read(bytes, path, withBegun: false) { line in
      guard let (output, result) = Entry.salvaged(line) else { return }
      results[output] = result.after(results[output])
    } each: { entry in
      // An output that was begun again, or failed then, is still the one that was done before.
      if let (output, result) = entry.result {
        (results[output], chunks[output]) = (result.after(results[output]), nil)
      }
      if let output = entry.output, let name = entry.chunk, let chunk = ChunkStore.Chunk(entry) {
        chunks[ExactPath(output), default: [:]][name] = chunk
      }
    }
    return (results, chunks, damagedLines)
  }

  private static let mark = Array("{\"event\":\"opened\",\"journal\":".utf8)
  /// The beginning of lines with the event `begun`.
  private static let begunStart = Array("{\"event\":\"begun\",".utf8)

  /// Reads the lines of a journal, and returns the number of those that could not be read, which `damaged` gets;
  /// without `withBegun` those with the event `begun` are left out.
  static func read(
    _ bytes: [UInt8], _ path: String, withBegun: Bool = true,
    damaged: (ArraySlice<UInt8>) -> Void = { _ in }, each: (Entry) -> Void
  ) throws(BatchError) -> Int {
    var damagedLines = 0
    let decoder = JSONDecoder()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // Half of the lines say only that something began; to decode them would take most of the time.
      if !withBegun, line.starts(with: Journal.begunStart), line.last == UInt8(ascii: "}") {
        continue
      }
      guard let entry = try? decoder.decode(Entry.self, from: Data(line)) else {
        damagedLines += 1
        damaged(line)
        continue
      }
      if let version = entry.journal, version > Journal.format {
        throw BatchError(
          "\(path) is of a later version of kfrec; use that version, or another --output-dir")
      }
      each(entry)
    }
    return damagedLines
  }

  static var now: Int64 { Int64(Glibc.time(nil)) }

  /// Writes a line; with `isFlushed` it is on the disk when the call returns.
  func append(_ entry: Entry, isFlushed: Bool = false) throws(BatchError) {
    var entry = entry
    entry.fingerprint = entry.fingerprint?.sealed
    entry.error = entry.error.map { ShownAddress.inText($0) }
    entry.warnings = entry.warnings?.map { ShownAddress.inText($0) }
    try write(try jsonLine(entry, of: path))
    if isFlushed, fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS {
      throw Journal.failure(path, "written", errno)
    }
  }

  /// Writes with one call, so that lines of several threads do not mix.
  private func write(_ bytes: [UInt8]) throws(BatchError) {
    let code = kf_write_all(descriptor, bytes, bytes.count)
    guard code == 0 else { throw Journal.failure(path, "written", code) }
  }

  static func bytes(of file: Int32, _ path: String) throws(BatchError) -> [UInt8] {
    guard let bytes = Frames.bytes(of: file) else { throw failure(path, "read", errno) }
    return bytes
  }

  static func failure(_ path: String, _ verb: String, _ code: Int32) -> BatchError {
    BatchError(
      "the journal \(path) cannot be \(verb): \(String(cString: strerror(code)))", endsBatch: true)
  }
}
