public import GPU

/// How a pipeline's kernels are arranged on a device.
public struct FusionPolicy: Sendable, Equatable {
  /// Storage of planes and textures.
  public var storage: TextureStorage
  /// Whether subsampled planes are packed into one word per pixel on their way to the GPU.
  public var packsWords: Bool
  /// Whether conversions and effects share kernels where possible.
  public var fuses: Bool
  /// Whether what is not a number stays so in textures of 8 bits too, for a check of shaders.
  public var keepsFaults = false

  public init(storage: TextureStorage, packsWords: Bool, fuses: Bool) {
    (self.storage, self.packsWords, self.fuses) = (storage, packsWords, fuses)
  }

  /// Returns the policy that measured fastest for frames of at most this many pixels: on the software driver every read costs
  /// time, and image reads cost twice as much.
  ///
  /// Frames that are larger than its texel buffers are in images, and all frames where texel buffers are small
  /// (SwiftShader's have the 65,536 texels that every device must have): the passes of an effect may be larger than a frame.
  public static func best(for device: DeviceFacts, pixels: Int) -> FusionPolicy {
    device.kind == .cpu && device.maxTexels >= max(pixels, 1 << 24)
      ? FusionPolicy(storage: .buffers, packsWords: true, fuses: true)
      : FusionPolicy(storage: .images, packsWords: false, fuses: true)
  }

  /// One kernel per step, with a texture between two steps; tests compare the other policies with
  /// it.
  public static let plain = FusionPolicy(storage: .images, packsWords: false, fuses: false)
}
