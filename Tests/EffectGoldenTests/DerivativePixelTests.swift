import Frames
import GPU
import ShaderEffects
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  /// Tests of derivatives with known values, on an image with odd sides, so that 2x2 pixel groups cross
  /// its edge.
  @Suite("Derivatives in pixels")
  struct DerivativePixelTests {
    private static let (width, height) = (19, 7)
    private static let picture = RGBAImage(width: width, height: height) { x, y in
      (UInt8(x * x / 2), UInt8(y * y * 5), UInt8(9 * x + 5 * y), 255)
    }

    private func render(
      _ files: [(name: String, text: String)], use: String = "", frames: Int = 1,
      policy: FusionPolicy = .plain
    ) throws -> [RGBAImage] {
      let folder = try TemporaryFolder()
      let paths = try files.map { try folder.write($0.text.utf8, to: $0.name) }
      return try EffectRenderer.render(
        Array(repeating: Self.picture, count: frames), paths.map { $0 + use },
        times: (0..<frames).map { Rational(Int64($0), 2) }, policy: policy)
    }

    /// Returns the two values of a channel in a 2x2 pixel group's row or column, the left or lower one
    /// first; outside the image the edge pixels are repeated.
    private func pair(_ channel: Int, _ x: Int, _ y: Int, isRow: Bool) -> (Int, Int) {
      let up = Self.height - 1 - y
      func part(_ x: Int, _ up: Int) -> Int {
        Int(
          Self.picture.channel(
            channel, x: min(x, Self.width - 1), y: Self.height - 1 - min(up, Self.height - 1)))
      }
      return isRow
        ? (part(x & ~1, up), part(x & ~1 + 1, up)) : (part(x, up & ~1), part(x, up & ~1 + 1))
    }

    @Test("Derivatives of coordinates count from the bottom left", arguments: FusionPolicy.all)
    func foreign(policy: FusionPolicy) throws {
      let body = """
        vec2 q = PLACE - 0.5;
        COLOR = vec4(dFdx(q.x * q.x), dFdy(q.y * q.y) * 5.0, fwidth(q.x * 7.0 - q.y * 4.0), 255.0) / 255.0;
        """
      func text(_ place: String, _ color: String) -> String {
        body.replacing("PLACE", with: place).replacing("COLOR", with: color)
      }
      let files = [
        ("a.fs", "/*{}*/ void main() { \(text("gl_FragCoord.xy", "gl_FragColor")) }"),
        (
          "b.frag",
          "void mainImage(out vec4 c, in vec2 p) { \(text("p", "c")) c += 0.0 * texture(iChannel0, p); }"
        ),
        (
          "c.glsl",
          """
          vec4 transition(vec2 uv) {
            vec4 c; \(text("uv * vec2(19.0, 7.0)", "c")) return c + 0.0 * getFromColor(uv);
          }
          """
        ),
      ]
      for (name, text) in files {
        expect(try render([(name, text)], policy: policy)[0], "\(name)") { x, y in
          let (left, low) = (x & ~1, (Self.height - 1 - y) & ~1)
          return (2 * left + 1, (2 * low + 1) * 5, 11)
        }
      }
    }

    @Test("In a native effect derivatives count rows from the top", arguments: FusionPolicy.all)
    func native(policy: FusionPolicy) throws {
      let made = try render(
        [
          (
            "a.comp",
            """
            vec4 effect(vec2 uv) {
              vec2 q = uv * vec2(19.0, 7.0) - 0.5;
              return vec4(dFdx(q.x * q.x), dFdy(q.y * q.y) * 5.0, fwidth(float(PIXEL.y) * 3.0), 255) / 255.0;
            }
            """
          )
        ], policy: policy)
      expect(made[0]) { x, y in (2 * (x & ~1) + 1, (2 * (y & ~1) + 1) * 5, 3) }
    }

    @Test("Coarse derivatives are equal in a 2x2 group, fine ones are not")
    func kinds() throws {
      let made = try render([
        (
          "a.fs",
          """
          /*{}*/ void main() {
            vec2 q = gl_FragCoord.xy - 0.5;
            float v = q.x * q.y;
            vec3 fine = vec3(dFdxFine(v), dFdyFine(v), fwidthFine(v));
            vec3 coarse = vec3(dFdxCoarse(v), dFdyCoarse(v), fwidthCoarse(v));
            gl_FragColor = vec4(q.x < 8.0 ? fine : coarse, 255.0) / 255.0;
          }
          """
        )
      ])
      expect(made[0]) { x, y in
        let up = Self.height - 1 - y
        return x < 8 ? (up, x, up + x) : (up & ~1, x & ~1, (up & ~1) + (x & ~1))
      }
    }

    @Test("Derivatives of texture reads are right, also at the edge", arguments: FusionPolicy.all)
    func reads(policy: FusionPolicy) throws {
      let isf = """
        /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/
        void main() {
          vec4 c = IMG_THIS_PIXEL(inputImage);
          gl_FragColor = vec4(dFdx(c).r, dFdy(c.gb).x, length(fwidth(c.b)), 1.0);
          gl_FragColor.g = abs(gl_FragColor.g);
        }
        """
      expect(try render([("a.fs", isf)], policy: policy)[0]) { x, y in
        let (left, right) = pair(0, x, y, isRow: true)
        let (low, high) = pair(1, x, y, isRow: false)
        let (a, b) = (pair(2, x, y, isRow: true), pair(2, x, y, isRow: false))
        return (right - left, abs(high - low), abs(a.1 - a.0) + abs(b.1 - b.0))
      }
    }

    @Test(
      "Passes of other sizes have their own 2x2 groups, and keep them", arguments: FusionPolicy.all)
    func passes(policy: FusionPolicy) throws {
      let made = try render(
        [
          (
            "a.fs",
            """
            /*{"PASSES": [
              {"TARGET": "small", "WIDTH": 5, "HEIGHT": 3, "FLOAT": true, "PERSISTENT": true},
              {"TARGET": "last", "PERSISTENT": true}]}*/
            void main() {
              vec2 q = gl_FragCoord.xy - 0.5;
              if (PASSINDEX == 0) {
                gl_FragColor = vec4(dFdx(q.x * q.x), dFdy(q.y * q.y), 1.0, 1.0) + IMG_THIS_PIXEL(small);
              } else {
                vec2 p = min(q, vec2(4.0, 2.0)) + 0.5;
                gl_FragColor = vec4(IMG_PIXEL(small, p).rg, IMG_THIS_PIXEL(last).b * 255.0 + fwidth(q.y), 255.0) / 255.0;
              }
            }
            """
          )
        ], frames: 3, policy: policy)
      for (frame, result) in made.enumerated() {
        expect(result) { x, y in
          let (column, row) = (min(x, 4) & ~1, min(Self.height - 1 - y, 2) & ~1)
          return ((2 * column + 1) * (frame + 1), (2 * row + 1) * (frame + 1), frame + 1)
        }
      }
    }

    @Test("Invocations beyond the edge write nothing", arguments: FusionPolicy.all)
    func edges(policy: FusionPolicy) throws {
      // In a buffer, a pixel right of a row would be the first one of the next row.
      let text = """
        vec4 effect(vec2 uv) {
          vec4 before = FRAMEINDEX == 0 ? vec4(0.0) : previousPixel(PIXEL);
          return vec4(before.r + 10.0 * fwidth(uv.x * 19.0) / 255.0, PIXEL.x / 255.0, PIXEL.y / 255.0, 1.0);
        }
        """
      let made = try render([("a.comp", text)], frames: 3, policy: policy)
      for (frame, result) in made.enumerated() { expect(result) { (10 * (frame + 1), $0, $1) } }
      let half = try render([("a.comp", text)], use: ":mix=0.5", policy: policy)
      expect(half[0]) { x, y in
        func own(_ channel: Int) -> Int { Int(Self.picture.channel(channel, x: x, y: y)) }
        return ((own(0) + 10) / 2, (own(1) + x) / 2, (own(2) + y) / 2)
      }
    }

    @Test("Neighbours that were discarded still count in derivatives")
    func discarded() throws {
      let made = try render([
        (
          "a.fs",
          """
          /*{}*/ void main() {
            float x = gl_FragCoord.x - 0.5;
            if (mod(x, 2.0) == 1.0) discard;
            gl_FragColor = vec4(dFdx(x * x), 0.0, 0.0, 255.0) / 255.0;
          }
          """
        )
      ])
      expect(made[0]) { x, _ in (x % 2 == 1 ? 0 : 2 * x + 1, 0, 0) }
    }

    @Test(
      "In a chain derivatives see the result of the effect before, and the next effect sees theirs",
      arguments: FusionPolicy.all)
    func chain(policy: FusionPolicy) throws {
      let double = "vec4 effect(vec2 uv) { return vec4(framePixel().rgb * 2.0, 1.0); }"
      let slope = """
        vec4 effect(vec2 uv) { return vec4(abs(dFdx(framePixel())).rgb, 1.0); }
        """
      let made = try render(
        [("a.comp", double), ("b.comp", slope), ("c.comp", double)], policy: policy)
      expect(made[0]) { x, y in
        func part(_ channel: Int) -> Int {
          let (left, right) = pair(channel, x, y, isRow: true)
          return min(2 * abs(min(2 * right, 255) - min(2 * left, 255)), 255)
        }
        return (part(0), part(1), part(2))
      }
    }
  }
}
