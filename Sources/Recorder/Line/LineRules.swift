import GPU

/// How a line is laid out on a device.
struct LineRules: Sendable, Equatable {
  /// What planes and pictures are kept in.
  var storage: PictureStorage
  /// Subsampled planes become one word a pixel on their way to the GPU.
  var packsWords: Bool
  /// Conversions and effects share kernels where they can.
  var fuses: Bool

  /// The fastest by measurement: the software driver pays for every read, and for images twice.
  static func best(for kind: DeviceFacts.Kind) -> LineRules {
    kind == .cpu
      ? LineRules(storage: .buffers, packsWords: true, fuses: true)
      : LineRules(storage: .images, packsWords: false, fuses: true)
  }

  /// A kernel for each step, with a picture between any two: what the others are tested against.
  static let plain = LineRules(storage: .images, packsWords: false, fuses: false)
}
