import EffectLab
import Frames
import GPU
import Render
import ShaderEffects
import TestSupport
import Testing

extension EffectsOnDevice {
  /// Tests of effects that read and write outside of their arrays, and of what nobody wrote.
  @Suite("Indices out of range")
  struct WildIndexTests {
    /// The colour of an effect's frame, which is one everywhere.
    private func color(_ text: String, policy: FusionPolicy? = nil) throws -> [UInt8] {
      let folder = try TemporaryFolder()
      let header = """
        /*{"INPUTS": [{"NAME": "far", "TYPE": "float", "DEFAULT": 10000000, "MIN": -1e9, "MAX": 1e9}]}*/
        // Not known before the effect runs: too large for any array, and its negative.
        #define FAR int(far)
        #define LESS int(-far)
        vec4 seen(uint number) { return vec4(vec3(float(number & 255u) / 255.0), 1.0); }
        vec4 seen(float number) { return seen(uint(number)); }
        """
      let path = try folder.write((header + "\n" + text).utf8, to: "a.comp")
      let picture = RGBAImage(width: 40, height: 24) { _, _ in (7, 7, 7, 255) }
      let image = try EffectRenderer.render([picture], [path], times: [.zero], policy: policy)[0]
      let colors = Set((0..<40 * 24).map { image.bytes[4 * $0] })
      #expect(colors.count == 1, "one colour everywhere")
      return Array(image.bytes.prefix(3))
    }

    /// A kind of memory: what declares it outside and inside of the function, and how many elements it has.
    struct Memory: CustomTestStringConvertible {
      let name: String
      var outside = ""
      var inside = ""
      var element = "a[I]"

      var testDescription: String { name }
    }

    private static let memories = [
      Memory(name: "a private array", outside: "float a[64];"),
      Memory(name: "an array of a function", inside: "float a[64];"),
      Memory(
        name: "an array in a private struct", outside: "struct S { float n[64]; } a;",
        element: "a.n[I]"),
      Memory(
        name: "an array of structs of a function", outside: "struct S { vec2 x; float n[3]; };",
        inside: "S a[64];", element: "a[I].n[min(I, 2)]"),
      Memory(name: "an array of arrays", inside: "float a[8][8];", element: "a[I][I]"),
    ]

    @Test(
      "A read or write outside of memory of the invocation's own meets its nearest element",
      arguments: memories)
    func own(memory: Memory) throws {
      func element(_ index: String) -> String { memory.element.replacing("I", with: index) }
      let color = try color(
        """
        \(memory.outside)
        vec4 effect(vec2 uv) {
          \(memory.inside)
          for (int i = 0; i < 64; i++) \(element("i")) = float(i + 10);
          \(element("FAR")) = 100.0;
          \(element("LESS")) = 200.0;
          \(element("(FAR * 100 + PIXEL.x)")) += 0.0;
          return vec4(
            seen(\(element("FAR"))).r, seen(\(element("LESS"))).r,
            seen(\(element("(PIXEL.x - PIXEL.x + 5)"))).r, 1.0);
        }
        """)
      #expect(color == [100, 200, 15])
    }

    @Test("A read or write outside of shared memory meets its nearest element")
    func shared() throws {
      let color = try color(
        """
        layout(local_size_x = 8, local_size_y = 8) in;
        struct S { float n[3]; mat4 m; };
        shared uint a[64];
        shared S s[4];
        void main() {
          a[gl_LocalInvocationIndex] = gl_LocalInvocationIndex + 10u;
          if (gl_LocalInvocationIndex == 0) {
            for (int i = 0; i < 4; i++) {
              s[i].n = float[](20.0, 21.0, 22.0);
              s[i].m = mat4(30.0);
            }
          }
          barrier();
          a[FAR + PIXEL.x] = 100u;
          a[LESS * 10 - PIXEL.x] = 200u;
          s[FAR].n[FAR + PIXEL.y] = 110.0;
          s[LESS].m[LESS][LESS] = 120.0;
          barrier();
          uint first = a[LESS + PIXEL.x], last = a[FAR * 7];
          float other = s[FAR - FAR + 3].n[FAR] + s[LESS * 3].m[LESS - 7][LESS];
          store(PIXEL, vec4(seen(first).r, seen(last).r, seen(other).r, 1.0));
        }
        """)
      #expect(color == [200, 100, 230])
    }

    @Test("Parts of vectors and matrices have an index that is in range")
    func parts() throws {
      let color = try color(
        """
        vec4 effect(vec2 uv) {
          vec4 v = vec4(10.0, 20.0, 30.0, 40.0);
          v[FAR] = 50.0;
          v[LESS] = 60.0;
          mat4 m = mat4(v, v, v, v);
          m[FAR][LESS] = 70.0;
          return vec4(seen(v.x + v.w).r, seen(m[FAR + 9][LESS]).r, seen((m * 2.0)[LESS][0]).r, 1.0);
        }
        """)
      #expect(color == [110, 70, 120])
    }

    @Test("A table of constants ends at its ends")
    func constants() throws {
      let color = try color(
        """
        const float table[4] = float[](10.0, 20.0, 30.0, 40.0);
        vec4 effect(vec2 uv) {
          return vec4(seen(table[FAR]).r, seen(table[LESS]).r, seen(table[uint(FAR) * 400u]).r, 1.0);
        }
        """)
      // An unsigned index of 2^31 or more counts as a negative one.
      #expect(color == [40, 10, 10])
    }

    @Test(
      "Pixels outside of the frame are read at its edge, and are not written",
      arguments: [
        FusionPolicy.plain, FusionPolicy(storage: .images, packsWords: false, fuses: true),
        FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
      ])
    func pixels(policy: FusionPolicy) throws {
      let color = try color(
        """
        layout(local_size_x = 8, local_size_y = 8) in;
        void main() {
          vec4 wild = framePixel(PIXEL * FAR) + framePixel(PIXEL * LESS - 1);
          store(PIXEL * FAR + 4000, vec4(1.0));
          store(PIXEL * LESS - 1, vec4(1.0));
          store(PIXEL, wild);
        }
        """, policy: policy)
      #expect(color == [14, 14, 14])
    }

    @Test("Shared memory that nobody wrote is zero")
    func cleared() throws {
      // What a shader before it left in shared memory, and in the process's heap.
      for value in ["171u", "205u"] {
        _ = try color(
          """
          layout(local_size_x = 8, local_size_y = 8) in;
          shared uint a[4096];
          void main() {
            for (int i = 0; i < 64; i++) a[gl_LocalInvocationIndex * 64 + i] = \(value);
            barrier();
            store(PIXEL, seen(a[PIXEL.x]));
          }
          """)
      }
      let color = try color(
        """
        layout(local_size_x = 8, local_size_y = 8) in;
        shared uint a[4000];
        shared vec4 b[20];
        void main() {
          uint sum = 0u;
          for (int i = 0; i < 4000; i++) sum |= a[i];
          store(PIXEL, vec4(seen(sum).r, b[PIXEL.x % 20].y, 0.0, 1.0));
        }
        """)
      #expect(color == [0, 0, 0])
    }

    @Test("A variable that no branch wrote is zero")
    func unwritten() throws {
      let color = try color(
        """
        void halve(float x, out vec3 y) { if (x > 2.0) y = vec3(1.0); }
        vec4 effect(vec2 uv) {
          uint a;
          uvec4 b;
          vec3 c;
          if (uv.x > 2.0) { a = 7u; b = uvec4(1u); }
          halve(uv.y, c);
          return vec4(seen(a ^ b.x ^ b.w).r, c.yz, 1.0);
        }
        """)
      #expect(color == [0, 0, 0])
    }
  }
}
