public import GPU

/// How a pipeline's kernels are arranged on a device.
public struct FusionPolicy: Sendable, Equatable {
  /// Storage of planes and textures.
  public var storage: TextureStorage
  /// Whether subsampled planes are packed into one word per pixel on their way to the GPU.
  public var packsWords: Bool
  /// Whether conversions and effects share kernels where possible.
  public var fuses: Bool

  public init(storage: TextureStorage, packsWords: Bool, fuses: Bool) {
    (self.storage, self.packsWords, self.fuses) = (storage, packsWords, fuses)
  }

  /// Returns the policy that measured fastest: on the software driver every read costs time, and
  /// image reads cost twice as much.
  public static func best(for kind: DeviceFacts.Kind) -> FusionPolicy {
    kind == .cpu
      ? FusionPolicy(storage: .buffers, packsWords: true, fuses: true)
      : FusionPolicy(storage: .images, packsWords: false, fuses: true)
  }

  /// One kernel per step, with a texture between two steps; tests compare the other policies with
  /// it.
  public static let plain = FusionPolicy(storage: .images, packsWords: false, fuses: false)
}
