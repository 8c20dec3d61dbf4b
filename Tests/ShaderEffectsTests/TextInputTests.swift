import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// The words of text inputs and their headers.
@Suite struct TextInputTests {
  private func words(_ text: String, _ clock: EffectClock) throws -> String {
    try TextTemplate(text, subject: "x").text(at: clock)
  }

  @Test("a place shows the frame's own time, number, date and name")
  func places() throws {
    var clock = EffectClock(
      time: Rational(37_234_567, 10_000), timeDelta: .zero, frameIndex: 42, frameRate: Rational(25),
      creationTime: Rational(1_709_251_198))
    clock.sourceName = "a.mp4"
    #expect(try words("{time} {frame}|{name}", clock) == "01:02:03.456 42|a.mp4")
    #expect(try words("{timecode}", clock) == "01:02:03:11")
    clock.time = Rational(2)
    #expect(try words("{date} {clock}", clock) == "2024-03-01 00:00:00")
    clock.sourceTime = Rational(1)
    #expect(try words("{date} {clock} {time}", clock) == "2024-02-29 23:59:59 00:00:02.000")
    #expect(try words("a\\nb {{frame} c}\\\\", clock) == "a\nb {frame} c}\\\\")
  }

  @Test("time code counts each frame once, also at rates that are no whole numbers")
  func timecode() throws {
    let rate = Rational(30000, 1001)
    for frame in [0, 29, 30, 1799, 1800, 107_892] {
      let clock = EffectClock(
        time: Rational(Int64(frame)) / rate, timeDelta: .zero, frameIndex: 0, frameRate: rate,
        creationTime: nil)
      let parts = try words("{timecode}", clock).split(separator: ":").compactMap { Int($0) }
      #expect(((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 30 + parts[3] == frame)
    }
  }

  @Test(
    "a place that is not known is refused with the list of those that are",
    arguments: ["{x}", "{", "a {time"])
  func unknown(_ text: String) throws {
    let error = #expect(throws: EffectError.self) { try words(text, clock(.zero)) }
    #expect(error?.isUsageError == true)
    #expect(error?.description.contains("{timecode}") == true, "\(String(describing: error))")
  }

  @Test(
    "a header with a wrong text input is refused",
    arguments: [
      (#"{"NAME": "t", "TYPE": "text"}"#, "needs SIZE"),
      (#"{"NAME": "t", "TYPE": "text", "SIZE": "big"}"#, "big"),
      (#"{"NAME": "t", "TYPE": "text", "SIZE": 10, "MIN": 1}"#, "has no MIN"),
      (#"{"NAME": "t", "TYPE": "float", "SIZE": 10}"#, "has no SIZE"),
      (#"{"NAME": "t", "TYPE": "font", "DEFAULT": 3}"#, "must be a string"),
    ])
  func headers(_ input: String, _ message: String) throws {
    let error = #expect(throws: EffectError.self) {
      try EffectFile(
        path: "a.comp",
        source: "/*{\"INPUTS\": [\(input)]}*/ vec4 effect(vec2 uv) { return vec4(uv, 0, 1); }")
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("what decides how words are drawn takes keyframes and no formula")
  func sizes() throws {
    let folder = try EffectFolder()
    try folder.write(
      "t.comp",
      """
      /*{"INPUTS": [{"NAME": "size", "TYPE": "float"},
        {"NAME": "words", "TYPE": "text", "DEFAULT": "a", "SIZE": "size * HEIGHT"}]}*/
      vec4 effect(vec2 uv) { return words(uv) * size; }
      """)
    let compiler = try ShaderCompiler()
    _ = try folder.library.compile(EffectSpec(parsing: "t:size=0.1@0..0.2@1"), with: compiler)
    #expect(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "t:size=time/9"), with: compiler)
    }
    #expect(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: "t:words={no}"), with: compiler)
    }
  }
}
