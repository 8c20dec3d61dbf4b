import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of the text of automations.
@Suite struct AutomationTests {
  private let effects: [EffectInstance]

  init() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      /*{"INPUTS": [{"NAME": "amount", "TYPE": "float", "MIN": -1e30, "MAX": 1e30},
        {"NAME": "tint", "TYPE": "color"}, {"NAME": "flash", "TYPE": "event"},
        {"NAME": "on", "TYPE": "bool"}]}*/
      vec4 effect(vec2 uv) { return on && flash ? tint : vec4(amount); }
      """)
    effects = [
      try folder.library.compile(
        EffectSpec(parsing: "a"), with: ShaderCompiler(), isSteered: true)
    ]
  }

  private let head = "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"a\"]}\n"

  private func read(_ text: String) throws(AutomationError) -> [Automation.Cue] {
    try Automation(parsing: Array(text.utf8), name: "x", effects: effects).cues
  }

  private func cue(
    _ time: Rational, _ name: String, _ value: [Double], glide: Rational = .zero
  ) -> Automation.Cue {
    Automation.Cue(
      time: time,
      change: ParameterChange(effect: 0, parameter: name, value: value, glide: glide))
  }

  @Test("What is written is read again, exactly")
  func round() throws {
    let cues = [
      cue(.zero, "mix", [0]), cue(Rational(1001, 30000), "amount", [0.1], glide: Rational(1, 5)),
      cue(Rational(1001, 30000), "amount", [-0.0]), cue(.one, "amount", [1e-30]),
      cue(Rational(2), "tint", [1, 1.0 / 3, 0, 1]), cue(Rational(3), "flash", [1]),
    ]
    #expect(Automation.head(effects) == head)
    let text = head + cues.map { $0.line() }.joined()
    let read = try read(text)
    #expect(read == cues)
    #expect(
      read.flatMap { $0.change.value.map(\.bitPattern) }
        == cues.flatMap { $0.change.value.map(\.bitPattern) })
    #expect(
      cues[1].line()
        == "{\"time\":\"1001/30000\",\"effect\":1,\"parameter\":\"amount\",\"value\":[0.1],\"glide\":\"1/5\"}\n"
    )
  }

  @Test("A person may write values as typed, times as numbers, and lines in any order")
  func byHand() throws {
    let text = """
      \u{feff}{"format": "kfrec-automation", "version": 1, "effects": ["a"]}\r

      {"time": 2.5, "effect": 1, "parameter": "tint", "value": "00ff00"}\r
        {"time": "00:00:02", "effect": 1, "parameter": "flash"}
      {"time": 0.04, "effect": 1, "parameter": "amount", "value": 3, "glide": 0.2}
      {"time": "1/25", "effect": 1, "parameter": "on", "value": true}
      """
    #expect(
      try read(text) == [
        cue(Rational(1, 25), "amount", [3], glide: Rational(1, 5)), cue(Rational(1, 25), "on", [1]),
        cue(Rational(2), "flash", [1]), cue(Rational(5, 2), "tint", [0, 1, 0, 1]),
      ])
  }

  @Test(
    "A wrong first line is a sentence with its place",
    arguments: [
      ("", "x is empty"), ("\n\n", "x is empty"),
      ("hello\n", "x:1: byte 1: 'hello' is not a value"),
      ("{}\n", "x:1: this is no automation"),
      ("{\"format\":\"kfrec-automation\"}\n", "x:1: the first line has no \"version\""),
      (
        "{\"format\":\"kfrec-automation\",\"version\":2,\"new\":1}\n",
        "x:1: the automation is of version 2, and this kfrec reads version 1"
      ),
      (
        "{\"format\":\"kfrec-automation\",\"version\":1,\"effects\":[\"b\",\"a\"]}\n",
        "x:1: the automation is for b, a, and the effects are a"
      ),
      (
        "{\"format\":\"kfrec-automation\",\"version\":1,\"efects\":[]}\n",
        "x:1: unknown key \"efects\"; did you mean 'effects'?"
      ),
    ])
  func wrongHead(text: String, message: String) {
    let error = #expect(throws: AutomationError.self) { try read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A wrong line is a sentence with its number",
    arguments: [
      ("[1]", "the line is an array, not an object { }"),
      ("{\"time\":1}", "there is no \"effect\", the number of the effect from 1 on"),
      ("{\"time\":1,\"effect\":2,\"parameter\":\"amount\"}", "there is no effect 2 among 1"),
      ("{\"effect\":1,\"parameter\":\"amount\"}", "there is no \"time\""),
      ("{\"time\":1,\"effect\":1}", "there is no \"parameter\", the name of one"),
      (
        "{\"time\":1,\"effect\":1,\"parameter\":\"amout\",\"value\":1}",
        "effect 'a' has no parameter 'amout'; did you mean 'amount'?"
      ),
      (
        "{\"time\":-1,\"effect\":1,\"parameter\":\"amount\",\"value\":1}",
        "\"time\" must be seconds such as 2.5, \"1001/30000\" or \"00:01:30.25\""
      ),
      (
        "{\"time\":\"1/0\",\"effect\":1,\"parameter\":\"amount\",\"value\":1}",
        "\"time\" must be seconds such as 2.5, \"1001/30000\" or \"00:01:30.25\""
      ),
      (
        "{\"time\":1,\"effect\":1,\"parameter\":\"amount\",\"value\":[1,2]}",
        "effect 'a': amount must be a number from -1e+30 to 1e+30, not '1/2'"
      ),
      (
        "{\"time\":1,\"effect\":1,\"parameter\":\"amount\",\"value\":null}",
        "\"value\" is a number, a list of numbers or a text"
      ),
      (
        "{\"time\":1,\"effect\":1,\"parameter\":\"amount\",\"valu\":1}",
        "unknown key \"valu\"; did you mean 'value'?"
      ),
    ])
  func wrongLine(line: String, message: String) {
    #expect(throws: AutomationError("x:2: \(message)")) { try read(head + line + "\n") }
  }

  @Test("A last line that was cut off says so, and bytes that are no text name their line")
  func damaged() {
    let cut = head + cue(.one, "amount", [1]).line() + "{\"time\":\"2\",\"eff"
    let error = #expect(throws: AutomationError.self) { try read(cut) }
    #expect(error?.description.hasPrefix("x:3: byte") == true)
    #expect(error?.description.contains("may have been cut off") == true)
    #expect(throws: AutomationError("x:2: the line is not UTF-8")) {
      _ = try Automation(
        parsing: Array(head.utf8) + [0xff, 0x0a], name: "x", effects: effects)
    }
  }
}
