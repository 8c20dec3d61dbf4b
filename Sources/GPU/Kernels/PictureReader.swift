/// Where a kernel gets its colours: GLSL that defines `vec4 kf_read(ivec2 p)`, the colour at a pixel
/// that lies inside, unclamped and with straight alpha.
///
/// One of a source's planes, of packed words or of a picture; the effects and the packing do not
/// know which.
package struct PictureReader: Sendable {
  package let width: Int
  package let height: Int
  /// What the GLSL reads, at binding numbers one after the other.
  package let bindings: [BindingKind]
  /// A read is many fetches: reading a pixel more than a few times is dearer than a picture made
  /// once.
  package let isDear: Bool
  /// Short words for people.
  package let name: String
  /// `load` from a source's planes, `picture`.
  let word: String

  private let body: @Sendable (Int) -> String

  init(
    width: Int, height: Int, bindings: [BindingKind], isDear: Bool, name: String, word: String,
    body: @escaping @Sendable (_ firstBinding: Int) -> String
  ) {
    self.width = width
    self.height = height
    self.bindings = bindings
    self.isDear = isDear
    self.name = name
    self.word = word
    self.body = body
  }

  /// The declarations and the function, with the resources at `firstBinding` and after.
  package func glsl(firstBinding: Int) -> String { body(firstBinding) }
}
