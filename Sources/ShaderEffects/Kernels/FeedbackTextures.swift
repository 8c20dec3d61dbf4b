package import GPU

/// The pictures that an effect keeps from frame to frame or from pass to pass.
///
/// There is one for an effect of a chain, whatever kernels run it; used by one thread.
package final class FeedbackTextures {
  let plan: PassPlan
  /// In the order of the plan's targets.
  let targets: [Texture]
  let ring: Texture?
  /// Frames since it began.
  private(set) var age = 0

  /// Makes the pictures for an effect that acts on pictures of a size; nil for one that keeps none.
  ///
  /// - Throws: `EffectError` where a size that the effect asks for is none, `VulkanError` where the
  ///   GPU does not take it.
  package init?(
    device: Device, effect: EffectInstance, width: Int, height: Int, storage: TextureStorage
  ) throws {
    guard effect.traits.isAlone else { return nil }
    plan = try effect.passPlan(width: width, height: height, storage: storage)
    targets = try plan.targets.map { try Texture(device: device, shape: $0.shape) }
    ring = try plan.ring.map { try Texture(device: device, shape: $0) }
  }

  /// Forgets all frames: the effect does not act on this one.
  package func reset() { age = 0 }

  /// Goes on to the next frame.
  func advance() {
    // Only its place in the period and whether there are as many frames as are kept matter.
    age = age > 1 << 20 ? age + 1 - plan.period * (1 << 10) : age + 1
  }

  /// The age's place in the plan's period.
  var turn: Int { age % plan.period }
}
