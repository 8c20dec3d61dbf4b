import Capture
import Recorder

/// The files that the effects of a batch read, apart from the inputs.
struct EffectFiles: Sendable {
  /// The files of each chain of effects: of the command's by nil, of an input's own by its `chain`.
  private let chains: [String?: [String]]

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

  /// Reads the files; returns the hash of each by its path, for each chain.
  func hashes() -> [String?: [String: String]] {
    var known: [String: String] = [:]
    return chains.mapValues { files in
      var hashes: [String: String] = [:]
      for path in files {
        let hash =
          known[path] ?? InputFingerprint(path: path, isWhole: true, earlier: nil).hash
        (known[path], hashes[path]) = (hash, hash)
      }
      return hashes
    }
  }

  private static func files(of recording: Recording) throws -> [String] {
    let added = recording.addedAudio.map { [$0.file.path] } ?? []
    guard !recording.effects.isEmpty else { return added }
    return try filesOfEffects(recording) + added
  }
}
