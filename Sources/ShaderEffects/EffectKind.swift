/// In which language an effect's file is written.
enum EffectKind: Sendable, CaseIterable {
  /// Vulkan GLSL with kfrec's own functions.
  case native
  /// The Interactive Shader Format: a fragment shader, with a vertex shader beside it or none.
  case isf

  /// How the name of such a file ends.
  var suffix: String {
    switch self {
    case .native: ".comp"
    case .isf: ".fs"
    }
  }

  /// The kind of a file, by its name; nil for one that is no effect.
  init?(path: String) {
    guard let kind = Self.allCases.first(where: { path.hasSuffix($0.suffix) }) else { return nil }
    self = kind
  }
}
