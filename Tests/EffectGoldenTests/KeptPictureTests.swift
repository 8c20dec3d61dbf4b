import Frames
import GPU
import ShaderEffects
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  /// Tests of passes, persistent textures and previous frames, with numbers that only the right one
  /// gives.
  @Suite("Textures that effects keep")
  struct KeptPictureTests {
    private static let allPolicies = [
      FusionPolicy.plain,
      FusionPolicy(storage: .images, packsWords: false, fuses: true),
      FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
    ]

    /// Returns the red of the first pixel of each frame; frame n of the input is 10 + n everywhere.
    private func reds(
      _ effect: String, frames: Int = 6, parameters: String = "", policy: FusionPolicy,
      before: [String] = []
    ) throws -> [Int] {
      let folder = try TemporaryFolder()
      let path = try folder.write(effect.utf8, to: "a.comp")
      let pictures = (0..<frames).map { frame in
        RGBAImage(width: 19, height: 7) { _, _ in (UInt8(10 + frame), 0, 0, 255) }
      }
      let times = (0..<frames).map { Rational(Int64($0)) }
      let results = try EffectRenderer.render(
        pictures, before + [path + parameters], times: times, policy: policy)
      for result in results {
        let reds = Set((0..<19 * 7).map { result.bytes[4 * $0] })
        #expect(reds.count == 1, "one colour everywhere")
      }
      return results.map { Int($0.bytes[0]) }
    }

    @Test(
      "Earlier frames are the input's, or the first frame at the start", arguments: allPolicies)
    func history(policy: FusionPolicy) throws {
      let effect = """
        /*{"HISTORY": 2}*/
        vec4 effect(vec2 uv) { return earlierPixel(2, PIXEL); }
        """
      #expect(try reds(effect, policy: policy) == [10, 10, 10, 11, 12, 13])
      let blended = effect.replacing("earlierPixel(2, PIXEL)", with: "earlier(FRAMEINDEX - 1, uv)")
      // Index 0 or less is the current frame; an index that is too large is the earliest kept frame.
      #expect(try reds(blended, policy: policy) == [10, 11, 11, 11, 12, 13])
    }

    @Test("The previous frame is the effect's own result before mix", arguments: allPolicies)
    func previous(policy: FusionPolicy) throws {
      let effect = """
        vec4 effect(vec2 uv) { return previousPixel(PIXEL) + vec4(2.0 / 255.0, 0, 0, 0); }
        """
      #expect(try reds(effect, policy: policy) == [12, 14, 16, 18, 20, 22])
      #expect(try reds(effect, parameters: ":mix=0.5", policy: policy)[4] == (20 + 14) / 2)
    }

    @Test("A persistent target keeps what was written, and starts at zero", arguments: allPolicies)
    func persistent(policy: FusionPolicy) throws {
      let effect = """
        /*{"PASSES": [{"TARGET": "sum", "PERSISTENT": true, "FLOAT": true, "WIDTH": 3, "HEIGHT": 2},
          {}]}*/
        vec4 effect(vec2 uv) {
          return PASSINDEX == 0 ? sumPixel(PIXEL) + 0.5 * frame(uv) : sum(uv) * 0.25;
        }
        """
      // The sums of half of 10, 11, 12 ..., doubled; a quarter of each sum is shown.
      let sums: [Double] = [10, 21, 33, 46, 60, 75]
      for (red, sum) in zip(try reds(effect, policy: policy), sums) {
        let distance = abs(Double(red) - sum / 8)
        #expect(distance <= 0.51)
      }
      // Without FLOAT the sum is clamped to 1, however many frames add a half.
      let bright = """
        /*{"PASSES": [{"TARGET": "sum", "PERSISTENT": true}, {}]}*/
        vec4 effect(vec2 uv) {
          return PASSINDEX == 0 ? sumPixel(PIXEL) + 0.5 : 0.25 * sumPixel(PIXEL);
        }
        """
      #expect(try self.reds(bright, policy: policy) == [32, 64, 64, 64, 64, 64])
    }

    @Test("The last pass's own target is the result of the frame before", arguments: allPolicies)
    func lastTarget(policy: FusionPolicy) throws {
      let effect = """
        /*{"PASSES": [{"TARGET": "mine", "PERSISTENT": true, "FLOAT": true}]}*/
        vec4 effect(vec2 uv) { return vec4(mine(uv).r + 3.0 / 255.0, 0, 0, 1); }
        """
      #expect(try reds(effect, policy: policy) == [3, 6, 9, 12, 15, 18])
    }

    @Test(
      "Passes see their own size, and a target not yet written is zero", arguments: allPolicies)
    func sizes(policy: FusionPolicy) throws {
      let effect = """
        /*{"INPUTS": [{"NAME": "part", "TYPE": "float", "DEFAULT": 4, "MIN": 1, "MAX": 9}],
          "PASSES": [{"TARGET": "a", "WIDTH": "$WIDTH / $part", "HEIGHT": 2, "FLOAT": true},
            {"TARGET": "b", "HEIGHT": "HEIGHT / 100"}, {}]}*/
        vec4 effect(vec2 uv) {
          if (PASSINDEX == 0) return vec4(RENDERSIZE, aPixel(PIXEL).r + bPixel(PIXEL).a, 1);
          if (PASSINDEX == 1) return vec4(RENDERSIZE / 255.0, 0, 1);
          ivec2 known = ivec2(aPixel(ivec2(9, 9)).xy);
          bool isRight = known == aSize() && known == ivec2(4, 2) && bSize() == ivec2(19, 1)
            && aPixel(PIXEL).z == 0.0 && abs(bPixel(PIXEL).g * 255.0 - 1.0) < 0.01
            && RENDERSIZE == vec2(frameSize()) && frameSize() == ivec2(19, 7);
          return vec4(isRight ? bPixel(PIXEL).r : 1.0, 0, 0, 1);
        }
        """
      #expect(try reds(effect, frames: 2, policy: policy) == [19, 19])
    }

    @Test("An effect's main runs once per pass and stores to its target", arguments: allPolicies)
    func ownMain(policy: FusionPolicy) throws {
      let effect = """
        /*{"PASSES": [{"TARGET": "a", "WIDTH": 33, "HEIGHT": 3}, {}]}*/
        layout(local_size_x = 8, local_size_y = 8) in;
        void main() {
        #if PASSINDEX == 0
          store(PIXEL, vec4(float(PIXEL.x + 2 * PIXEL.y) / 255.0));
        #else
          store(PIXEL, vec4(aPixel(ivec2(32, 2)).r + previousPixel(PIXEL).r, 0, 0, 1));
        #endif
        }
        """
      #expect(try reds(effect, frames: 4, policy: policy) == [46, 82, 118, 154])
    }

    @Test(
      "A macro of an effect that keeps textures changes nothing in kfrec's own code",
      arguments: ["p", "q", "uv", "color", "x"])
    func macros(name: String) throws {
      let picture = RGBAImage.unlike(width: 19, height: 7)
      let effects = [
        (
          #"{"PASSES": [{"TARGET": "first"}, {}]}"#,
          "PASSINDEX == 0 ? framePixel(AT) : firstPixel(AT)"
        ),
        (#"{"HISTORY": 1}"#, "max(framePixel(AT), earlierPixel(1, AT))"),
        ("{}", "max(framePixel(AT), previousPixel(AT))"),
      ]
      for (header, value) in effects {
        let folder = try TemporaryFolder()
        let text = """
          /*\(header)*/
          #define \(name) PIXEL
          vec4 effect(vec2 place) { return \(value.replacing("AT", with: name)); }
          """
        let path = try folder.write(text.utf8, to: "a.comp")
        let made = try EffectRenderer.render([picture, picture], [path], times: [.zero, .one])
        for frame in made { expect(frame, is: picture, "\(name) \(header)") }
      }
    }

    @Test("Kept textures are cleared when their effect starts to act, and not when another does")
    func afresh() throws {
      let effect = """
        vec4 effect(vec2 uv) { return previousPixel(PIXEL) + vec4(2.0 / 255.0, 0, 0, 0); }
        """
      for policy in Self.allPolicies {
        #expect(
          try reds(effect, parameters: ":from=2,to=5", policy: policy) == [10, 11, 14, 16, 18, 15])
        #expect(
          try reds(effect, policy: policy, before: ["vignette:amount=0,from=2,to=4"])
            == [12, 14, 16, 18, 20, 22])
      }
    }
  }
}
