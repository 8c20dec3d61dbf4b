package import GPU

/// How the kernels of a pipeline are laid out on a device.
package struct FusionPolicy: Sendable, Equatable {
  /// What planes and pictures are kept in.
  package var storage: TextureStorage
  /// Subsampled planes become one word a pixel on their way to the GPU.
  package var packsWords: Bool
  /// Conversions and effects share kernels where they can.
  package var fuses: Bool

  package init(storage: TextureStorage, packsWords: Bool, fuses: Bool) {
    (self.storage, self.packsWords, self.fuses) = (storage, packsWords, fuses)
  }

  /// The fastest by measurement: the software driver pays for every read, and for images twice.
  package static func best(for kind: DeviceFacts.Kind) -> FusionPolicy {
    kind == .cpu
      ? FusionPolicy(storage: .buffers, packsWords: true, fuses: true)
      : FusionPolicy(storage: .images, packsWords: false, fuses: true)
  }

  /// A kernel for each step, with a picture between any two: what the others are tested against.
  package static let plain = FusionPolicy(storage: .images, packsWords: false, fuses: false)
}
