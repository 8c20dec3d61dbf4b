import Frames
import Glibc
import Synchronization

/// The chunks that are made: their files in the work folder, and their lines in the journal.
final class ChunkStore: Sendable {
  struct Chunk: Sendable {
    let fingerprint: ResultFingerprint
    let file: OutputFile
    /// Time at which its last frame ends, in seconds.
    let end: Rational
  }

  private let journal: Journal
  /// By the output's path and the chunk's name.
  private let known: Mutex<[ExactPath: [String: Chunk]]>

  /// Takes the chunks that the journal knows; those of an item that is done, or is made of something else now,
  /// are forgotten.
  init(journal: Journal, plan: BatchPlan, redoesAll: Bool) {
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

  /// Returns the path of a chunk, whose folder exists.
  func path(of name: String, output: String, fileExtension: String) throws(BatchError) -> String {
    try journal.workFolder.makeChunks(of: output) + "/" + name + "." + fileExtension
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
      $0[ExactPath(item.output), default: [:]][name] = Chunk(
        fingerprint: fingerprint, file: file, end: end)
    }
  }

  /// Removes the chunks of an output that is done, or that stays whole.
  func remove(_ output: String) {
    known.withLock { $0[output] = nil }
    journal.workFolder.removeChunks(of: output)
  }

  /// The names of the chunks that are known, by the output's path.
  var names: [ExactPath: Set<String>] { known.withLock { $0.mapValues { Set($0.keys) } } }
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
