import GPU
import ShaderCompiler

/// The GLSL of one kernel for one effect or several: their texts with kfrec's code around them.
///
/// The first effect may read any pixel. Each later effect sees only the colour that the effect before
/// it made for the same pixel, so that no texture lies between them.
struct FusedKernelSource {
  let effects: [BoundEffect]
  let reader: PixelLoad
  let writer: PixelStore
  /// How images are stored.
  let storage: TextureStorage

  /// The kernel; the effects' lines keep their authors' line numbers under the files' paths.
  var source: KernelSource {
    let hasOwnMain = effects[0].shader.traits.hasOwnMain
    let surroundings = KernelFragment(
      """
      ivec2 frameSize() { return ivec2(\(reader.width), \(reader.height)); }
      const ivec2 kf_size = ivec2(\(reader.width), \(reader.height));
      \(hasOwnMain ? Self.pixelOfInvocation : Self.pixelOfCall)
      \(ShaderPrelude.noise)
      """)
    let parts = effects.enumerated().flatMap { index, effect in
      Self.part(effect, index: index, isShared: effects.count > 1, storage: storage)
    }
    var source = KernelSource(
      reader: reader, writer: writer,
      work: [surroundings] + parts + (hasOwnMain ? [] : [KernelFragment(color)]))
    source.extensions = effects.map(\.shader.glsl.extensions).joined(separator: "\n")
    source.hasOwnMain = hasOwnMain
    source.isOnePixelEach = effects.contains(where: \.shader.traits.isOnePixelEach)
    source.quads = quads
    return source
  }

  /// Only the first effect may take derivatives, because it reads a texture.
  private var quads: PixelQuads? { effects[0].shader.quads }

  static let pixelOfInvocation = "#define PIXEL ivec2(gl_GlobalInvocationID.xy)"
  static let pixelOfCall = """
    ivec2 kf_pixel;
    #define PIXEL kf_pixel
    """

  /// Returns an effect's uniforms, its reading functions and its text; in a shared kernel, names from
  /// the second effect on get a suffix: by a macro, or in the text itself where the name may also be that of a component
  /// behind a dot.
  static func part(
    _ effect: BoundEffect, index: Int, isShared: Bool, storage: TextureStorage
  ) -> [KernelFragment] {
    let shader = effect.shader
    let names = isShared ? shader.ownNames : GlobalNames()
    let defined = index == 0 ? [] : names.names.filter { !isComponent($0) }
    let replaced = index == 0 ? [] : Set(names.names.filter(isComponent))
    let renames = defined.map { "#define \($0) \($0)\(suffix(index))" }
    // An effect's macros must not change the text behind it, which is kfrec's own in a kernel of one effect.
    let undo = shader.ownNames.macros + defined
    let reading =
      index == 0
      ? ShaderPrelude.reading
        + (shader.traits.hasOwnMain ? "\n" + ShaderPrelude.writing(shader) : "")
      : """
      vec4 kf_input;
      vec4 framePixel() { return kf_clamp(kf_input); }
      """
    let fragments =
      [
        KernelFragment(renames.joined(separator: "\n")),
        KernelFragment(
          """
          \(ShaderPrelude.clamping(shader))
          \(reading)
          """,
          resources: [
            effect.block("kf_Uniforms\(suffix(index))") { name in
              replaced.contains(name) ? name + suffix(index) : name
            }
          ]),
      ] + effect.imageFragments(id: "\(index)_", storage: storage) + [
        KernelFragment(
          """
          \(shader.otherNames.define)
          \(shader.glsl.body)
          \(shader.otherNames.undefine)
          \(undo.map { "#undef \($0)" }.joined(separator: "\n"))
          """, name: shader.file.name)
      ]
    guard !replaced.isEmpty else { return fragments }
    return fragments.map { fragment in
      var fragment = fragment
      fragment.glsl = renaming(replaced, to: suffix(index), in: fragment.glsl)
      return fragment
    }
  }

  /// Whether a name is also that of components of a vector: `x`, `rgb`.
  private static func isComponent(_ name: String) -> Bool {
    ["xyzw", "rgba", "stpq"].contains { letters in
      name.count <= 4 && name.allSatisfy(letters.contains)
    }
  }

  /// Returns a text in which names have a suffix, but for those behind a dot and those of a struct's members.
  private static func renaming(_ names: Set<String>, to suffix: String, in text: String) -> String {
    var (isBehindDot, isDirective) = (false, false)
    var isStruct = false
    var depth = 0
    return ISFToken.tokens(GLSLText.withoutComments(text)).map { token in
      if token.kind == .lineEnd, isDirective { isBehindDot = false }
      guard token.isCode else { return token.text }
      isDirective = token.isDirective
      defer { isBehindDot = token.text == "." }
      switch token.text {
      case _ where isDirective: break
      case "struct": isStruct = true
      case "{" where isStruct: depth += 1
      case "}" where isStruct:
        depth -= 1
        isStruct = depth > 0
      default: break
      }
      return !isBehindDot && depth == 0 && names.contains(token.text)
        ? token.text + suffix : token.text
    }.joined()
  }

  private static func suffix(_ index: Int) -> String { index == 0 ? "" : "_kf\(index + 1)" }

  /// The function that returns the colour of a pixel after all effects.
  private var color: String {
    ShaderPrelude.color(
      of: effects[0].shader, size: "frameSize()", following: Self.calls(of: effects.dropFirst()))
  }

  /// Statements that apply the effects after the first one to `color`, at `uv`.
  static func calls(of effects: ArraySlice<BoundEffect>) -> String {
    zip(1..., effects).map { index, effect in
      let own = suffix(index)
      let mixing = ShaderPrelude.mixing("kf_input\(own)", by: "kf_mix\(own)")
      return """
        kf_input\(own) = color;
          color = effect\(own)(uv);
          \(ShaderPrelude.coding(effect.shader, suffix: own))
          \(effect.shader.isMixed ? mixing : "")
        """
    }.joined(separator: "\n  ")
  }
}
