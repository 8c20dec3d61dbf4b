import Capture
package import Frames
package import ShaderEffects
import Synchronization

/// Reads the pictures and tables (`.cube`) of effects' image inputs and imports, each file once, however many effects use
/// it, and again where it was written anew.
package final class ImageFiles: Sendable {
  private let known = Mutex<[String: EffectImage]>([:])
  let interruption: Interruption

  /// - Parameter interruption: Ends the wait for a pipe that nobody writes to; nothing is read after.
  package init(interruption: Interruption = Interruption()) { self.interruption = interruption }

  /// To be given to an `EffectLibrary`.
  package var loader: ImageLoader { { path in try self.image(path) } }

  private func image(_ path: String) throws -> EffectImage {
    try known.withLock { known in
      let stamp = FileStamp(path: path)
      if let image = known[path], image.stamp == stamp { return image }
      let image =
        path.lowercased().hasSuffix(".cube")
        ? EffectImage(try CubeTable(path: path), name: path, stamp: stamp)
        : try picture(path, stamp: stamp)
      known[path] = image
      return image
    }
  }

  private func picture(_ path: String, stamp: FileStamp?) throws -> EffectImage {
    let picture = try StillPicture(path: path, interruption: interruption)
    return EffectImage(
      picture.frame, name: path, stamp: stamp, isFirstOfFilm: picture.isFirstOfFilm)
  }
}
