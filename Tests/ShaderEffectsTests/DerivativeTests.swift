import GPU
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite("Effects that take derivatives") struct DerivativeTests {
  private func compiled(
    _ text: String, as name: String = "a.comp", also: [String: String] = [:]
  ) throws -> (EffectFolder, EffectInstance) {
    let folder = try EffectFolder()
    try folder.write(name, text)
    for (name, text) in also { try folder.write(name, text) }
    return (folder, try folder.library.compile(EffectSpec(parsing: name), with: ShaderCompiler()))
  }

  @Test(
    "An effect without derivatives has no 2x2 groups",
    arguments: [
      ("a.comp", "vec4 effect(vec2 uv) { return framePixel(); } // fwidth"),
      (
        "a.comp",
        "float fwidth(float v, float w) { return v; } vec4 effect(vec2 uv) { return vec4(fwidth(uv.x, 1)); }"
      ),
      (
        "a.fs",
        "/*{}*/ float fwidth(vec2 v) { return v.x; } void main() { gl_FragColor = vec4(fwidth(vec2(1))); }"
      ),
      ("a.fs", "/*{}*/\n#define dFdx(v) 1.0\nvoid main() { gl_FragColor = vec4(dFdx(2.0)); }"),
      ("a.frag", "void mainImage(out vec4 c, vec2 p) { c = vec4(p, 0, 1); /* dFdx(p) */ }"),
    ])
  func none(name: String, text: String) throws {
    let (_, effect) = try compiled(text, as: name)
    #expect(effect.shader.quads == nil && !effect.traits.usesDerivatives)
  }

  @Test(
    "An effect with derivatives begins a kernel",
    arguments: [
      ("a.comp", "vec4 effect(vec2 uv) { return fwidth(framePixel()); }"),
      (
        "a.fs",
        "/*{}*/ float aa(float d) { return dFdx(d); } void main() { gl_FragColor = vec4(aa(1.0)); }"
      ),
      (
        "a.frag", "#define AA fwidth(p)\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(AA, 0, 1); }"
      ),
      (
        "a.fs",
        "/*{}*/ float fwidth(vec2 v, float w) { return w; } void main() { gl_FragColor = vec4(dFdyFine(fwidth(vec2(1), 2.0))); }"
      ),
    ])
  func some(name: String, text: String) throws {
    let (_, effect) = try compiled(text, as: name)
    #expect(effect.shader.quads == (name == "a.comp" ? .fromTop : .fromBottom))
    #expect(effect.traits.usesDerivatives && !effect.traits.isPerPixel)
  }

  @Test("Derivatives in an included file are found")
  func included() throws {
    let text = "#include \"aa.glsl\"\nvec4 effect(vec2 uv) { return vec4(aa(uv.x)); }"
    let (_, edge) = try compiled(text, also: ["aa.glsl": "float aa(float d) { return fwidth(d); }"])
    #expect(edge.shader.quads == .fromTop && edge.traits.usesDerivatives)
    let (_, plain) = try compiled(text, also: ["aa.glsl": "float aa(float d) { return d; }"])
    #expect(plain.shader.quads == nil && plain.traits.isPerPixel)
  }

  @Test("Derivatives in an effect's own main are refused at their place")
  func ownMain() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      layout(local_size_x = 8, local_size_y = 8) in;
      void main() {
        store(PIXEL, vec4(dFdx(framePixel().r)));
      }
      """)
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    }
    #expect(
      error.description.replacing(folder.path + "/", with: "").hasPrefix(
        "a.comp:3:21: error: 'dFdx': an effect with its own main has no derivatives"))
  }

  @Test("An error in a derivative uses the author's names")
  func mistake() throws {
    let folder = try EffectFolder()
    try folder.write("a.frag", "void mainImage(out vec4 c, vec2 p) {\n  c = vec4(fwidth(p, 1));\n}")
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "a"), with: ShaderCompiler())
    }
    #expect(
      error.description.replacing(folder.path + "/", with: "").hasPrefix(
        "a.frag:2:12: error: 'fwidth': no matching overloaded function found"))
  }

  @Test("A GPU without quads is named, with the effect and the function it uses")
  func device() throws {
    let (folder, effect) = try compiled("vec4 effect(vec2 uv) { return fwidth(framePixel()); }")
    try effect.shader.check(hasQuads: true, gpu: "Old One")
    let error = #expect(throws: EffectError.self) {
      try effect.shader.check(hasQuads: false, gpu: "Old One")
    }
    #expect(error?.isUsageError == false)
    #expect(
      error?.description
        == "\(folder.path)/a.comp: effect 'a' uses fwidth, and the GPU Old One has no "
        + "quad operations in compute shaders; update its driver, or use the software driver with "
        + "--gpu llvmpipe")
    let (_, plain) = try compiled("vec4 effect(vec2 uv) { return framePixel(); }")
    try plain.shader.check(hasQuads: false, gpu: "Old One")
  }
}
