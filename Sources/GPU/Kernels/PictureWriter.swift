import Frames

/// Where a kernel's colours go: one resource and, for kernels that leave it to kfrec, the `main`
/// that asks `vec4 kf_color(ivec2 p)` for the colour of each pixel.
package struct PictureWriter: Sendable {
  package let binding: BindingKind
  /// Invocations of the `main` here for a frame.
  package let invocations: (width: Int, height: Int)
  /// Short words for people.
  package let name: String
  /// `store` to a sink's planes, `picture`.
  let word: String

  private let declarations: @Sendable (Int) -> String
  private let main: String

  init(
    binding: BindingKind, invocations: (width: Int, height: Int), name: String, word: String,
    main: String,
    declarations: @escaping @Sendable (_ binding: Int) -> String
  ) {
    self.binding = binding
    self.invocations = invocations
    self.name = name
    self.word = word
    self.main = main
    self.declarations = declarations
  }

  /// The resource at its binding number, and `void kf_store(ivec2 p, vec4 color)` where any pixel
  /// may be written at any time.
  package func glsl(binding: Int) -> String { declarations(binding) }

  /// The `main`, to follow the definition of `kf_color`.
  package var mainGLSL: String { main }

  /// Writes a picture between effects, one invocation a pixel.
  package static func picture(
    width: Int, height: Int, storage: PictureStorage
  ) -> PictureWriter {
    PictureShape(width: width, height: height, storage: storage).writer
  }
}
