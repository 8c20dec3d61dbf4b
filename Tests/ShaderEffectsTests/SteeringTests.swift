import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of changes of parameters while effects run, without a device.
@Suite struct SteeringTests {
  private static let source = """
    /*{"INPUTS": [
      {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MAX": 10, "MIN": 0,
        "ALIASES": ["strength"]},
      {"NAME": "on", "TYPE": "bool"},
      {"NAME": "mode", "TYPE": "long", "VALUES": [3, 7, 9], "LABELS": ["Soft", "Mid", "Hard"]},
      {"NAME": "spot", "TYPE": "point2D"}, {"NAME": "tint", "TYPE": "color"},
      {"NAME": "flash", "TYPE": "event"}, {"NAME": "back", "TYPE": "image"},
      {"NAME": "depth", "TYPE": "long", "MIN": 1, "MAX": 8, "DEFAULT": 2}], "HISTORY": "depth"}*/
    vec4 effect(vec2 uv) {
      return flash ? back(uv) : on ? tint * amount : earlier(depth, spot) * float(mode);
    }
    """

  private static func effects(_ folder: EffectFolder, _ words: String...) throws -> [EffectInstance]
  {
    try folder.write("a.comp", source)
    let compiler = try ShaderCompiler()
    return try words.map {
      try folder.library.compile(EffectSpec(parsing: $0), with: compiler, isSteered: true)
    }
  }

  private func change(_ name: String, _ value: [Double], glide: Rational = .zero) -> ParameterChange
  {
    ParameterChange(effect: 0, parameter: name, value: value, glide: glide)
  }

  @Test("A change holds the old value until its time, and glides in a straight line to the new one")
  func glide() {
    let track = ParameterTrack([2, 0]).changing(
      to: [4, 1], at: clock(Rational(3)), glide: Rational(1, 2))
    func values(_ time: Rational) -> [Double] {
      [track.part(0, at: time), track.part(1, at: time)]
    }
    #expect(values(.zero) == [2, 0] && values(Rational(3)) == [2, 0])
    #expect(values(Rational(13, 4)) == [3, 0.5])
    #expect(values(Rational(7, 2)) == [4, 1] && values(Rational(99)) == [4, 1])
  }

  @Test("A change without a glide is a step at its time")
  func step() {
    let track = ParameterTrack([2]).changing(to: [4], at: clock(Rational(1, 3)), glide: .zero)
    #expect(track.part(0, at: Rational(333_333, 1_000_000)) == 2 && track.part(0, at: .zero) == 2)
    #expect(track.part(0, at: Rational(1, 3)) == 4)
    #expect(
      ParameterTrack([1]).changing(to: [0], at: clock(.zero), glide: .zero).part(0, at: .zero) == 0)
  }

  @Test("A change in the middle of a glide, or of keyframes, begins with the value of its time")
  func interrupted() throws {
    let first = ParameterTrack([0]).changing(to: [8], at: clock(.zero), glide: Rational(4))
    let second = first.changing(to: [0], at: clock(.one), glide: Rational(2))
    #expect(
      [1, 2, 3, 9].map { second.part(0, at: Rational($0)) } == [2, 1, 0, 0])
    let keyframes = ParameterTrack(
      [.init(time: .zero, value: [0]), .init(time: Rational(2), value: [8])], .smooth)
    let changed = keyframes.changing(to: [0], at: clock(.one), glide: .one)
    #expect(changed.part(0, at: .one) == 4 && changed.part(0, at: Rational(2)) == 0)
  }

  @Test("A track stays as short after ten thousand changes as after one")
  func short() {
    var (track, event) = (ParameterTrack([0]), ParameterTrack([0]))
    for number in 0..<10_000 {
      let time = Rational(Int64(number), 30)
      track = track.changing(to: [Double(number)], at: clock(time), glide: Rational(1, 5))
      event = event.firing(at: time)
    }
    #expect(track.keyframes.count == 2 && event.keyframes.count == 1)
  }

  @Test("An event fires in the frame of its time, once, and later times that were typed still come")
  func event() {
    let typed = ParameterTrack(
      [.init(time: .one, value: [1]), .init(time: Rational(5), value: [1])], .step)
    let track = typed.firing(at: Rational(3))
    func fires(_ time: Int64) -> Bool {
      track.fires(at: Rational(time), after: Rational(time - 1))
    }
    #expect((2...6).map { fires($0) } == [false, true, false, true, false])
  }

  @Test("A steered effect writes the changed values, and acts whatever its mix is")
  func uniforms() throws {
    let folder = try EffectFolder()
    let effect = try Self.effects(folder, "a:amount=2,mix=0,from=1")[0]
    #expect(effect.isActive(at: .one) && !effect.isActive(at: .zero) && effect.changes == [.one])
    func value(_ name: String, at time: Rational) throws -> Float {
      try effect.value(
        of: name, Float.self, in: effect.uniforms(clock(time), width: 8, height: 8))
    }
    #expect(try value("amount", at: .one) == 2 && value("kf_mix", at: .one) == 0)
    #expect(effect.steer(change("amount", [6], glide: Rational(2)), at: clock(.one)))
    #expect(effect.steer(change("mix", [1]), at: clock(.one)))
    #expect(try value("amount", at: .one) == 2 && value("kf_mix", at: .one) == 1)
    #expect(try value("amount", at: Rational(2)) == 4 && value("amount", at: Rational(9)) == 6)
    // A copy, such as the one in a kernel, has the same values.
    let copy = effect
    #expect(copy.steer(change("amount", [3]), at: clock(Rational(9))))
    #expect(try value("amount", at: Rational(9)) == 3)
    #expect(!effect.steer(change("amount", [11]), at: clock(Rational(9))))
    #expect(!effect.steer(change("none", [1]), at: clock(Rational(9))))
  }

  @Test("Values are checked where they are given")
  func values() throws {
    let folder = try EffectFolder()
    let steerable = try Self.effects(folder, "a")[0].steerable
    func check(_ name: String, _ given: GivenValue) throws -> [Double] {
      try steerable.check(given, for: name).value
    }
    #expect(try check("amount", .text("2.5")) == [2.5] && check("amount", .numbers([3])) == [3])
    #expect(try check("on", .text("off")) == [0] && check("on", .numbers([0.2])) == [1])
    #expect(try check("mode", .text("hard")) == [9] && check("mode", .numbers([7])) == [7])
    #expect(
      try check("spot", .text("1/0")) == [1, 0] && check("spot", .numbers([0, 1])) == [0, 1])
    #expect(try check("tint", .text("ff0000")) == [1, 0, 0, 1])
    #expect(try check("tint", .numbers([0, 1, 0])) == [0, 1, 0, 1])
    #expect(try check("flash", .text("")) == [1] && check("flash", .numbers([0])) == [0])
    #expect(try check("mix", .text("0.5")) == [0.5])
  }

  @Test(
    "A wrong name, range or kind is a sentence",
    arguments: [
      ("amout", "1", "effect 'a' has no parameter 'amout'; did you mean 'amount'?"),
      (
        "zzz", "1",
        "effect 'a' has no parameter 'zzz'; it has amount, on, mode, spot, tint, flash, mix"
      ),
      ("amount", "11", "effect 'a': amount must be a number from 0 to 10, not '11'"),
      ("amount", "nan", "effect 'a': amount must be a number from 0 to 10, not 'nan'"),
      ("amount", "", "effect 'a': amount must be a number from 0 to 10, not ''"),
      ("amount", "0@0..1@2", "effect 'a': amount must be a number from 0 to 10, not '0@0..1@2'"),
      ("on", "2", "effect 'a': on must be true or false, not '2'"),
      ("mode", "4", "effect 'a': mode must be one of Soft, Mid, Hard, not '4'"),
      ("spot", "1", "effect 'a': spot must be two numbers x/y, not '1'"),
      ("flash", "x", "effect 'a': flash must be nothing, as an event that fires, or 0, not 'x'"),
      ("mix", "2", "effect 'a': mix must be a number from 0 to 1, not '2'"),
      ("from", "1", "effect 'a': from cannot change while the effect runs; change mix instead"),
      (
        "back", "x.png",
        "effect 'a': back is an image, and an image cannot change while the effect runs"
      ),
      (
        "depth", "3",
        "effect 'a': depth decides how large the effect's images are or how many it keeps, and cannot "
          + "change while the effect runs"
      ),
    ])
  func mistakes(name: String, value: String, message: String) throws {
    let folder = try EffectFolder()
    let steerable = try Self.effects(folder, "a")[0].steerable
    #expect(throws: EffectError.usage(message)) {
      _ = try steerable.check(.text(value), for: name)
    }
  }

  @Test(
    "Numbers that are no value are refused",
    arguments: [
      ("amount", [.nan]), ("amount", [.infinity]), ("amount", []), ("amount", [1, 2]),
      ("mode", [3.5]), ("mode", [1e300]), ("spot", [1]), ("tint", [1, 2]), ("mix", [-0.1]),
    ] as [(String, [Double])])
  func numbers(name: String, numbers: [Double]) throws {
    let folder = try EffectFolder()
    let steerable = try Self.effects(folder, "a")[0].steerable
    #expect(throws: EffectError.self) { _ = try steerable.check(.numbers(numbers), for: name) }
  }

  @Test("A new version of an effect takes over what was changed, as far as it still fits")
  func reload() throws {
    let folder = try EffectFolder()
    let earlier = try Self.effects(folder, "a:amount=2")[0]
    for change in [
      change("amount", [9]), change("mode", [7]), change("spot", [1, 1]), change("mix", [0.25]),
    ] { #expect(earlier.steer(change, at: clock(.one))) }
    try folder.write(
      "b.comp",
      """
      /*{"INPUTS": [{"NAME": "spot", "TYPE": "point2D"}, {"NAME": "fresh", "TYPE": "float"},
        {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MAX": 5, "MIN": 0},
        {"NAME": "on", "TYPE": "bool", "DEFAULT": true}]}*/
      vec4 effect(vec2 uv) { return vec4(spot, fresh, on ? amount : 0.0); }
      """)
    let effect = try folder.library.compile(
      EffectSpec(parsing: "b"), with: ShaderCompiler(), isSteered: true)
    #expect(effect.takeOver(from: earlier) == ["amount", "mode"])
    let bytes = effect.uniforms(clock(Rational(2)), width: 8, height: 8)
    #expect(try effect.value(of: "spot", Float.self, part: 1, in: bytes) == 1)
    #expect(try effect.value(of: "amount", Float.self, in: bytes) == 1)
    #expect(try effect.value(of: "on", UInt32.self, in: bytes) == 1)
    #expect(try effect.value(of: "kf_mix", Float.self, in: bytes) == 0.25)
    #expect(effect.takeOver(from: effect) == [])
  }

  @Test("An alias changes the parameter itself, and an automation written with it still plays")
  func aliases() throws {
    let folder = try EffectFolder()
    let effect = try Self.effects(folder, "a")[0].steerable
    let (index, value, _) = try effect.check(.text("3"), for: "strength")
    #expect(effect.inputs[index].name == "amount" && value == [3])
    #expect(effect.has("strength") && !effect.names.contains("strength"))
    let line = try AutomationLine(
      Array(#"{"time": 1, "effect": 1, "parameter": "strength", "value": 4}"#.utf8)[...])
    #expect(try line.cue([effect]).change.parameter == "amount")
  }
}
