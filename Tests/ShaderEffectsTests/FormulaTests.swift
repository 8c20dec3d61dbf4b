import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of formulas of time as the values of parameters.
@Suite struct FormulaTests {
  private static let source = """
    /*{"INPUTS": [
      {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.25, "MAX": 1, "MIN": 0},
      {"NAME": "on", "TYPE": "bool"}, {"NAME": "free", "TYPE": "float", "MIN": -9, "MAX": 9},
      {"NAME": "mode", "TYPE": "long", "VALUES": [3, 7, 9], "LABELS": ["Soft", "Mid (old)", "Hard"]},
      {"NAME": "count", "TYPE": "long", "MIN": 0, "MAX": 5},
      {"NAME": "spot", "TYPE": "point2D"}, {"NAME": "tint", "TYPE": "color"},
      {"NAME": "flash", "TYPE": "event"}, {"NAME": "depth", "TYPE": "long", "MIN": 1, "MAX": 4}],
      "HISTORY": "depth"}*/
    vec4 effect(vec2 uv) { return earlier(depth, uv); }
    """

  private func tracks(_ words: String) throws -> [ParameterTrack] {
    let file = try EffectFile(path: "a.comp", source: Self.source)
    return try ParameterValues.resolve(EffectSpec(parsing: "a:" + words), for: file)
  }

  @Test(
    "A formula gives each frame its value",
    arguments: [
      ("amount=0.5+0.5*sin(time*2)", 0, [0.5 + 0.5 * 0.9092974268256817]),
      ("amount=time/4", 0, [0.25]), ("amount=frame/100", 0, [0.3]), ("amount=fps/60", 0, [0.5]),
      ("free=cos(2*pi*time)", 2, [1]), ("free=clamp(time,0.2,0.3)", 2, [0.3]),
      ("free=time<0.5?1:(2)", 2, [2]), ("free=-(3)", 2, [-3]),
      // Beyond the limits, and no number.
      ("amount=time*9", 0, [1]), ("amount=-time", 0, [0]), ("amount=sqrt(-time)", 0, [0.25]),
      ("amount=log(time-1)", 0, [0.25]),
      ("on=time>0.5", 1, [1]), ("on=time>2", 1, [0]), ("mode=time*7.6", 3, [7]),
      ("mode=time*100", 3, [9]), ("count=time*2.9", 4, [2]), ("count=99*time", 4, [5]),
      ("spot=time/(1/4)", 5, [1, 0.25]), ("spot=0.5/cos(time-1)", 5, [0.5, 1]),
      ("tint=time/0/0.5/1", 6, [1, 0, 0.5, 1]),
    ])
  func values(words: String, index: Int, expected: [Double]) throws {
    let track = try tracks(words)[index]
    let moment = clock(.one, frameIndex: 30)
    let values = expected.indices.map { track.part($0, at: moment) }
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(values)")
  }

  @Test("Values, labels and keyframes keep their meaning beside formulas")
  func others() throws {
    #expect(try tracks("mode=mid (old)")[3] == ParameterTrack([7]))
    #expect(try tracks("spot=0.5/0.25")[5] == ParameterTrack([0.5, 0.25]))
    #expect(try tracks("amount=0@0..1@1")[0].keyframes.count == 2)
    #expect(
      try EffectSpec(parsing: "a:x=min(1,max(2,3)),y=2").parameters.map(\.value)
        == ["min(1,max(2,3))", "2"])
    #expect(try EffectSpec(parsing: "a:x=b(c,y=2").parameters.map(\.value) == ["b(c", "2"])
    #expect(try EffectSpec(parsing: "a:x=b),y=(2").parameters.map(\.value) == ["b)", "(2"])
  }

  @Test("A formula hears the audio, under its names alone or in audio()")
  func sound() throws {
    var moment = clock(.one)
    moment.sound.low = 0.25
    moment.sound.beat = 1
    #expect(try tracks("amount=audio(low)*2")[0].part(0, at: moment) == 0.5)
    #expect(try tracks("amount=beat")[0].part(0, at: moment) == 1)
    #expect(try tracks("flash=audio( beat )>0.5")[7].fires(at: moment, after: nil))
    let effects = try ["a:x=audio(low)", "a:mix=beat", "a:x=time", "a:x=lower.png"].map {
      try EffectSpec(parsing: $0)
    }
    #expect(effects.map(\.mayHear) == [true, true, false, false])
    for (words, message) in [
      ("amount=audio(bass)", "audio takes level, low, mid, high, onset, beat"),
      ("amount=audio(low", "the expression ends where ')' should be"),
    ] {
      let error = #expect(throws: EffectError.self) { try tracks(words) }
      #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
    }
    // A menu or a switch takes no single name, which is a mistyped entry.
    for words in ["mode=high", "on=beat"] {
      let error = #expect(throws: EffectError.self) { try tracks(words) }
      #expect(error?.description.contains(" must be ") == true)
    }
  }

  @Test("An event fires while its formula is not 0")
  func event() throws {
    let track = try tracks("flash=frame%3==0")[7]
    let fired = (0..<7).map { track.fires(at: clock(.one, frameIndex: $0), after: nil) }
    #expect(fired == [true, false, false, true, false, false, true])
  }

  @Test("mix takes a formula, and the effect then always acts")
  func mix() throws {
    let use = try EffectSpec(parsing: "a:mix=0.5-0.5*cos(time*pi)")
    #expect(use.mix.part(0, at: clock(.one)) == 1 && use.mix.part(0, at: clock(.zero)) == 0)
    #expect(!use.mix.isAlways([0]) && use.mix.isPositive(around: .zero))
  }

  @Test("A change from outside takes the place of a formula, and glides from its value")
  func changed() throws {
    let track = try tracks("amount=time/4")[0]
      .changing(to: [1], at: clock(Rational(2)), glide: Rational(2))
    #expect(track.part(0, at: clock(Rational(2))) == 0.5)
    #expect(track.part(0, at: clock(Rational(3))) == 0.75)
    #expect(track.part(0, at: clock(Rational(9))) == 1)
  }

  @Test(
    "What is no formula is refused as before, and a wrong formula says why",
    arguments: [
      ("amount=red", "effect 'a': amount must be a number from 0 to 1, not 'red'"),
      ("amount=1/2", "effect 'a': amount must be a number from 0 to 1, not '1/2'"),
      ("amount=2-1", "effect 'a': amount must be a number from 0 to 1, not '2-1'"),
      ("spot=1/2/3", "effect 'a': spot must be two numbers x/y, not '1/2/3'"),
      (
        "amount=tme*2",
        "effect 'a': amount: 'tme*2' is no formula: there is no value 'tme'; did you mean "
          + "'time'?"
      ),
      (
        "amount=bass*0.5",
        "effect 'a': amount: 'bass*0.5' is no formula: there is no value 'bass'; the values are time, frame, fps, pi, "
          + "level, low, mid, high, onset, beat"
      ),
      (
        "amount=sin(time",
        "effect 'a': amount: 'sin(time' is no formula: the expression ends where ')' "
          + "should be"
      ),
      (
        "amount=sine(time)",
        "effect 'a': amount: 'sine(time)' is no formula: there is no function 'sine'; "
          + "did you mean 'sin'?"
      ),
      (
        "spot=time",
        "effect 'a': spot must be two numbers x/y, or 2 formulas with '/' between two; "
          + "divisions are written in parentheses"
      ),
      (
        "depth=time",
        "effect 'a': depth decides how large the effect's images are or how many it keeps, "
          + "and takes no formula; it takes keyframes"
      ),
      (
        "mix=tim(1)",
        "effect 'a': mix: 'tim(1)' is no formula: there is no function 'tim'"
      ),
    ])
  func mistakes(words: String, message: String) {
    let error = #expect(throws: EffectError.self) { try tracks(words) }
    #expect(error?.description == message)
  }
}
