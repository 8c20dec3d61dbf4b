import EffectLab
import Frames
import GPU
import Render
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Tests of authors' names and variables that mean something else to Vulkan's GLSL, with pixel values.
  @Suite("Names and variables of authors")
  struct OwnFunctionTests {
    private static let picture = RGBAImage.unlike(width: 7, height: 5)

    /// Renders statements that give `vec3 c`, with functions before them, in a language of effects.
    private func render(
      _ functions: String, _ statements: String, _ name: String
    ) throws -> RGBAImage {
      let folder = try TemporaryFolder()
      let main =
        switch name {
        case "a.comp": "vec4 effect(vec2 uv) { vec3 c; \(statements) return vec4(c / 255.0, 1.0); }"
        case "a.fs": "void main() { vec3 c; \(statements) gl_FragColor = vec4(c / 255.0, 1.0); }"
        default:
          "void mainImage(out vec4 o, in vec2 p) { vec3 c; \(statements) o = vec4(c / 255.0, 1.0); }"
        }
      let header = name == "a.fs" ? "/*{\"INPUTS\": []}*/\n" : ""
      let path = try folder.write("\(header)\(functions)\n\(main)\n".utf8, to: name)
      return try EffectRenderer.render(Self.picture, [path], time: .zero)
    }

    @Test(
      "A function with the name of one of GLSL's own leaves the types that it does not take to GLSL",
      arguments: ["a.comp", "a.fs", "a.glsl"])
    func overloads(_ name: String) throws {
      let made = try render(
        """
        vec3 mix(vec3 a, vec3 b, int n) { return n > 0 ? a : b; }
        float round(float x) { return floor(x) + 3.0; }
        float tanh(float x) { return x * 2.0; }
        mat2 inverse(mat2 m) { return m; }
        int max(int a, int b) { return 7; }
        """,
        """
        c.r = mix(0.0, 100.0, 0.25) + mix(vec3(1.0), vec3(2.0), 1).r + mix(vec2(4.0), vec2(8.0), 0.5).g;
        c.g = round(1.2) + round(vec2(1.2)).r + 100.0 * tanh(vec2(20.0)).g + tanh(8.0);
        c.b = inverse(mat2(2.0))[0].x + inverse(mat3(0.25))[0].x + max(5.0, 9.0) + float(max(1, 2));
        """, name)
      expect(made) { _, _ in (25 + 1 + 6, 4 + 1 + 100 + 16, 2 + 4 + 9 + 7) }
    }

    @Test(
      "A variable that nothing was written to is zero, also behind an out parameter",
      arguments: ["a.comp", "a.fs", "a.glsl"])
    func zero(_ name: String) throws {
      let made = try render(
        """
        void choose(float x, out float y) { if (x > 1000.0) y = 255.0; }
        """,
        "float y; choose(float(7), y); float z; if (y > 300.0) z = 255.0; mat2 m; c = vec3(y, z, m[1].x);",
        name)
      expect(made) { _, _ in (0, 0, 0) }
    }

    @Test(
      "Types of Vulkan's GLSL are names like any other in shaders of other hosts",
      arguments: ["a.fs", "a.glsl"])
    func types(_ name: String) throws {
      let made = try render(
        "float textureBuffer(float x) { return x; }",
        "vec3 texture2D = vec3(9.0); float itexture3D = 1.0; c = texture2D + itexture3D + textureBuffer(2.0);",
        name)
      expect(made) { _, _ in (12, 12, 12) }
    }

    @Test("Two effects with the same function of GLSL's name share a kernel")
    func together() throws {
      let folder = try TemporaryFolder()
      func write(_ name: String, _ step: String) throws -> String {
        try folder.write(
          """
          float round(float x) { return floor(x) + \(step); }
          vec4 effect(vec2 uv) { return vec4(framePixel().rgb + round(0.7) * round(vec2(1.2)).r / 255.0, 1.0); }
          """.utf8, to: name)
      }
      let black = RGBAImage(width: 4, height: 3) { _, _ in (0, 0, 0, 255) }
      for policy in FusionPolicy.all {
        let made = try EffectRenderer.render(
          black, [write("a.comp", "3.0"), write("b.comp", "5.0")], times: [.zero], policy: policy)
        expect(made[0]) { _, _ in (8, 8, 8) }
      }
    }
  }
}
