/// The kind of GPU object that stores planes and textures.
public enum TextureStorage: Sendable {
  /// Images, in the memory order that suits the GPU's caches.
  case images
  /// Texel buffers.
  ///
  /// The software driver reads them twice as fast as images: one more read per pixel takes 0.42 ms
  /// against 0.84 ms at 1280x720 on two cores (lavapipe of Mesa 22.3.6).
  case buffers
}
