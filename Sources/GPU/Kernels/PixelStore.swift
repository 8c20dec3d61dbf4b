import Frames

/// Where a kernel's colours go: one resource and, for kernels that leave it to kfrec, the `main`
/// that asks `vec4 kf_color(ivec2 p)` for the colour of each pixel.
package struct PixelStore {
  /// Invocations of the `main` here for a frame.
  package let invocations: (width: Int, height: Int)
  /// Short words for people.
  package let name: String
  /// Declares the resource, with `void kf_store(ivec2 p, vec4 color)` where any pixel may be written at
  /// any time.
  package let fragment: KernelFragment
  /// The picture that is written; nil for a result that is told when a frame is recorded, and in a
  /// kernel that never runs.
  let picture: Texture?
  /// Follows the definition of `kf_color`.
  let main: String

  /// Writes a picture between effects that is not there yet, one invocation a pixel.
  package static func picture(
    width: Int, height: Int, storage: TextureStorage
  ) -> PixelStore {
    TextureDescriptor(width: width, height: height, storage: storage).writer
  }
}
