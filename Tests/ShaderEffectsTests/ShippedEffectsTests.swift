import Foundation
import GPU
import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// The `Effects` folder of this checkout.
let shippedFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Effects").path

func clock(_ time: Rational, frameIndex: Int = 0) -> EffectClock {
  EffectClock(
    time: time, timeDelta: Rational(1, 30), frameIndex: frameIndex, frameRate: Rational(30),
    creationTime: nil)
}

extension EffectInstance {
  /// Returns the uniform block of one frame.
  func uniforms(_ clock: EffectClock, width: Int, height: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: uniformByteCount)
    bytes.withUnsafeMutableBytes {
      writeUniforms(clock, width: width, height: height, into: $0)
    }
    return bytes
  }

  func value<T>(of name: String, _ type: T.Type, part: Int = 0, in bytes: [UInt8]) throws -> T {
    let field = try #require(layout.fields.first { $0.name == name })
    return bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: field.offset + 4 * part, as: type)
    }
  }
}

@Suite struct ShippedEffectsTests {
  let library = EffectLibrary(
    folders: [shippedFolder],
    searchPath: EffectSearchPath(
      given: [shippedFolder], environment: { _ in nil }, executable: nil))

  @Test("Every effect in Effects/ compiles with its defaults and without a warning")
  func compileAll() throws {
    let compiler = try ShaderCompiler()
    let all = try library.descriptions()
    #expect(try all.map(\.name) == Self.listed())
    var (ownMain, perPixel, alone): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    for effect in all {
      #expect(effect.problem == nil)
      #expect(!effect.description.isEmpty && !effect.categories.isEmpty)
      #expect(effect.inputs.allSatisfy { !$0.description.isEmpty })
      let compiled = try library.compile(EffectSpec(parsing: effect.name), with: compiler)
      #expect(compiled.warnings == [])
      // Pictures of every shape.
      for (width, height) in [(1920, 40), (1280, 28), (64, 1), (1, 64)] {
        #expect(throws: Never.self, "\(effect.name) at \(width)x\(height)") {
          _ = try PassPlan(
            compiled.shader, values: compiled.values, width: width, height: height,
            storage: .buffers)
        }
      }
      if compiled.traits.hasOwnMain { ownMain.insert(effect.name) }
      if compiled.traits.isPerPixel { perPixel.insert(effect.name) }
      if compiled.traits.isAlone { alone.insert(effect.name) }
    }
    #expect(ownMain == Self.ownMain)
    #expect(perPixel == Self.perPixel, "\(perPixel.symmetricDifference(Self.perPixel).sorted())")
    #expect(alone == Self.alone, "\(alone.symmetricDifference(Self.alone).sorted())")
  }

  private static let ownMain: Set<String> = [
    "pixelSort"
  ]

  @Test("With keyframes a size is its maximum over time, also between keyframes")
  func keyframedSize() throws {
    let compiler = try ShaderCompiler()
    func plan(_ use: String) throws -> PassPlan {
      try library.compile(EffectSpec(parsing: use), with: compiler)
        .passPlan(width: 960, height: 720, storage: .images)
    }
    #expect(try plan("frameDelay:frames=1@0..4@1..2@2").ring?.layers == 5)
    // An amount of 0.09 takes cells of 26 pixels, with one more at each side; on the way there are cells of 2, and before
    // them pixels.
    let blur = try plan("gaussianBlur:amount=0@0..0.09@1")
    #expect(blur.size(of: 0) == (960, 720))
    #expect(blur.size(of: 4) == (482, 362))
    let wide = try plan("gaussianBlur:amount=0.09")
    #expect(wide.size(of: 0) == (1, 1) && wide.size(of: 6) == (39, 30))
  }

  /// The shipped effects with passes or with previous frames.
  private static let alone: Set<String> = [
    "anamorphic", "ascii", "audioSpectrum", "beatPulse", "blend", "bloom", "boxBlur", "cartoon",
    "chromaKey", "crt",
    "datamosh", "denoise", "directionalBlur", "dither", "echo", "film", "frameDelay",
    "gaussianBlur", "godRays", "halftone", "kuwahara", "lensFlare", "letterbox", "lightLeaks",
    "motion", "motionBlur", "ntsc", "pixelate", "pixelSort", "sharpen", "skinSmooth", "stabilise",
    "stabiliseAhead", "tiltShift", "timeSlit", "vhs", "waveform", "zoom", "zoomBlur",
  ]

  private static let perPixel: Set<String> = [
    "blackAndWhite", "colorAdjust", "colorReplace", "crossfade", "curves", "dipToBlack",
    "duotone", "filmGrain", "hueShift", "invert", "iris", "lut", "nightVision", "overlay",
    "posterize", "sepia", "text", "thermal", "vignette", "wipe",
  ]

  /// Returns the names in the table of shipped effects in Effects/README.md.
  private static func listed() throws -> [String] {
    let text = try String(contentsOfFile: "\(shippedFolder)/README.md", encoding: .utf8)
    let table = try #require(text.range(of: "## Effects that come with kfrec\n")).upperBound
    let end = try #require(text.range(of: "\n## ", range: table..<text.endIndex)).lowerBound
    return text[table..<end].split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
  }

  @Test("The example of Effects/README.md compiles, and its header key table is complete")
  func readme() throws {
    let text = try String(contentsOfFile: "\(shippedFolder)/README.md", encoding: .utf8)
    let start = try #require(text.range(of: "```glsl\n")).upperBound
    let end = try #require(text.range(of: "```", range: start..<text.endIndex)).lowerBound
    let folder = try EffectFolder()
    try folder.write("mine.comp", String(text[start..<end]))
    let effect = try folder.library.compile(
      EffectSpec(parsing: "mine:amount=1"), with: ShaderCompiler())
    #expect(effect.warnings == [])
    for name in EffectHeader.keys + EffectNames.builtIns.map(\.name) where !name.hasPrefix("kf_") {
      #expect(text.contains("`\(name)`") || text.contains(" \(name)`"))
    }
    for function in ExpressionFunction.named { #expect(text.contains(function.rawValue)) }
  }

  @Test(
    "separateRGB's offsets are those of the formula",
    arguments: [
      Rational(0), Rational(1, 30), Rational(3, 2), Rational(1001 * 77, 30000), Rational(3600),
      Rational(123_456, 10),
    ])
  func separateRGB(time: Rational) throws {
    let compiler = try ShaderCompiler()
    for (amount, width, height) in [(1.0, 1280, 720), (2.5, 641, 361), (0, 640, 360), (10, 3, 5)] {
      let effect = try library.compile(
        EffectSpec(parsing: "separateRGB:amount=\(amount)"), with: compiler)
      let bytes = effect.uniforms(clock(time), width: width, height: height)
      let t = time.doubleValue * 10
      let x = (referenceNoise(t, 0, 0) * 2 - 1) * 0.025 * amount * Double(width)
      let y = (referenceNoise(t, 1, 0) * 2 - 1) * 0.010 * amount * Double(height)
      #expect(try effect.value(of: "redX", Int32.self, in: bytes) == Int32(x.rounded(.down)))
      #expect(try effect.value(of: "redY", Int32.self, in: bytes) == Int32(y.rounded(.down)))
      #expect(try effect.value(of: "greenX", Int32.self, in: bytes) == Int32((-x).rounded(.down)))
      #expect(try effect.value(of: "greenY", Int32.self, in: bytes) == Int32((-y).rounded(.down)))
    }
  }

  @Test("The tested times move red in both directions on both axes")
  func bothSigns() {
    let times = (0..<100).map { Double($0) / 10 }
    for y in [0.0, 1] {
      let offsets = times.map { referenceNoise($0 * 10 + 0.5, y, 0) * 2 - 1 }
      #expect(offsets.contains { $0 < -0.3 } && offsets.contains { $0 > 0.3 })
    }
  }
}
