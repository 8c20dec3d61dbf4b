import Frames

@testable import ShaderEffects

/// Files of effects in every language, and what belongs to effects: tables, golden cases, formulas.
let effectTargets: [FuzzTarget] = [
  language("effect-native", "fuzz.comp"),
  language("effect-isf", "fuzz.fs"),
  language("effect-frag", "fuzz.frag"),
  language("effect-glsl", "fuzz.glsl"),
  language("effect-shadertoy-json", "fuzz.json"),
  FuzzTarget(name: "cube") { bytes in _ = try? CubeTable(bytes, name: "fuzz.cube") },
  .file("golden-cases", "fuzz.golden.json") { path in _ = try GoldenFile(path: path) },
  .text("expression") { text in
    let expression = try Expression(text, slots: ParameterFormula.slots)
    for value in [0, 0.5, -1, 1e300, .nan] {
      let variables = [Double](repeating: value, count: ParameterFormula.slots.count)
      variables.withUnsafeBufferPointer { _ = expression.evaluate($0) }
    }
  },
  .text("text-template") { text in
    _ = try TextTemplate(text, subject: "fuzz").text(at: clock(1.25))
  },
  .text("json") { text in _ = try LocatedJSONParser.parse(text) },
]

/// Reads an effect as the library does, with a vertex shader behind a zero byte, and translates it.
private func language(_ name: String, _ path: String) -> FuzzTarget {
  .text(name) { text in
    let parts = text.split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
    let companion = parts.count > 1 ? (path: "fuzz.vs", source: String(parts[1])) : nil
    let file = try EffectFile(path: path, source: String(parts[0]), companion: companion)
    _ = try file.program.glsl(path: path)
  }
}

/// The clock of a frame at some seconds.
func clock(_ seconds: Double) -> EffectClock {
  EffectClock(
    time: Rational(seconds: seconds), timeDelta: Rational(1, 30), frameIndex: 37,
    frameRate: Rational(30),
    creationTime: nil)
}
