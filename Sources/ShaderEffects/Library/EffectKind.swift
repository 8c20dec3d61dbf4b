/// In which language an effect's file is written.
enum EffectKind: Sendable, CaseIterable {
  /// Vulkan GLSL with kfrec's own functions.
  case native
  /// The Interactive Shader Format: a fragment shader, with a vertex shader beside it or none.
  case isf
  /// A function `mainImage` as on shadertoy.com, or `transition` as in gl-transitions.
  case fragment, function
  /// A shader of several passes, as shadertoy.com exports it.
  case export

  /// How the name of such a file ends.
  var suffix: String {
    switch self {
    case .native: ".comp"
    case .isf: ".fs"
    case .fragment: ".frag"
    case .function: ".glsl"
    case .export: ".json"
    }
  }

  /// The kind of a file, by its name; nil for one that is no effect.
  init?(path: String) {
    guard !path.hasSuffix(".golden.json"),
      let kind = Self.allCases.first(where: { path.hasSuffix($0.suffix) })
    else { return nil }
    self = kind
  }

  /// Files of other uses have the same ending.
  var isShared: Bool { self == .function || self == .export }

  /// Whether a text with an ending that is shared is an effect.
  func isEffect(_ text: String) -> Bool {
    switch self {
    case .native, .isf, .fragment: true
    case .function: text.contains("mainImage") || text.contains("transition")
    case .export: text.contains("\"renderpass\"")
    }
  }
}
