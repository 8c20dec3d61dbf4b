import Foundation

@testable import ShaderEffects

/// A folder of effects that is removed with this object.
final class EffectFolder {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("kfrec-effects-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// A library that searches this folder alone.
  var library: EffectLibrary {
    EffectLibrary(
      folders: [path],
      searchPath: EffectSearchPath(given: [path], environment: { _ in nil }, executable: nil))
  }
}
