import Frames

/// How a kernel writes its colours: one resource and, for kernels without a `main` of their own, the
/// `main` that calls `vec4 kf_color(ivec2 p)` for each pixel.
package struct PixelStore {
  /// Invocations of this `main` for one frame.
  package let invocations: (width: Int, height: Int)
  /// A short name for messages.
  package let name: String
  /// Declares the resource, and `void kf_store(ivec2 p, vec4 color)` if any pixel may be written at any
  /// time.
  package let fragment: KernelFragment
  /// The texture that is written; nil for a result that is passed when a frame is recorded, and in a
  /// kernel that never runs.
  let texture: Texture?
  /// The text after the definition of `kf_color`.
  let main: String

  /// Writes a texture between effects that does not exist yet, with one invocation per pixel.
  package static func texture(
    width: Int, height: Int, storage: TextureStorage
  ) -> PixelStore {
    TextureDescriptor(width: width, height: height, storage: storage).writer
  }
}
