import Frames
import GPU
import TestSupport
import Testing

import EffectLab
import Render

extension EffectsOnDevice {
  @Suite("Effects that share a kernel")
  struct SharedKernelTests {
    /// Makes a frame of random colours that 8-bit codes represent well inside the gamut.
    private static func video(_ format: PixelFormat) throws -> (FrameFormat, PixelBuffer) {
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      let frame = FrameFormat(width: 70, height: 46, pixelFormat: format, color: color)
      let layout = BufferLayout(pixelFormat: format, width: 70, height: 46)
      let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
      var pixels = try pool.lease()
      var state: UInt32 = 7
      var span = pixels.span
      for index in 0..<layout.byteCount {
        state = state &* 747_796_405 &+ 2_891_336_453
        span.storeBytes(of: UInt8(100 + state >> 26), toByteOffset: index, as: UInt8.self)
      }
      return (frame, pixels.freeze())
    }

    /// Returns the samples of all planes without row padding.
    private static func codes(_ pixels: PixelBuffer, _ format: FrameFormat) -> [UInt8] {
      var codes: [UInt8] = []
      for (index, plane) in format.pixelFormat.layout.planes.enumerated() {
        let bytes = pixels.bytes(ofPlane: index)
        for row in 0..<plane.height(format.height) {
          for column in 0..<plane.width(format.width) * plane.bytesPerTexel {
            codes.append(
              bytes.unsafeLoad(
                fromByteOffset: row * pixels.planes[index].stride + column, as: UInt8.self))
          }
        }
      }
      return codes
    }

    private static let fastRules = [
      FusionPolicy(storage: .images, packsWords: false, fuses: true),
      FusionPolicy(storage: .buffers, packsWords: false, fuses: true),
      FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
    ]

    @Test(
      "The fast policies give the codes of the plain policy, to within one",
      arguments: [
        ["separateRGB:amount=3"], ["vignette"],
        ["separateRGB", "vignette", "vignette:tint=ff0000"],
        ["boxBlur:amount=0.05", "vignette"], ["gaussianBlur:amount=0.09,mix=0.5", "vignette"],
        ["vignette", "echo:trails=all"], ["timeSlit:frames=2", "motion"],
        ["vignette:mix=0.5", "separateRGB:mix=0.25", "vignette"],
        ["echo", "vignette:mix=0.5", "vignette"], ["bloom:mix=0.5", "vignette"], ["motion"],
        ["frameDelay:frames=1,apart=true", "vignette", "echo"],
      ], [PixelFormat.yuv420p, .nv12, .yuv444p, .yuyv422])
    func agree(effects: [String], format: PixelFormat) throws {
      let (frame, pixels) = try Self.video(format)
      let times = [Rational(0), Rational(3, 2), Rational(7, 3)]
      func render(_ policy: FusionPolicy) throws -> [[UInt8]] {
        let sink = FrameFormat(
          width: frame.width, height: frame.height,
          pixelFormat: format == .yuv444p ? .yuv444p : .yuv420p, color: frame.color)
        return try EffectRenderer.render(
          format: frame, pixels: pixels, effects, times: times, sink: sink, policy: policy
        ).map { Self.codes($0, sink) }
      }
      let plain = try render(.plain)
      for policy in Self.fastRules {
        let fast = try render(policy)
        for (a, b) in zip(plain, fast) {
          #expect(a.count == b.count)
          let worst = zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
          #expect(worst <= 1, "\(policy)")
        }
      }
    }

    @Test(
      "Earlier frames are the same wherever they are kept",
      arguments: [
        ["frameDelay:frames=2"], ["frameDelay:frames=3,apart=true,mix=0.75", "vignette"],
        ["frameDelay:frames=3,from=0.5"], ["vignette", "frameDelay:frames=2", "vignette"],
        ["timeSlit:frames=4"], ["motion", "frameDelay:frames=2"],
      ], [PixelFormat.yuv420p, .nv12])
    func earlier(effects: [String], format: PixelFormat) throws {
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      let frame = FrameFormat(width: 38, height: 22, pixelFormat: format, color: color)
      let sink = FrameFormat(width: 38, height: 22, pixelFormat: .yuv420p, color: color)
      let layout = BufferLayout(pixelFormat: format, width: 38, height: 22)
      let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: layout.byteCount) }
      // Many more frames than are kept, each with its own grey and a gradient.
      let frames = try (0..<17).map { index in
        var pixels = try pool.lease()
        var span = pixels.span
        for offset in 0..<layout.byteCount {
          span.storeBytes(
            of: UInt8(110 + (index * 7 + offset) % 32), toByteOffset: offset, as: UInt8.self)
        }
        return pixels.freeze()
      }
      let times = frames.indices.map { Rational(Int64($0), 8) }
      func render(_ policy: FusionPolicy) throws -> [[UInt8]] {
        try EffectRenderer.render(
          format: frame, frames: frames, effects, times: times, sink: sink, policy: policy
        ).map { Self.codes($0, sink) }
      }
      let plain = try render(.plain)
      for policy in Self.fastRules {
        for (a, b) in zip(plain, try render(policy)) {
          let worst = zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
          #expect(worst <= 1, "\(policy)")
        }
      }
    }

    @Test("Targets of half floats hold light above 1", arguments: fastRules + [.plain])
    func half(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      let effect = """
        /*{"PASSES": [{"TARGET": "light", "HALF": true}, {}]}*/
        vec4 effect(vec2 uv) {
        #if PASSINDEX == 0
          return vec4(framePixel(PIXEL).rgb * 1000.0 - 64.0, 1.0);
        #else
          return vec4((lightPixel(PIXEL).rgb + 64.0) / 1000.0, 1.0);
        #endif
        }
        """
      let path = try folder.write(effect.utf8, to: "half.comp")
      let picture = RGBAImage(width: 16, height: 16) { x, y in
        (UInt8(16 * y + x), UInt8(15 * x), UInt8(15 * y), 255)
      }
      let result = try EffectRenderer.render([picture], [path], times: [.zero], policy: policy)
      expect(result[0], is: picture)
    }

    @Test(
      "A chain of 40 effects exceeds one kernel's bindings, and each effect acts in its order",
      arguments: FusionPolicy.all)
    func many(policy: FusionPolicy) throws {
      let folder = try TemporaryFolder()
      // Half floats hold its results exactly, in any number of kernels; an effect that is lost or out
      // of order shows.
      let effect = """
        /*{"INPUTS": [{"NAME": "kind", "TYPE": "float", "MIN": 0, "MAX": 2}]}*/
        vec4 effect(vec2 uv) {
          vec4 color = framePixel();
          return kind < 0.5 ? color.gbra : kind < 1.5 ? color.grba : color.rbga;
        }
        """
      let path = try folder.write(effect.utf8, to: "turn.comp")
      let kinds = (0..<40).map { ($0 * $0 / 3 + $0 / 7) % 3 }
      let picture = RGBAImage(width: 19, height: 7) { x, y in
        (UInt8(13 * x), UInt8(30 * y + 9), UInt8(5 * x + 20 * y), 255)
      }
      let expected = RGBAImage(width: 19, height: 7) { x, y in
        var c = (0..<3).map { picture.channel($0, x: x, y: y) }
        for kind in kinds {
          switch kind {
          case 0: c = [c[1], c[2], c[0]]
          case 1: c = [c[1], c[0], c[2]]
          default: c = [c[0], c[2], c[1]]
          }
        }
        return (c[0], c[1], c[2], 255)
      }
      let result = try EffectRenderer.render(
        [picture], kinds.map { "\(path):kind=\($0)" }, times: [.zero], policy: policy)
      expect(result[0], is: expected)
    }

    @Test(
      "An effect that reads the frame by way of a macro sees what the effects before it made",
      arguments: [
        "#define SRC frame\nvec4 effect(vec2 uv) { return SRC(uv); }",
        "#define SRC framePixel\nvec4 effect(vec2 uv) { return SRC(PIXEL); }",
        "#define READ(image) image(uv)\nvec4 effect(vec2 uv) { return READ(frame); }",
        "#define SRC frame\nvec4 read(vec2 uv) { return SRC(uv); }\n"
          + "vec4 effect(vec2 uv) { vec2 frame = uv; return read(frame); }",
        """
        /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/
        #define tex inputImage
        vec4 effect(vec2 uv) { return tex(uv); }
        """,
      ])
    func aliases(text: String) throws {
      let folder = try TemporaryFolder()
      let turn = try folder.write(
        "vec4 effect(vec2 uv) { return framePixel().gbra; }".utf8, to: "turn.comp")
      let path = try folder.write(text.utf8, to: "a.comp")
      let picture = RGBAImage.unlike(width: 19, height: 7)
      let expected = RGBAImage(width: 19, height: 7) { x, y in
        let parts = (0..<3).map { picture.channel($0, x: x, y: y) }
        return (parts[1], parts[2], parts[0], 255)
      }
      for policy in FusionPolicy.all {
        let made = try EffectRenderer.render(picture, [turn, path], times: [.zero], policy: policy)
        expect(made[0], is: expected, "\(policy)")
      }
    }

    @Test("No effect of the program needs a kernel of its own because of the names behind it")
    func together() throws {
      let (frame, _) = try Self.video(.yuv420p)
      for name in try EffectRenderer.effectNames() {
        let pipeline = try EffectRenderer.pipeline(format: frame, ["vignette", name])
        let refusals = pipeline.steps.filter { $0.contains("cannot be compiled together") }
        #expect(refusals == [])
      }
    }

    @Test("A value may have the name of a component or of a word of a layout, behind any effect")
    func components() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(
        """
        /*{"INPUTS": [{"NAME": "x", "TYPE": "float", "DEFAULT": 0.5},
          {"NAME": "offset", "TYPE": "float", "DEFAULT": 0.25}]}*/
        #define DOT uv.
        #define KIND struct
        float rgb(vec2 a) { return a . x + a.y * 0.0 + offset; }
        struct pair { float x; };
        vec4 effect(vec2 uv) {
          pair p = pair(x);
          // The red of it.
          float r = 0.0; /* x. */ r =
            x;
          return vec4(vec3(rgb(vec2(p.x, r)) - x), 1.0).rgba;
        }
        """.utf8, to: "components.comp")
      let (frame, pixels) = try Self.video(.yuv420p)
      for chain in [[path], ["vignette", path], ["vignette", path, path]] {
        let steps = try EffectRenderer.pipeline(format: frame, chain).steps
        #expect(!steps.contains { $0.contains("cannot be compiled together") }, "\(steps)")
        let codes = try EffectRenderer.render(
          format: frame, pixels: pixels, chain, times: [.zero])
        // A quarter of white, in limited range.
        #expect(Set(Self.codes(codes[0], frame).prefix(70 * 46)).allSatisfy { 70...71 ~= $0 })
      }
    }

    @Test(
      "An effect may use any names and macros, also those that come to mind for kfrec's own code")
    func names() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(
        """
        #define p 3
        #define at missing
        #define block(x) x x
        float least;
        uint words[2];
        uint code(float v) { return uint(v); }
        uint word(float a, float b) { return code(a) + code(b); }
        vec3 toCodes(vec3 v) { return v; }
        vec4 pixelAt(ivec2 c) { return framePixel(c); }
        vec4 sinkAt(ivec2 c) { return pixelAt(c); }
        vec4 effect(vec2 uv) {
          least = 1.0;
          words[0] = word(least, float(p)) - 4u;
          return vec4(toCodes(sinkAt(PIXEL).rgb) + float(words[0]), 1.0);
        }
        """.utf8, to: "names.comp")
      for format in [PixelFormat.yuv420p, .yuv444p, .yuyv422] {
        let (frame, pixels) = try Self.video(format)
        let sink = FrameFormat(
          width: frame.width, height: frame.height,
          pixelFormat: format == .yuv444p ? .yuv444p : .yuv420p, color: frame.color)
        func render(_ effects: [String]) throws -> [UInt8] {
          let policy = FusionPolicy(storage: .buffers, packsWords: true, fuses: true)
          return Self.codes(
            try EffectRenderer.render(
              format: frame, pixels: pixels, effects, times: [.zero], sink: sink, policy: policy)[
                0],
            sink)
        }
        #expect(try render([path]) == render(["vignette:amount=0"]), "\(format)")
      }
    }

    @Test(
      "Variables of an effect have their values again at each pixel, however kernels are shared")
    func variables() throws {
      let folder = try TemporaryFolder()
      let single = try folder.write(
        """
        const float step = 0.25, none = 0.0;
        float[2] start = float[](0.0, 0.25);
        float count = start[1];
        vec4 effect(vec2 uv) { count += step; return vec4(vec3(count), 1.0) + none; }
        """.utf8, to: "single.comp")
      let passes = try folder.write(
        """
        /*{"PASSES": [{"TARGET": "half"}, {}]}*/
        float count = 0.25;
        vec4 effect(vec2 uv) { count += 0.25; return vec4(vec3(PASSINDEX == 0 ? 1.0 : count * halfPixel(PIXEL).r), 1.0); }
        """.replacing("half", with: "first").utf8, to: "passes.comp")
      let macro = try folder.write(
        """
        #define STATE(name, value) \\
          float name = value;
        STATE(count, 0.25)
        vec4 effect(vec2 uv) { count += 0.25; return vec4(vec3(count), 1.0); }
        """.utf8, to: "macro.comp")
      let partly = try folder.write(
        """
        #define SET(name, value) name = value
        float SET(count, 0.25);
        vec4 effect(vec2 uv) { count += 0.25; return vec4(vec3(count), 1.0); }
        """.utf8, to: "partly.comp")
      let (frame, pixels) = try Self.video(.yuv420p)
      for effect in [single, passes, macro, partly] {
        for chain in [[effect], [effect, "vignette:amount=0"], ["vignette:amount=0", effect]] {
          for policy in FusionPolicy.all {
            let result = try EffectRenderer.render(
              format: frame, pixels: pixels, chain, times: [.zero], policy: policy)
            // Half grey, in limited range.
            let codes = Set(Self.codes(result[0], frame).prefix(70 * 46))
            #expect(codes.allSatisfy { 125...126 ~= $0 }, "\(chain) \(policy): \(codes)")
          }
        }
      }
    }
  }
}
