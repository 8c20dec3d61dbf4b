import Capture
package import ShaderEffects
import Synchronization

/// Reads the pictures and tables (`.cube`) of effects' image inputs and imports, each file once, however many effects use
/// it, and again where it was written anew.
package final class ImageFiles: Sendable {
  private let known = Mutex<[String: EffectImage]>([:])

  package init() {}

  /// To be given to an `EffectLibrary`.
  package var loader: ImageLoader { { path in try self.image(path) } }

  private func image(_ path: String) throws -> EffectImage {
    try known.withLock { known in
      let stamp = FileStamp(path: path)
      if let image = known[path], image.stamp == stamp { return image }
      let image =
        path.lowercased().hasSuffix(".cube")
        ? EffectImage(try CubeTable(path: path), name: path, stamp: stamp)
        : EffectImage(try readPicture(path), name: path, stamp: stamp)
      known[path] = image
      return image
    }
  }
}
