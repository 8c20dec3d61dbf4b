import Capture
import Frames
import Recorder
import Synchronization

/// The files that the effects of a batch read, apart from the inputs.
struct EffectFiles: Sendable {
  /// The files of each chain of effects: of the command's by nil, of an input's own by its `chain`.
  private let chains: [String?: [String]]
  /// Hashes of files, with what the files were when they were read.
  private let known = Known()

  private final class Known: Sendable {
    let hashes = Mutex<[String: (stamp: FileStamp, hash: String)]>([:])
  }

  /// Compiles every chain once, which finds mistakes before anything runs.
  ///
  /// - Throws: The mistakes of the effects; of an input's own effects with the line of the list.
  init(_ request: BatchRequest) throws {
    var chains: [String?: [String]] = [nil: try EffectFiles.files(of: request.recording)]
    for listed in request.listed.sorted(by: { $0.key < $1.key }).map(\.value) {
      guard let own = listed.settings?.own, chains[own.chain] == nil else { continue }
      do {
        chains[own.chain] = try EffectFiles.files(of: own.recording)
      } catch {
        throw listed.placed(error)
      }
    }
    self.chains = chains
  }

  /// All files, some of them more than once.
  var all: [String] { chains.values.flatMap(\.self) }

  func files(of chain: String?) -> [String] { chains[chain] ?? [] }

  /// Reads the files of a chain that changed since they were read last.
  ///
  /// - Parameter chain: The `chain` of an input's own effects; nil for the command's.
  /// - Returns: The hash of each by its path.
  func hashes(of chain: String?) -> [String: String] {
    var hashes: [String: String] = [:]
    for path in files(of: chain) where hashes[path] == nil { hashes[path] = hash(of: path) }
    return hashes
  }

  private func hash(of path: String) -> String {
    guard let stamp = FileStamp(path) else { return "" }
    if let entry = known.hashes.withLock({ $0[path] }), stamp.isUnchanged(since: entry.stamp) {
      return entry.hash
    }
    let hash = InputFingerprint(path: path, isWhole: true, earlier: nil).hash
    known.hashes.withLock { $0[path] = (stamp, hash) }
    return hash
  }

  private static func files(of recording: Recording) throws -> [String] {
    let added =
      (recording.addedAudio.map { [$0.file.path] } ?? []) + recording.subtitleFiles
    guard !recording.effects.isEmpty || !recording.subtitleFiles.isEmpty else { return added }
    return try filesOfEffects(recording) + added
  }
}
