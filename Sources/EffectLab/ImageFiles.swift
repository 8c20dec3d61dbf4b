package import Frames
package import ShaderEffects

/// Functions that read and write image files, provided by a module with decoders and encoders.
package struct ImageFiles: Sendable {
  /// Loads the images of effects' image inputs.
  let images: ImageLoader
  /// Returns the first frame of an image or video file.
  let frame: @Sendable (_ path: String) throws -> Frame
  /// Reads a golden image.
  let read: @Sendable (_ path: String) throws -> RGBAImage
  /// Writes a golden image and replaces an existing file.
  let write: @Sendable (_ image: RGBAImage, _ path: String) throws -> Void

  package init(
    images: @escaping ImageLoader, frame: @escaping @Sendable (_ path: String) throws -> Frame,
    read: @escaping @Sendable (_ path: String) throws -> RGBAImage,
    write: @escaping @Sendable (_ image: RGBAImage, _ path: String) throws -> Void
  ) {
    (self.images, self.frame, self.read, self.write) = (images, frame, read, write)
  }
}

/// A check or a comparison that cannot be made, in one sentence with a remedy.
package struct EffectLabError: ExplainedError {
  package let description: String
  package let isUsageError: Bool

  init(_ description: String, isUsageError: Bool = false) {
    (self.description, self.isUsageError) = (description, isUsageError)
  }
}
