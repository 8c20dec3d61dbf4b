import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct UniformTests {
  @Test("Offsets are those of std140")
  func offsets() {
    let layout = UniformLayout([
      ("a", .float), ("b", .vec2), ("c", .bool), ("d", .vec4), ("e", .int), ("f", .vec2),
    ])
    #expect(layout.fields.map(\.offset) == [0, 8, 16, 32, 48, 56])
    #expect(layout.byteCount == 64)
    #expect(UniformLayout([("a", .float)]).byteCount == 16)
    let builtIns = UniformLayout(EffectNames.builtIns)
    #expect(builtIns.fields.map(\.offset) == [0, 4, 8, 12, 16, 32, 48, 52, 56, 60, 64])
  }

  @Test("Every built-in, input and constant is where the shader reads it")
  func values() throws {
    let folder = try EffectFolder()
    try folder.write(
      "all.comp",
      """
      /*{"INPUTS": [
        {"NAME": "on", "TYPE": "bool", "DEFAULT": false},
        {"NAME": "mode", "TYPE": "long", "VALUES": [3, 7], "LABELS": ["Soft", "Hard"]},
        {"NAME": "spot", "TYPE": "point2D", "MIN": [-1, -1], "MAX": [1, 1]},
        {"NAME": "tint", "TYPE": "color"}],
        "CONSTANTS": [
          {"NAME": "sum", "VALUE": "spot.x + 10*spot.y + 100*tint.g + 1000*on + mode"},
          {"NAME": "late", "TYPE": "int", "VALUE": "sum * 1e9"},
          {"NAME": "above", "VALUE": "late + WIDTH + HEIGHT + FRAMEINDEX"}]
      }*/
      vec4 effect(vec2 uv) {
        return on ? tint * sum : vec4(spot, float(mode), float(late) + above);
      }
      """)
    let effect = try folder.library.compile(
      EffectSpec(parsing: "all:on=true,mode=hard,spot=0.5/-1,tint=00ff00,mix=0.5"),
      with: ShaderCompiler())
    #expect(effect.warnings == [])
    var moment = clock(Rational(3, 2), frameIndex: 7)
    // 2024-02-29 23:59:59 UTC, so that effect time crosses midnight.
    moment.creationTime = Rational(1_709_251_199)
    let bytes = effect.uniforms(moment, width: 64, height: 48)
    func float(_ name: String, _ part: Int = 0) throws -> Float {
      try effect.value(of: name, Float.self, part: part, in: bytes)
    }
    #expect(try float("TIME") == 1.5 && float("TIMEDELTA") == Float(1.0 / 30))
    #expect(try float("RENDERSIZE") == 64 && float("RENDERSIZE", 1) == 48)
    #expect(try float("FRAMERATE") == 30 && float("kf_mix") == 0.5)
    #expect(try (0..<4).map { try float("DATE", $0) } == [2024, 3, 1, 0.5])
    #expect(try effect.value(of: "FRAMEINDEX", Int32.self, in: bytes) == 7)
    #expect(try effect.value(of: "on", UInt32.self, in: bytes) == 1)
    #expect(try effect.value(of: "mode", Int32.self, in: bytes) == 7)
    #expect(try float("spot") == 0.5 && float("spot", 1) == -1)
    #expect(try (0..<4).map { try float("tint", $0) } == [0, 1, 0, 1])
    #expect(try float("sum") == 0.5 - 10 + 100 + 1000 + 7)
    #expect(try effect.value(of: "late", Int32.self, in: bytes) == .max)
    #expect(try float("above") == Float(Double(Int32.max) + 64 + 48 + 7))
  }

  @Test("An effect acts from its start until before its end, unless its mix is 0")
  func activity() throws {
    let folder = try EffectFolder()
    try folder.write("a.comp", "vec4 effect(vec2 uv) { return frame(uv); }")
    let compiler = try ShaderCompiler()
    func active(_ words: String, _ time: Rational) throws -> Bool {
      try folder.library.compile(EffectSpec(parsing: words), with: compiler)
        .isActive(at: clock(time))
    }
    #expect(try active("a", .zero) && !active("a:mix=0", .zero))
    #expect(try !active("a:from=1", Rational(999, 1000)) && active("a:from=1", .one))
    #expect(try active("a:to=1", Rational(999, 1000)) && !active("a:to=1", .one))
  }

  @Test(
    "Days become dates of the Gregorian calendar",
    arguments: [
      (0, [1970, 1, 1]), (-1, [1969, 12, 31]), (11_016, [2000, 2, 29]), (11_017, [2000, 3, 1]),
      (-25_509, [1900, 2, 28]), (-25_508, [1900, 3, 1]), (2_932_896, [9999, 12, 31]),
    ] as [(Int64, [Int64])])
  func dates(day: Int64, expected: [Int64]) {
    let date = EffectClock.civil(day: day)
    #expect([date.year, date.month, date.day] == expected)
  }
}
