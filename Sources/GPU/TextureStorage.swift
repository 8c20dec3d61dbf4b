/// What planes and pictures are kept in on the GPU.
package enum TextureStorage: Sendable {
  /// Images, which GPUs keep in the order that their caches want.
  case images
  /// Texels of buffers.
  ///
  /// The software driver reads them twice as fast as images: 0.42 ms against 0.84 ms for one more
  /// read a pixel at 1280x720 on two cores (lavapipe of Mesa 22.3.6).
  case buffers
}
