import EffectLab
import Frames
import GPU
import Render
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Tests of shaders for glslViewer, with pixel values that only a correct reading gives.
  @Suite("glslViewer's shaders in pixels")
  struct GLSLViewerTests {
    private static let (width, height) = (19, 7)
    private static let picture = RGBAImage.unlike(width: width, height: height)

    private func render(
      _ source: String, frames: Int = 1, policy: FusionPolicy = .plain
    ) throws -> [RGBAImage] {
      let folder = try TemporaryFolder()
      let path = try folder.write(source.utf8, to: "a.frag")
      return try EffectRenderer.render(
        Array(repeating: Self.picture, count: frames), [path],
        times: (0..<frames).map { Rational(Int64($0), 2) }, policy: policy)
    }

    private func pixel(_ picture: RGBAImage, _ x: Int, _ y: Int) -> (Int, Int, Int) {
      func part(_ channel: Int) -> Int { Int(picture.channel(channel, x: x, y: y)) }
      return (part(0), part(1), part(2))
    }

    @Test("Coordinates count from the bottom left", arguments: FusionPolicy.all)
    func places(policy: FusionPolicy) throws {
      let made = try render(
        """
        #ifdef GL_ES
        precision mediump float;
        #endif
        uniform vec2 u_resolution;
        uniform vec2 u_mouse;
        varying vec2 v_texcoord;
        void main() {
          vec2 st = gl_FragCoord.xy / u_resolution;
          bool same = u_resolution == vec2(19.0, 7.0) && u_mouse == vec2(0.0) && st == v_texcoord;
          gl_FragColor = vec4((gl_FragCoord.xy - 0.5) / 255.0, same ? 1.0 : 0.0, 1.0);
        }
        """, policy: policy)
      expect(made[0]) { ($0, Self.height - 1 - $1, 255) }
    }

    @Test(
      "Texture 0 is the frame, in old and new GLSL",
      arguments: [
        """
        uniform sampler2D u_tex0;
        uniform vec2 u_tex0Resolution;
        void main() { gl_FragColor = texture2D(u_tex0, (gl_FragCoord.xy + vec2(1.0, 0.0)) / u_tex0Resolution); }
        """,
        """
        #version 330
        uniform sampler2D u_tex0;
        uniform vec2 u_resolution;
        layout(location = 0) out vec4 fragColor;
        void main() {
          fragColor = texture(u_tex0, (gl_FragCoord.xy + vec2(1.0, 0.0)) / u_resolution);
        }
        """,
      ])
    func frame(source: String) throws {
      for policy in FusionPolicy.all {
        let made = try render(source, policy: policy)
        expect(made[0]) { pixel(Self.picture, min($0 + 1, Self.width - 1), $1) }
      }
    }

    @Test("Time, frame index and date are the effect's")
    func values() throws {
      let made = try render(
        """
        uniform float u_time, u_delta;
        uniform int u_frame;
        uniform vec4 u_date;
        uniform sampler2D u_tex0;
        void main() {
          bool isDated = u_date == vec4(1970.0, 1.0, 1.0, u_time);
          gl_FragColor = vec4(u_time * 10.0, float(u_frame), isDated ? u_delta * 100.0 : 255.0, 255.0) / 255.0;
        }
        """, frames: 3)
      for (frame, result) in made.enumerated() {
        expect(result) { _, _ in (frame * 5, frame, frame == 0 ? 0 : 50) }
      }
    }

    @Test("Uniforms that no host sets are parameters, with defaults of which something is seen")
    func parameters() throws {
      let folder = try TemporaryFolder()
      let text = """
        uniform float u_amount; // = 0.25
        uniform vec3 u_tint;
        uniform int u_count, u_more;
        uniform vec2 u_resolution;
        uniform sampler2D u_tex0;
        void main() {
          gl_FragColor = vec4(u_amount, u_tint.g, float(u_count + u_more) / 255.0, 1.0)
            + 0.0 * texture2D(u_tex0, gl_FragCoord.xy / u_resolution);
        }
        """
      let path = try folder.write(text.utf8, to: "a.frag")
      let inputs = try EffectLibrary(folders: []).describe(path).inputs
      #expect(inputs.map(\.name) == ["u_amount", "u_tint", "u_count", "u_more"])
      let made = try EffectRenderer.render(Self.picture, [path], time: .zero)
      expect(made) { _, _ in (64, 128, 2) }
      let given = try EffectRenderer.render(
        Self.picture, ["\(path):u_amount=1,u_count=9"], time: .zero)
      expect(given) { _, _ in (255, 128, 10) }
    }

    @Test("Buffers are passes: each part of the text is made in its turn, and keeps what it made")
    func buffers() throws {
      let made = try render(
        """
        uniform sampler2D u_buffer0;
        uniform sampler2D u_doubleBuffer0;
        uniform vec2 u_resolution;
        void main() {
          vec2 st = gl_FragCoord.xy / u_resolution;
        #ifdef BUFFER_0
          gl_FragColor = vec4(40.0 / 255.0, st, 1.0);
        #elif defined(DOUBLE_BUFFER_0)
          gl_FragColor = texture2D(u_doubleBuffer0, st) + texture2D(u_buffer0, st).r;
        #else
          gl_FragColor = vec4(texture2D(u_buffer0, st).r, texture2D(u_doubleBuffer0, st).g, 0.0, 1.0);
        #endif
        }
        """, frames: 3)
      for (frame, result) in made.enumerated() {
        expect(result) { _, _ in (40, 40 * (frame + 1), 0) }
      }
    }

    @Test("What glslViewer alone makes is refused in a sentence")
    func refused() throws {
      for word in [
        "CONVOLUTION_PYRAMID", "u_scene", "u_sceneDepth", "u_pyramid0", "u_flood0", "BACKGROUND",
        "FLOOR", "POSTPROCESSING",
      ] {
        let error = try #require(throws: EffectError.self) {
          try render("#ifdef \(word)\n#endif\nvoid main() { gl_FragColor = vec4(1.0); }\n")
        }
        #expect(error.description.contains("has \(word), "))
        #expect(error.description.contains("which is not made here"))
      }
      // A name of the text's own.
      _ = try render(
        "#define FLOOR 0.5\n#ifdef FLOOR\n#endif\nvoid main() { gl_FragColor = vec4(FLOOR); }\n")
    }

    @Test("Errors name lines of the author's file")
    func mistakes() throws {
      let error = try #require(throws: EffectError.self) {
        try render("out vec4 color;\n// one\nvoid main() {\n  color = vec4(nope);\n}\n")
      }
      #expect(
        error.description.contains(
          "a.frag:4:16: error: 'nope': undeclared identifier\n  color = vec4(nope);\n"))
    }

    @Test("A Shadertoy shader is still read as one, and a shader without the frame is accepted")
    func reported() throws {
      let folder = try TemporaryFolder()
      func role(_ text: String) throws -> EffectRole {
        let path = try folder.write(text.utf8, to: "a.frag")
        return try EffectLibrary(folders: []).describe(path).role
      }
      #expect(try role("out vec4 c;\nvoid main() { c = vec4(1.0); }\n") == .generator)
      #expect(
        try role(
          "uniform sampler2D u_tex0;\nvoid main() { gl_FragColor = texture2D(u_tex0, vec2(0)); }\n")
          == .filter)
      let toy = "void mainImage(out vec4 c, vec2 p) { c = texture(iChannel0, p); }\n"
      #expect(try role(toy) == .filter)
    }
  }
}
