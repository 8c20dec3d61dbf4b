import Frames
import GPU
import ShaderEffects
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  /// Tests of ISF files, with pixel values that only a correct reading of the format gives.
  @Suite("ISF files in pixels")
  struct ISFPixelTests {
    private static let (width, height) = (19, 7)
    private static let picture = RGBAImage.unlike(width: width, height: height)
    private static let filter = """
      /*{"ISFVSN": "2", "INPUTS": [{"NAME": "inputImage", "TYPE": "image"}], "PASSES": [PASSES]}*/

      """

    private func render(
      _ body: String, passes: String = "", vertex: String? = nil, header: String? = nil,
      frames: Int = 1, use: String = "", policy: FusionPolicy
    ) throws -> [RGBAImage] {
      let folder = try TemporaryFolder()
      let source = (header ?? Self.filter.replacing("PASSES]", with: passes + "]")) + body
      let path = try folder.write(source.utf8, to: "a.fs")
      if let vertex { try folder.write(vertex.utf8, to: "a.vs") }
      return try EffectRenderer.render(
        Array(repeating: Self.picture, count: frames), [path + use],
        times: (0..<frames).map { Rational(Int64($0), 2) }, policy: policy)
    }

    private func source(_ x: Int, _ y: Int) -> (Int, Int, Int) {
      func part(_ channel: Int) -> Int { Int(Self.picture.channel(channel, x: x, y: y)) }
      return (part(0), part(1), part(2))
    }

    @Test("Coordinates count from the bottom left", arguments: FusionPolicy.all)
    func places(policy: FusionPolicy) throws {
      let made = try render(
        """
        void main() {
          bool same = distance(isf_FragNormCoord, gl_FragCoord.xy / RENDERSIZE) < 1e-5;
          gl_FragColor = vec4((gl_FragCoord.xy - 0.5) / 255.0, same ? 1.0 : 0.0, 1.0);
        }
        """, policy: policy)
      expect(made[0]) { ($0, Self.height - 1 - $1, 255) }
    }

    @Test(
      "Every function that reads the frame finds its pixel",
      arguments: [
        ("IMG_THIS_PIXEL(inputImage)", 0, 0), ("IMG_THIS_NORM_PIXEL(inputImage)", 0, 0),
        ("IMG_NORM_PIXEL(inputImage, isf_FragNormCoord)", 0, 0),
        ("IMG_NORM_PIXEL(inputImage, vv_FragNormCoord.xy)", 0, 0),
        ("IMG_PIXEL(inputImage, gl_FragCoord.xy)", 0, 0),
        ("IMG_PIXEL(inputImage, gl_FragCoord.xy + vec2(2.0, 3.0))", 2, -3),
        ("IMG_NORM_PIXEL(inputImage, isf_FragNormCoord - vec2(1.0, 2.0) / RENDERSIZE)", -1, 2),
        ("IMG_NORM_PIXEL(inputImage, isf_FragNormCoord, 0.0)", 0, 0),
        ("texture2D(inputImage, isf_FragNormCoord + vec2(0.0, 1.0) / IMG_SIZE(inputImage))", 0, -1),
        ("texelFetch(inputImage, ivec2(gl_FragCoord.xy) + ivec2(1, 1), 0)", 1, -1),
        ("moved(inputImage, vec2(1.0, 0.0))", 1, 0), ("TAKE(inputImage, vec2(0.0, 1.0))", 0, -1),
        ("IMG_PIXEL(inputImage, gl_FragCoord.xy * _inputImage_imgSize / RENDERSIZE)", 0, 0),
      ])
    func reads(read: String, right: Int, down: Int) throws {
      let made = try render(
        """
        #define TAKE(picture, by) IMG_PIXEL(picture, gl_FragCoord.xy + by)
        vec4 moved(sampler2D picture, vec2 by) {
          return IMG_PIXEL(picture, gl_FragCoord.xy + by);
        }
        void main() { gl_FragColor = \(read); }
        """, policy: .plain)
      expect(made[0]) { x, y in
        source(
          min(max(x + right, 0), Self.width - 1), min(max(y + down, 0), Self.height - 1))
      }
    }

    @Test(
      "A parameter may have the name of the pixel's place",
      arguments: ["isf_FragNormCoord", "vv_FragNormCoord"])
    func ownPlace(name: String) throws {
      let made = try render(
        """
        vec4 at(vec2 \(name)) { return IMG_NORM_PIXEL(inputImage, \(name)); }
        void main() { gl_FragColor = at((gl_FragCoord.xy + vec2(1.0, 0.0)) / RENDERSIZE); }
        """, policy: .plain)
      expect(made[0]) { x, y in source(min(x + 1, Self.width - 1), y) }
    }

    @Test("Between pixels the frame is interpolated, and outside it is clamped to the edge")
    func blending() throws {
      let made = try render(
        "void main() { gl_FragColor = IMG_PIXEL(inputImage, gl_FragCoord.xy + vec2(0.5, 50.0)); }",
        policy: .plain)
      expect(made[0]) { x, _ in
        let (here, next) = (source(x, 0), source(min(x + 1, Self.width - 1), 0))
        return ((here.0 + next.0) / 2, (here.1 + next.1) / 2, (here.2 + next.2) / 2)
      }
    }

    @Test(
      "Passes have their own sizes, keep their textures, and know their index",
      arguments: FusionPolicy.all)
    func passes(policy: FusionPolicy) throws {
      let made = try render(
        """
        void main() {
          if (PASSINDEX == 0) {
            // Where it stood before, and one more each frame.
            gl_FragColor = vec4(
              (gl_FragCoord.xy - 0.5) / 255.0, IMG_THIS_PIXEL(kept).b + 1.0 / 255.0, RENDERSIZE.x);
          } else {
            vec4 color = IMG_PIXEL(kept, gl_FragCoord.xy);
            gl_FragColor = vec4(color.rgb, abs(color.a - 30.0) < 0.01 && IMG_SIZE(kept).y == 9.0 ? 1.0 : 0.0);
          }
        }
        """,
        passes: """
          {"TARGET": "kept", "WIDTH": 30, "HEIGHT": "$HEIGHT + 2.0", "PERSISTENT": 1,
            "FLOAT": "true", "SOMETHING": []}, {}
          """, frames: 3, policy: policy)
      for (frame, result) in made.enumerated() {
        expect(result) { ($0, Self.height - 1 - $1, frame + 1) }
        #expect(result.bytes[3] == 255)
      }
    }

    @Test("The last pass's own target is the result of the frame before, with 8 bits")
    func lastTarget() throws {
      let made = try render(
        "void main() { gl_FragColor = vec4(IMG_THIS_PIXEL(mine).r + 0.45, 0.0, 0.0, 1.0); }",
        passes: #"{"TARGET": "mine", "PERSISTENT": true, "WIDTH": 3}"#, frames: 4, policy: .plain)
      #expect(made.map { Int($0.bytes[0]) } == [115, 230, 255, 255])
    }

    @Test(
      "A vertex shader runs at the corners; its values are blended", arguments: FusionPolicy.all)
    func vertex(policy: FusionPolicy) throws {
      let made = try render(
        """
        #if __VERSION__ <= 120
        varying vec2 left;
        varying float parts[2];
        #else
        in vec2 left;
        in float parts[2];
        #endif
        const float shade = 0.5;
        void main() { gl_FragColor = vec4(left.x, parts[1] * shade, parts[0], 1.0); }
        """,
        vertex: """
          #if __VERSION__ <= 120
          varying vec2 left;
          varying float parts[2];
          #else
          out vec2 left;
          out float parts[2];
          #endif
          const float shade = 2.0;
          void main() {
            isf_vertShaderInit();
            left = clamp(isf_FragNormCoord - 0.25, 0.0, 1.0);
            parts[0] = isf_FragNormCoord.x * isf_FragNormCoord.y;
            parts[1] = shade * isf_FragNormCoord.y;
          }
          """, policy: policy)
      expect(made[0]) { x, y in
        let u = (Double(x) + 0.5) / Double(Self.width)
        let v = 1 - (Double(y) + 0.5) / Double(Self.height)
        // The interpolated product is a plane on each of the two triangles.
        let product = u + v <= 1 ? 0 : u + v - 1
        return (Int(255 * 0.75 * u + 0.5), Int(255 * v + 0.5), Int(255 * product + 0.5))
      }
    }

    @Test(
      "A value of a vertex shader may have any name",
      arguments: ["w", "a", "c", "i", "n", "position", "norm", "corner", "frame", "sample"])
    func vertexNames(name: String) throws {
      for (declared, named) in [("vec3 \(name)", name), ("vec2 \(name)[2]", "\(name)[1]")] {
        let shared = "varying \(declared); varying vec2 other;"
        let made = try render(
          "\(shared)\nvoid main() { gl_FragColor = vec4(\(named).xy, other.x, 1.0); }",
          vertex: """
            \(shared)
            void main() {
              isf_vertShaderInit();
              \(named).xy = isf_FragNormCoord;
              other = isf_FragNormCoord.yx;
            }
            """, policy: .plain)
        expect(made[0]) { x, y in
          let u = (Double(x) + 0.5) / Double(Self.width)
          let v = 1 - (Double(y) + 0.5) / Double(Self.height)
          return (Int(255 * u + 0.5), Int(255 * v + 0.5), Int(255 * v + 0.5))
        }
      }
    }

    @Test("A vertex shader may move the image; the rest is transparent")
    func moved() throws {
      let made = try render(
        "void main() { gl_FragColor = vec4(isf_FragNormCoord, 1.0, 1.0); }",
        vertex: """
          void main() { isf_vertShaderInit(); gl_Position.x = gl_Position.x * 0.5 + 0.5; }
          """, policy: .plain)[0]
      for y in 0..<Self.height {
        for x in 0..<Self.width {
          let u = (Double(x) + 0.5) / Double(Self.width) * 2 - 1
          #expect(made.channel(3, x: x, y: y) == (u >= 0 ? 255 : 0))
          if u > 0 {
            #expect(abs(Double(made.channel(0, x: x, y: y)) - 255 * u) <= 1)
          }
        }
      }
    }

    @Test(
      "Global variables are initialized for each pixel, and an unwritten result is zero",
      arguments: FusionPolicy.all)
    func variables(policy: FusionPolicy) throws {
      let counting = """
        float count = gl_FragCoord.x, other = 1.0;
        void main() { count += other; if (count > 4.0) gl_FragColor = vec4(count / 255.0); }
        """
      expect(try render(counting, policy: policy)[0]) { x, _ in
        x < 3 ? (0, 0, 0) : (x + 1, x + 1, x + 1)
      }
      let dropping = """
        float shade() { if (gl_FragCoord.x < 5.0) discard; return 1.0; }
        void main() { gl_FragColor = vec4(shade()); }
        """
      let dropped = try render(dropping, policy: policy)[0]
      #expect(dropped.channel(3, x: 4, y: 2) == 0 && dropped.channel(3, x: 5, y: 2) == 255)
    }

    @Test("Results are clamped to the range of 8 bits, before mix and before the next effect")
    func limits() throws {
      let bright = "void main() { gl_FragColor = vec4(4.0, -3.0, 0.5, 9.0); }"
      let made = try render(bright, use: ":mix=0.5", policy: .plain)[0]
      expect(made) { x, y in
        let (r, g, b) = source(x, y)
        return ((255 + r) / 2, g / 2, (128 + b) / 2)
      }
      #expect(made.bytes[3] == 255)
    }

    @Test("A power of a negative number is the mathematical one, or keeps its sign")
    func powers() throws {
      let made = try render(
        """
        float pow(float x) { return x * x; }
        void main() {
          float x = -gl_FragCoord.x / 20.0, three = floor(3.0 + gl_FragCoord.y / 100.0);
          vec2 powers = pow(vec2(x), vec2(three, 0.5));
          gl_FragColor = vec4(pow(x, 2.0) - pow(x), powers, 1.0) * vec4(99.0, -1.0, -1.0, 1.0);
        }
        """, policy: .plain)
      expect(made[0]) { x, _ in
        let u = (Double(x) + 0.5) / 20
        return (0, Int((255 * u * u * u).rounded()), Int((255 * u.squareRoot()).rounded()))
      }
    }

    @Test(
      "Inputs and functions may have names that GLSL or kfrec uses",
      arguments: FusionPolicy.all)
    func names(policy: FusionPolicy) throws {
      let header = """
        /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"},
          {"NAME": "frame", "TYPE": "float", "DEFAULT": 0.25},
          {"NAME": "length", "TYPE": "float", "DEFAULT": 0.5},
          {"NAME": "sample", "TYPE": "bool", "DEFAULT": 1},
          {"NAME": "uv", "TYPE": "point2D", "DEFAULT": [7, 9], "MIN": [0, 0], "MAX": [1, 1]},
          {"NAME": "texture", "TYPE": "color", "DEFAULT": [0, 0, 1]}]}*/

        """
      let made = try render(
        """
        #define color vec3
        #define p 2.0
        struct Part { float frame; };
        float distance(vec2 a, vec2 b) { return 0.5; }
        float hash(int n) { return 0.25; }
        float noise(vec2 v) { return length(v) > 2.0 ? 1.0 : 0.0; }
        float effect(float buffer) { return buffer; }
        void main() {
          Part part = Part(frame);
          color made = color(part.frame + hash(1) + length, distance(uv, vec2(0.0)), texture.b);
          gl_FragColor = vec4(made * effect(noise(uv) * p / 2.0), sample ? texture.a : 0.0);
        }
        """, header: header, policy: policy)
      expect(made[0]) { _, _ in (255, 128, 255) }
      #expect(made[0].bytes[3] == 255)
    }

    @Test("A file of ISF version 1 runs unchanged")
    func firstVersion() throws {
      let header = """
        // by somebody
        /*{"CREDIT": "somebody", "INPUTS": [{"NAME": "inputImage", "TYPE": "image"}],
          "PERSISTENT_BUFFERS": {"sum": {"WIDTH": 2, "HEIGHT": 2, "FLOAT": true}},
          "PASSES": [{"TARGET": "sum"}, {}]}*/

        """
      let made = try render(
        """
        #version 120
        precision mediump float;
        void main() {
          vec4 before = IMG_NORM_PIXEL(sum, vv_FragNormCoord);
          if (PASSINDEX == 0) gl_FragColor = before + vec4(10.0, 0.0, 0.0, 255.0) / 255.0;
          else gl_FragColor = before;
        }
        """, header: header, frames: 3, policy: .plain)
      #expect(made.map { Int($0.bytes[0]) } == [10, 20, 30])
    }

    @Test("Files that read only their own pixel share a kernel with the effects before them")
    func shared() throws {
      let folder = try TemporaryFolder()
      let header = Self.filter.replacing("PASSES]", with: "]")
      let first = try folder.write(
        (header + """
          #define gain 0.5
          float level = 0.0;
          void main() { gl_FragColor = IMG_NORM_PIXEL(inputImage, 1.0 - isf_FragNormCoord) * gain; }
          """).utf8, to: "turn.fs")
      let second = try folder.write(
        (header + """
          #define gain 2.0
          vec4 tone(vec4 c) { return c * gain; }
          void main() { gl_FragColor = vec4(tone(IMG_THIS_PIXEL(inputImage)).rgb, 1.0); }
          """).utf8, to: "tone.fs")
      let third = try folder.write(
        (header + """
          vec4 tone(vec4 c) { return c.gbra; }
          void main() { gl_FragColor = tone(IMG_PIXEL(inputImage, gl_FragCoord.xy)); }
          """).utf8, to: "swap.fs")
      for policy in FusionPolicy.all {
        let made = try EffectRenderer.render(
          [Self.picture], [first, second, third], times: [.zero], policy: policy)
        expect(made[0]) { x, y in
          let (r, g, b) = source(Self.width - 1 - x, Self.height - 1 - y)
          return (g, b, r)
        }
      }
    }
  }
}
