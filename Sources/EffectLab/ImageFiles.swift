package import Frames
package import ShaderEffects

/// How pictures are read from files and written to them, by what has decoders and encoders.
package struct ImageFiles: Sendable {
  /// Reads the pictures of effects' image inputs.
  let images: ImageLoader
  /// The first frame of any picture or film.
  let frame: @Sendable (_ path: String) throws -> Frame
  /// The picture of a golden image.
  let read: @Sendable (_ path: String) throws -> RGBAImage
  /// Writes a golden image, over one that is there.
  let write: @Sendable (_ picture: RGBAImage, _ path: String) throws -> Void

  package init(
    images: @escaping ImageLoader, frame: @escaping @Sendable (_ path: String) throws -> Frame,
    read: @escaping @Sendable (_ path: String) throws -> RGBAImage,
    write: @escaping @Sendable (_ picture: RGBAImage, _ path: String) throws -> Void
  ) {
    (self.images, self.frame, self.read, self.write) = (images, frame, read, write)
  }
}

/// A check or a comparison that cannot be made, in one sentence with a remedy.
package struct EffectLabError: ExplainedError {
  package let description: String

  init(_ description: String) { self.description = description }
}
