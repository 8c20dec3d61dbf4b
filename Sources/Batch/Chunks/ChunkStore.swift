import DiskCache
import Frames
import Glibc
import Synchronization

/// The chunks that are made: their files in the work folder, and their lines in the journal.
final class ChunkStore: Sendable {
  /// A chunk that is whole.
  struct Chunk: Sendable {
    let fingerprint: ResultFingerprint
    let file: OutputFile
    /// Time at which its last frame ends, in seconds.
    let end: Rational
  }

  private let folder: String
  private let journal: Journal
  /// By the output's path and the chunk's name.
  private let known: Mutex<[String: [String: Chunk]]>

  /// Takes the chunks that the journal knows; those of an item that is done, or is made of something else now,
  /// are forgotten.
  init(workFolder: String, journal: Journal, plan: BatchPlan, redoesAll: Bool) {
    folder = workFolder + "/" + ChunkStore.folderName
    self.journal = journal
    var known = redoesAll ? [:] : journal.chunks
    for item in plan.items {
      guard item.reason != nil, let fingerprint = item.fingerprint else {
        known[item.output] = nil
        continue
      }
      known[item.output] = known[item.output]?.filter {
        fingerprint.difference(from: $0.value.fingerprint) == nil
      }
    }
    self.known = Mutex(known)
  }

  static let folderName = "chunks"

  /// The folder of an output's chunks.
  private func folder(of output: String) -> String {
    folder + "/" + Fingerprint(of: Array(output.utf8)).description
  }

  /// Returns the path of a chunk, whose folder exists.
  func path(of name: String, output: String, fileExtension: String) throws(BatchError) -> String {
    try makeFolders(folder(of: output))
    return folder(of: output) + "/" + name + "." + fileExtension
  }

  /// Returns a chunk that was made before and is still there.
  func made(_ name: String, of item: BatchPlan.Item, at path: String) -> Chunk? {
    guard let chunk = known.withLock({ $0[item.output]?[name] }),
      item.fingerprint?.difference(from: chunk.fingerprint) == nil,
      OutputFile(at: path) == chunk.file
    else { return nil }
    return chunk
  }

  /// Writes into the journal that a chunk is whole.
  func add(
    _ name: String, of item: BatchPlan.Item, at path: String, frames: Int, end: Rational
  ) throws {
    try flush(path)
    guard let file = OutputFile(at: path), let fingerprint = item.fingerprint else {
      throw BatchError("\(path) is gone")
    }
    try journal.append(
      Journal.Entry(
        event: .chunk, time: Journal.now, output: item.output, fingerprint: fingerprint,
        frames: frames, bytes: file.bytes, modified: file.modified, chunk: name,
        end: "\(end.numerator)/\(end.denominator)"), isFlushed: true)
    known.withLock {
      $0[item.output, default: [:]][name] = Chunk(fingerprint: fingerprint, file: file, end: end)
    }
  }

  /// Removes the chunks of an output that is done, or that stays whole.
  func remove(_ output: String) {
    known.withLock { $0[output] = nil }
    removeTree(folder(of: output))
  }

  /// Empties the work folder, except for the chunks that are known.
  static func clean(_ workFolder: String, keeping store: ChunkStore?) {
    guard let store else { return removeTree(workFolder) }
    let kept = store.known.withLock { known in
      Dictionary(
        known.filter { !$0.value.isEmpty }.map { (store.folder(of: $0.key), Set($0.value.keys)) }
      ) { first, _ in first }
    }
    for name in names(in: workFolder) where name != folderName {
      removeAny(workFolder + "/" + name)
    }
    for name in names(in: store.folder) {
      let inner = store.folder + "/" + name
      guard let chunks = kept[inner] else {
        removeAny(inner)
        continue
      }
      for file in names(in: inner) {
        let parts = file.split(separator: ".")
        if parts.count != 2 || !chunks.contains(String(parts[0])) { removeAny(inner + "/" + file) }
      }
    }
    // Fails if something is kept.
    rmdir(store.folder)
    rmdir(workFolder)
  }

  private static func removeAny(_ path: String) {
    if unlink(path) != 0 { removeTree(path) }
  }
}

extension ChunkStore.Chunk {
  /// Takes a line of the journal; nil if it is not about a chunk.
  init?(_ entry: Journal.Entry) {
    guard entry.event == .chunk, let fingerprint = entry.fingerprint, let bytes = entry.bytes,
      let modified = entry.modified,
      let end = entry.end?.split(separator: "/").map({ Int64($0) ?? 0 }), end.count == 2, end[1] > 0
    else { return nil }
    self.init(
      fingerprint: fingerprint, file: OutputFile(bytes: bytes, modified: modified),
      end: Rational(end[0], end[1]))
  }
}
