import DiskCache
import Glibc

/// The folder for outputs that are not complete, inside the output folder.
///
/// It has a file that marks it as kfrec's own. In it are a folder for each output that is being made, named by a
/// number, and the folder of chunks, which has a folder for each output. Only regular files of these are removed,
/// and links are not followed. Any thread may use it.
struct WorkFolder: Sendable, Equatable {
  let path: String

  static let mark = "kfrec-work"
  static let chunks = "chunks"

  /// Throws unless what is at the path is kfrec's own, or nothing.
  ///
  /// With `isContinued` a journal beside it says that a batch wrote here: folders of kfrec 0.1 have no mark.
  func check(isContinued: Bool) throws(BatchError) {
    guard let folder = OwnFolder.open(path) else {
      if errno == ENOENT { return }
      throw refusal(reason(errno))
    }
    let names = folder.names
    if names.isEmpty || folder.holdsFile(WorkFolder.mark) { return }
    guard isContinued, names.allSatisfy({ $0 == WorkFolder.chunks || WorkFolder.isNumber($0) })
    else { throw refusal("is not of kfrec batch") }
  }

  /// Makes the folder of an output that is being made; returns its path.
  func make(_ place: Int) throws(BatchError) -> String {
    try make("\(place)")
    return "\(path)/\(place)"
  }

  /// Makes the folder of an output's chunks; returns its path.
  func makeChunks(of output: String) throws(BatchError) -> String {
    try make(WorkFolder.chunks)
    let inner = WorkFolder.chunks + "/" + WorkFolder.name(ofChunksOf: output)
    try make(inner, in: OwnFolder.open(path)?.folder(WorkFolder.chunks))
    return path + "/" + inner
  }

  private func make(_ name: String) throws(BatchError) {
    let code = mkdir(path, 0o777) == 0 || errno == EEXIST ? 0 : errno
    guard let folder = OwnFolder.open(path) else { throw refusal(reason(code == 0 ? errno : code)) }
    folder.makeFile(WorkFolder.mark)
    try make(name, in: folder)
  }

  /// Makes `path/name`, and opens it, which a link in its place does not let happen.
  private func make(_ name: String, in parent: OwnFolder?) throws(BatchError) {
    let code = mkdir(path + "/" + name, 0o777) == 0 || errno == EEXIST ? 0 : errno
    let last = name.split(separator: "/").last.map(String.init) ?? name
    guard parent?.folder(last) != nil else {
      throw WorkFolder(path: path + "/" + name).refusal(
        reason(code == 0 ? errno : code), endsBatch: false)
    }
  }

  /// Removes the folder of an output that was made, or could not be made.
  func remove(_ place: Int) { OwnFolder.open(path)?.removeFolder("\(place)") }

  func removeChunks(of output: String) {
    OwnFolder.open(path)?.folder(WorkFolder.chunks)?.removeFolder(
      WorkFolder.name(ofChunksOf: output))
  }

  /// Empties the folder, and removes it if nothing is left.
  ///
  /// - Parameter kept: The names of chunks that stay, by their outputs.
  func clean(keeping kept: [ExactPath: Set<String>]) {
    guard let folder = OwnFolder.open(path) else { return }
    let kept = Dictionary(
      kept.map { (WorkFolder.name(ofChunksOf: $0.key.text), $0.value) }, uniquingKeysWith: { $1 })
    for name in folder.names where WorkFolder.isNumber(name) { folder.removeFolder(name) }
    if let chunks = folder.folder(WorkFolder.chunks) {
      for name in chunks.names where WorkFolder.isFingerprint(name) {
        guard let parts = kept[name], !parts.isEmpty else {
          chunks.removeFolder(name)
          continue
        }
        chunks.folder(name)?.removeFiles { file in
          let words = file.split(separator: ".")
          return words.count != 2 || !parts.contains(String(words[0]))
        }
      }
    }
    // Fails if something is kept.
    folder.removeFolder(WorkFolder.chunks, isEmpty: true)
    if folder.names == [WorkFolder.mark] { folder.removeFiles { $0 == WorkFolder.mark } }
    rmdir(path)
  }

  private func refusal(_ reason: String, endsBatch: Bool = true) -> BatchError {
    BatchError(
      "\(path) \(reason), and outputs that are not complete are kept in a folder of this name; move it away, or "
        + "choose another --output-dir", endsBatch: endsBatch)
  }

  private func reason(_ code: Int32) -> String {
    code == ELOOP || code == ENOTDIR
      ? "is not a folder" : "cannot be used (\(String(cString: strerror(code))))"
  }

  private static func isNumber(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isFingerprint(_ name: String) -> Bool {
    name.utf8.count == 16 && name.allSatisfy { $0.isHexDigit }
  }

  private static func name(ofChunksOf output: String) -> String {
    Fingerprint(of: Array(output.utf8)).description
  }
}
