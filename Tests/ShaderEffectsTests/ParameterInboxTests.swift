import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of the inbox through which parameters change.
@Suite struct ParameterInboxTests {
  private let folder: EffectFolder
  private let effects: [EffectInstance]
  private let inbox = ParameterInbox()

  init() throws {
    folder = try EffectFolder()
    let compiler = try ShaderCompiler()
    for (name, other) in [("a", "level"), ("b", "speed")] {
      try folder.write(
        "\(name).comp",
        """
        /*{"INPUTS": [{"NAME": "amount", "TYPE": "float"}, {"NAME": "\(other)", "TYPE": "float"},
          {"NAME": "flash", "TYPE": "event"}]}*/
        vec4 effect(vec2 uv) { return vec4(amount, \(other), flash ? 1.0 : 0.0, 1.0); }
        """)
    }
    effects = try ["a", "b"].map { [folder] name in
      try folder.library.compile(EffectSpec(parsing: name), with: compiler, isSteered: true)
    }
  }

  private var taken: [ParameterChange] {
    var taken: [ParameterChange] = []
    inbox.take { taken.append($0) }
    return taken
  }

  @Test("The newest value for each parameter is handed over, once")
  func newest() throws {
    inbox.open(effects)
    for number in 0..<1000 {
      try inbox.give(.numbers([Double(number) / 1000]), to: "amount", of: .number(2))
    }
    #expect(try inbox.give(.numbers([7]), to: "amount", of: .number(1), clamps: true))
    #expect(try !inbox.give(.text("1"), to: "amount", of: .number(1), glide: Rational(1, 5)))
    #expect(
      taken == [
        ParameterChange(effect: 0, parameter: "amount", value: [1], glide: Rational(1, 5)),
        ParameterChange(effect: 1, parameter: "amount", value: [0.999]),
      ])
    #expect(taken == [])
  }

  @Test("An event that was released before the frame still fires")
  func event() throws {
    inbox.open(effects)
    try inbox.give(.numbers([1]), to: "flash", of: .number(1))
    try inbox.give(.numbers([0]), to: "flash", of: .number(1))
    #expect(taken.map(\.value) == [[1]])
    try inbox.give(.numbers([0]), to: "flash", of: .number(1))
    #expect(taken == [])
  }

  @Test("What waits for an effect goes with it to its new place in the chain, and ends with it")
  func otherPlaces() throws {
    let compiler = try ShaderCompiler()
    let tagged = try ["a", "b", "a"].enumerated().map { [folder] place, name in
      var use = try EffectSpec(parsing: name)
      use.tag = place + 1
      return try folder.library.compile(use, with: compiler, isSteered: true)
    }
    inbox.open(tagged)
    for (tag, value) in [(1, 0.1), (2, 0.2), (3, 0.3)] {
      try inbox.give(.numbers([value]), to: "amount", of: .tag(tag))
    }
    inbox.open([tagged[2], tagged[0]])
    #expect(
      taken == [
        ParameterChange(effect: 0, parameter: "amount", value: [0.3]),
        ParameterChange(effect: 1, parameter: "amount", value: [0.1]),
      ])
    let error = #expect(throws: EffectError.self) {
      try inbox.give(.numbers([1]), to: "amount", of: .tag(2))
    }
    #expect(error?.description.contains("this effect is not in the chain any more") == true)
  }

  @Test("An effect is found by its number, its name, or the parameter")
  func places() throws {
    inbox.open(effects)
    try inbox.give(.text("1"), to: "amount", of: .name("b"))
    try inbox.give(.text("1"), to: "speed", of: .firstWithParameter)
    try inbox.give(.text("0"), to: "mix", of: .firstWithParameter)
    #expect(taken.map { "\($0.effect) \($0.parameter)" } == ["0 mix", "1 amount", "1 speed"])
    for (place, name, message) in [
      (.number(3), "amount", "there is no effect 3; the effects are 1 a, 2 b"),
      (.number(0), "amount", "there is no effect 0; the effects are 1 a, 2 b"),
      (.name("c"), "amount", "no effect is named 'c'; did you mean 'a' or 'b'?"),
      (.name("zoomBlur"), "amount", "no effect is named 'zoomBlur'; the effects are 1 a, 2 b"),
      (
        .firstWithParameter, "sped",
        "no effect has a parameter 'sped'; did you mean 'speed'?"
      ),
    ] as [(EffectPlace, String, String)] {
      #expect(throws: EffectError.usage(message)) {
        try inbox.give(.text("1"), to: name, of: place)
      }
    }
  }

  @Test("The inbox shows the parameters that can change, with their latest values")
  func listing() throws {
    inbox.open(effects)
    #expect(inbox.effects.map(\.name) == ["a", "b"])
    #expect(inbox.effects[1].parameters.map(\.name) == ["amount", "speed", "flash", "mix"])
    #expect(inbox.effects[0].parameters.map(\.value) == [[0.5], [0.5], [0], [1]])
    try inbox.give(.text("0.75"), to: "level", of: .number(1))
    inbox.note(ParameterChange(effect: 0, parameter: "mix", value: [0.25]))
    #expect(inbox.effects[0].parameters.map(\.value) == [[0.5], [0.75], [0], [0.25]])
    let level = inbox.effects[0].parameters[1]
    #expect(level.type == "float" && level.minimum == [0] && level.maximum == [1])
  }

  @Test("A closed inbox refuses values, and what waits is forgotten")
  func closed() throws {
    let early = EffectError.usage("the recording has not begun")
    #expect(throws: early) { try inbox.give(.text("1"), to: "amount", of: .number(1)) }
    inbox.open(effects)
    try inbox.give(.text("1"), to: "amount", of: .number(1))
    inbox.close()
    #expect(taken == [] && inbox.isClosed)
    let late = EffectError.usage("the recording has ended")
    #expect(throws: late) { try inbox.give(.text("1"), to: "amount", of: .number(1)) }
  }

  @Test("A change that waits while an effect is replaced acts on the new version, if that has it")
  func replaced() throws {
    inbox.open(effects)
    try inbox.give(.text("1"), to: "amount", of: .number(1))
    try inbox.give(.text("1"), to: "level", of: .number(1))
    inbox.open([effects[1], effects[1]])
    #expect(taken.map(\.parameter) == ["amount"])
  }

  @Test("Values from many threads all arrive, the last of each thread")
  func threads() async throws {
    inbox.open(effects)
    try await withThrowingTaskGroup { group in
      for (place, name) in [(1, "amount"), (1, "level"), (2, "amount"), (2, "speed")] {
        group.addTask { [inbox] in
          for number in 0...5000 {
            try inbox.give(
              .numbers([Double(number) / 5000]), to: name, of: .number(place))
          }
        }
      }
      var latest: [String: Double] = [:]
      for _ in 0..<1000 {
        for change in taken { latest["\(change.effect)\(change.parameter)"] = change.value[0] }
      }
      try await group.waitForAll()
      for change in taken { latest["\(change.effect)\(change.parameter)"] = change.value[0] }
      #expect(latest == ["0amount": 1, "0level": 1, "1amount": 1, "1speed": 1])
    }
  }
}
