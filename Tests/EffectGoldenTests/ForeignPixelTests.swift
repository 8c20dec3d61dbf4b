import Frames
import GPU
import ShaderEffects
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  /// Tests of Shadertoy and gl-transitions files, with pixel values that only a correct reading gives.
  @Suite("Shadertoy and gl-transitions in pixels")
  struct ForeignPixelTests {
    private static let (width, height) = (19, 7)
    private static let picture = RGBAImage.unlike(width: width, height: height)
    private static let card = RGBAImage(width: 5, height: 3) { x, y in
      (UInt8(40 * x + 7), UInt8(80 * y + 11), UInt8(3 * x + 50 * y), 255)
    }

    private func render(
      _ source: String, as name: String = "a.frag", frames: Int = 1, use: String = "",
      policy: FusionPolicy = .plain
    ) throws -> [RGBAImage] {
      let folder = try TemporaryFolder()
      let path = try folder.write(source.utf8, to: name)
      try PlainImage.write(Self.card, to: folder.file("card.png"))
      return try EffectRenderer.render(
        Array(repeating: Self.picture, count: frames),
        [path + use.replacing("card.png", with: folder.file("card.png"))],
        times: (0..<frames).map { Rational(Int64($0), 2) }, policy: policy)
    }

    private func pixel(_ picture: RGBAImage, _ x: Int, _ y: Int) -> (Int, Int, Int) {
      func part(_ channel: Int) -> Int { Int(picture.channel(channel, x: x, y: y)) }
      return (part(0), part(1), part(2))
    }

    @Test(
      "Coordinates count from the bottom left, and channel 0 is the frame",
      arguments: FusionPolicy.all)
    func places(policy: FusionPolicy) throws {
      let places = try render(
        """
        void mainImage(out vec4 fragColor, in vec2 fragCoord) {
          bool same = iResolution == vec3(19.0, 7.0, 1.0) && fragCoord == gl_FragCoord.xy
            && iChannelResolution[0] == iResolution;
          fragColor = vec4((fragCoord - 0.5) / 255.0, same ? 1.0 : 0.0, 0.0);
        }
        // iChannel0
        """.replacing(
          "// iChannel0", with: "vec4 unused() { return texture(iChannel0, vec2(0)); }"),
        policy: policy)
      expect(places[0]) { ($0, Self.height - 1 - $1, 255) }
      // The Image pass is opaque whatever alpha it writes.
      #expect(places[0].bytes[3] == 255)
      let moved = try render(
        """
        vec4 at(sampler2D picture, vec2 p) { return texture(picture, p / iResolution.xy); }
        void mainImage(out vec4 c, in vec2 p) {
          c = p.x < 9.0 ? at(iChannel0, p + vec2(1.0, 0.0)) : texelFetch(iChannel0, ivec2(p) + ivec2(1, 0), 0);
        }
        """, policy: policy)
      expect(moved[0]) { pixel(Self.picture, min($0 + 1, Self.width - 1), $1) }
    }

    @Test("Time, frame index and date are the effect's")
    func values() throws {
      let made = try render(
        """
        void mainImage(out vec4 c, in vec2 p) {
          bool dated = iDate == vec4(1970.0, 0.0, 1.0, iTime) && iMouse == vec4(0.0)
            && iChannelTime[2] == iTime && iGlobalTime == iTime;
          c = vec4(iTime, float(iFrame), dated ? iTimeDelta * 100.0 : 255.0, 255.0) / 255.0;
          c.r *= 10.0;
          texture(iChannel0, p);
        }
        """, frames: 3)
      for (frame, result) in made.enumerated() {
        expect(result) { _, _ in (frame * 5, frame, frame == 0 ? 0 : 50) }
      }
    }

    @Test("An image in another channel is upright and repeats")
    func pictures() throws {
      let made = try render(
        """
        void mainImage(out vec4 c, in vec2 p) {
          c = texture(iChannel1, (p - vec2(5.0, 3.0)) / vec2(textureSize(iChannel1, 0)));
          texture(iChannel0, p);
        }
        """, use: ":iChannel1=card.png")
      expect(made[0]) { x, y in
        pixel(Self.card, x % 5, 2 - (Self.height - 1 - y) % 3)
      }
    }

    @Test("textureOffset reads the right pixel, with and without repetition")
    func offsets() throws {
      let made = try render(
        """
        void mainImage(out vec4 c, in vec2 p) {
          c = p.x < 9.0 ? textureOffset(iChannel1, p / vec2(5.0, 3.0), ivec2(2, -1))
            : textureOffset(iChannel0, p / iResolution.xy, ivec2(2, -1));
        }
        """, use: ":iChannel1=card.png")
      expect(made[0]) { x, y in
        let up = Self.height - 1 - y
        return x < 9
          ? pixel(Self.card, (x + 2) % 5, 2 - (up + 2) % 3)
          : pixel(Self.picture, min(x + 2, Self.width - 1), min(y + 1, Self.height - 1))
      }
    }

    private static let fetch = "texelFetch(iChannel1, ivec2(p) % ivec2(5, 3), 0)"

    private func export(_ passes: [(String, String, String)], common: String = "") -> String {
      let list = passes.map { name, code, inputs in
        let type = name == "Image" ? "image" : "buffer"
        return #"""
          {"name": "\#(name)", "type": "\#(type)", "inputs": [\#(inputs)],
            "outputs": [{"id": "\#(name)", "channel": 0}],
            "code": "void mainImage(out vec4 c, in vec2 p) { \#(code) }"}
          """#
      }
      return #"{"renderpass": [\#(list.joined(separator: ", ")), "#
        + #"{"name": "Common", "type": "common", "code": "\#(common)"}]}"#
    }

    private func input(_ channel: Int, _ id: String, _ more: String = "") -> String {
      #"{"channel": \#(channel), "id": "\#(id)", "ctype": "buffer", "sampler": {\#(more)}}"#
    }

    @Test(
      "Buffers run from A on, keep their contents, and see later buffers one frame late",
      arguments: FusionPolicy.all)
    func buffers(policy: FusionPolicy) throws {
      let made = try render(
        export(
          [
            (
              "Image",
              """
              vec4 a = texelFetch(iChannel1, ivec2(p), 0); vec4 b = texelFetch(iChannel2, ivec2(p), 0);
              c = vec4(a.r, b.r, a.g, 0.0) / N;
              """.replacing("\n", with: " "),
              input(1, "Buf A") + "," + input(2, "Buffer B")
            ),
            // Reads the result of Buffer A for the same frame.
            ("Buffer B", "c = texelFetch(iChannel0, ivec2(p), 0) * 10.0;", input(0, "Buf A")),
            (
              "Buf A",
              "c = vec4(texelFetch(iChannel0, ivec2(p), 0).r + 1.0, "
                + "texelFetch(iChannel1, ivec2(p), 0).r, 0.0, -5.0);",
              input(0, "Buf A") + "," + input(1, "Buffer B")
            ),
          ], common: "const float N = 255.0;"), as: "a.json", frames: 4, policy: policy)
      for (frame, result) in made.enumerated() {
        expect(result) { _, _ in (frame + 1, (frame + 1) * 10, frame * 10) }
      }
    }

    @Test(
      "Channels are read with the filter and wrap mode of their samplers",
      arguments: [
        (#""filter": "nearest", "wrap": "clamp""#, false, false),
        (#""filter": "nearest", "wrap": "repeat""#, false, true),
        (#""filter": "linear", "wrap": "repeat""#, true, true),
        (#""filter": "linear", "wrap": "clamp""#, true, false),
      ])
    func samplers(sampler: String, isLinear: Bool, repeats: Bool) throws {
      let made = try render(
        export([
          (
            "Image",
            "c = texture(iChannel1, (p + vec2(\(isLinear ? 5.5 : 5.75), 0.0)) / iResolution.xy);",
            input(1, "Buffer A", sampler)
          ),
          (
            "Buffer A", "c = texelFetch(iChannel0, ivec2(p), 0);",
            #"{"channel": 0, "id": 9, "ctype": "webcam"}"#
          ),
        ]), as: "a.json")
      expect(made[0]) { x, y in
        func column(_ x: Int) -> Int { repeats ? x % Self.width : min(x, Self.width - 1) }
        let left = pixel(Self.picture, column(x + 5), y)
        let right = pixel(Self.picture, column(x + 6), y)
        // Half a pixel right of a pixel's centre both pixels count equally; further right, the nearest
        // is the next one.
        guard isLinear else { return right }
        return ((left.0 + right.0) / 2, (left.1 + right.1) / 2, (left.2 + right.2) / 2)
      }
    }

    @Test("An export's image is found beside it, and flipped if the export says so")
    func textures() throws {
      func texture(_ flip: String) -> String {
        export([
          (
            "Image",
            "c = \(Self.fetch) + 0.0 * texture(iChannel0, p);",
            """
            {"channel": 1, "id": 3, "ctype": "texture", "src": "/media/a/card.png",
              "sampler": {"vflip": "\(flip)"}}
            """
          )
        ])
      }
      for (flip, isUpright) in [("true", true), ("false", false)] {
        let made = try render(texture(flip), as: "a.json")
        expect(made[0]) { x, y in
          let row = (Self.height - 1 - y) % 3
          return pixel(Self.card, x % 5, isUpright ? 2 - row : row)
        }
      }
    }

    @Test("Audio has two rows, the spectrum and the waveform, however it is read")
    func audio() throws {
      let made = try render(
        export([
          (
            "Image",
            """
            bool sized = textureSize(iChannel1, 0) == ivec2(512, 2) && iChannelResolution[1].xy == vec2(512.0, 2.0);
            vec2 low = vec2(texelFetch(iChannel1, ivec2(7, 0), 0).r, texture(iChannel1, vec2(0.5, 0.25)).r);
            vec2 high = vec2(texelFetch(iChannel1, ivec2(7, 1), 0).r, texture(iChannel1, vec2(0.5, 0.75)).r);
            c = vec4(low.x + low.y, 0.5 * (high.x + high.y), sized ? 1.0 : 0.0, 1.0);
            """.replacing("\n", with: " "),
            #"{"channel": 1, "id": 3, "ctype": "music", "src": "/media/a/x.mp3"}"#
          )
        ]), as: "a.json")
      // What silence gives.
      expect(made[0]) { _, _ in (0, 128, 255) }
    }

    @Test("A transition goes from the frame to the other image")
    func transition() throws {
      let made = try render(
        """
        uniform vec2 from_; // = vec2(0.0, 0.0)
        uniform ivec2 size; // = ivec2(19, 7)
        vec4 transition(vec2 uv) {
          bool right = size == ivec2(19, 7) && abs(ratio - 19.0 / 7.0) < 1e-5;
          return right ? mix(getFromColor(uv + from_), getToColor(vec2(0.1, 0.9)), progress) : vec4(0.0);
        }
        """, as: "a.glsl", use: ":endImage=card.png,progress=0.5")
      let (r, g, b) = pixel(Self.card, 0, 0)
      expect(made[0]) { x, y in
        let own = pixel(Self.picture, x, y)
        return ((own.0 + r) / 2, (own.1 + g) / 2, (own.2 + b) / 2)
      }
    }
  }
}
