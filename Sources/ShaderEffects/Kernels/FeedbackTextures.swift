public import GPU

/// The textures that an effect keeps from frame to frame or from pass to pass.
///
/// Each effect of a chain has one instance, whichever kernels run it; used by one thread.
public final class FeedbackTextures {
  let plan: PassPlan
  /// The textures of the plan's targets, in their order.
  let targets: [Texture]
  /// The last input frames; nil if the effect reads none, or reads them where they were uploaded.
  let ring: Texture?
  /// The number of frames since the effect began to act.
  private(set) var age = 0

  /// Makes the textures for an effect that acts on frames of this size; nil for an effect that keeps
  /// none.
  ///
  /// `precision` is that of the textures between kernels, and `input` is what the effect reads whenever it acts, if that
  /// has enough earlier frames. With `keepsFaults` what is not a number stays so in textures of 8 bits too.
  ///
  /// - Throws: `EffectError` if the effect asks for an invalid size, `VulkanError` if the GPU refuses
  ///   it.
  public init?(
    device: Device, effect: EffectInstance, width: Int, height: Int, storage: TextureStorage,
    precision: Texture.Format, keepsFaults: Bool = false, input: PixelLoad? = nil
  ) throws {
    guard effect.traits.isAlone else { return nil }
    plan = try effect.passPlan(
      width: width, height: height, storage: storage, precision: precision,
      byte: keepsFaults ? .byteInFloat : .byte)
    targets = try plan.targets.map { try Texture(device: device, shape: $0.shape) }
    ring = try plan.ring.flatMap { shape in
      shape.layers - 1 <= input?.earlierFrames ?? 0
        ? nil : try Texture(device: device, shape: shape)
    }
  }

  /// Forgets all frames, because the effect does not act on this one.
  public func reset() { age = 0 }

  /// Moves on to the next frame.
  func advance() {
    // The age stays bounded: only its place in the period, and whether enough frames are kept, matter.
    age = age > 1 << 20 ? age + 1 - plan.period * (1 << 10) : age + 1
  }

  /// The place of the age in the plan's period.
  var turn: Int { age % plan.period }
}
