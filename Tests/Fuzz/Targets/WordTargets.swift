import Frames

@testable import ShaderEffects
@testable import kfrec

/// What people type: effects with their values, and options.
let wordTargets: [FuzzTarget] = [
  .text("effect-words") { text in
    var use = try EffectSpec(parsing: text)
    let tracks = try ParameterValues.resolve(use, for: everyInput)
    for (input, track) in zip(everyInput.header.inputs, tracks) {
      guard input.imageRole == nil, input.kind != .font else { continue }
      for time in [-1, 0, 0.5, 3.7, 1e9] {
        let clock = clock(time)
        if input.kind == .event {
          _ = track.fires(at: clock, after: nil)
        } else {
          for part in 0..<input.kind.partCount { _ = track.part(part, at: clock) }
        }
      }
      _ = track.isAlways(input.defaultValue)
    }
    use = try EffectSpec(
      parsing: EffectSpec.rewriting(text, name: use.name) { _, value in value })
  },
  .text("options") { text in
    _ = try ArgumentParser.parse(text.split(separator: "\n").map(String.init))
  },
  .file("preset-file", "fuzz.kfpreset") { path in _ = try PresetFile(path) },
  .file("batch-list", "fuzz.list") { path in
    for line in try InputList(path).lines { _ = try? line.settings(Options()) }
  },
  .file("playlist", "fuzz.m3u") { path in _ = try PlayList([path]) },
  .text("timecode") { text in
    for rate in [Rational(25), Rational(30000, 1001), Rational(1, 7)] {
      _ = Timecode(text, frameRate: rate)?.text(ofFrame: 1_234_567)
    }
  },
  .text("image-sequence") { text in
    guard let pattern = SequencePattern(text) else { return }
    _ = pattern.number(in: pattern.path(7))
    _ = pattern.meets(SequencePattern(prefix: "a", suffix: ".png", width: 4))
  },
]

/// An effect with an input of every kind, so that every notation of values has a reader.
let everyInput: EffectFile = {
  let text = """
    /*{ "DESCRIPTION": "Every kind of input", "INPUTS": [
      { "NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1, "DEFAULT": 0.5 },
      { "NAME": "count", "TYPE": "long", "VALUES": [0, 1, 2], "LABELS": ["off", "some", "all"], "DEFAULT": 1 },
      { "NAME": "isOn", "TYPE": "bool", "DEFAULT": true },
      { "NAME": "place", "TYPE": "point2D", "DEFAULT": [0.5, 0.5] },
      { "NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0, 0, 1] },
      { "NAME": "flash", "TYPE": "event" },
      { "NAME": "words", "TYPE": "text", "DEFAULT": "hi", "SIZE": "HEIGHT / 8" },
      { "NAME": "font", "TYPE": "font", "DEFAULT": "DejaVu Sans" },
      { "NAME": "back", "TYPE": "image" } ] }*/
    vec4 effect(vec2 uv) { return flash ? frame(uv) : back(uv); }
    """
  do { return try EffectFile(path: "every.comp", source: text) } catch { fatalError("\(error)") }
}()
