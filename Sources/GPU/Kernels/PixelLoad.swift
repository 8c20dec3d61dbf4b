/// Where a kernel gets its colours: GLSL that defines `vec4 kf_read(ivec2 p)`, the colour at a pixel
/// that lies inside, unclamped and with straight alpha.
///
/// One of a source's planes, of packed words or of a picture; the effects and the packing do not
/// know which.
package struct PixelLoad: Sendable {
  package let width: Int
  package let height: Int
  /// A read is many fetches: reading a pixel more than a few times is dearer than a picture made
  /// once.
  package let isDear: Bool
  /// Short words for people.
  package let name: String
  /// Defines the function.
  package let fragment: KernelFragment
}
