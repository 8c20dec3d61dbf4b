/// How a kernel reads its input: GLSL that defines `vec4 kf_read(ivec2 p)`, the colour at a pixel
/// inside the image, unclamped and with straight alpha.
///
/// It reads a source's planes, packed words or a texture; the effects and the packing do not know
/// which.
public struct PixelLoad: Sendable {
  public let width: Int
  public let height: Int
  /// One read makes many fetches: more than a few reads per pixel cost more than an intermediate
  /// texture.
  public let isExpensive: Bool
  /// One read computes so much that two reads per pixel cost more than an intermediate texture.
  public var isToneMapped = false
  /// A short name for messages.
  public let name: String
  /// Defines `kf_read`.
  public let fragment: KernelFragment
  /// Number of earlier frames that are still there: the fragment then defines `vec4 kf_readEarlier(int back, ivec2 p)`.
  public var earlierFrames = 0
  /// Reads four pixels of a row at once, where that is faster: defines `uvec4 kf_four(ivec2 p)` for places whose x is a
  /// multiple of four, up to seven pixels beyond the end of a row, and `vec4 kf_colorOf(uint pixel)`; nil if that is not possible.
  var fours: KernelFragment?

  /// The kinds of all bindings that a kernel may need.
  public var bindings: [BindingKind] { fragment.bindings + (fours?.bindings ?? []) }
}
