import Frames
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct KeyframeTests {
  private static let source = """
    /*{"INPUTS": [
      {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MAX": 10, "MIN": 0},
      {"NAME": "on", "TYPE": "bool"},
      {"NAME": "mode", "TYPE": "long", "VALUES": [3, 7, 9], "LABELS": ["Soft", "a@1..b", "Hard"]},
      {"NAME": "spot", "TYPE": "point2D"}, {"NAME": "tint", "TYPE": "color"}],
      "CONSTANTS": [{"NAME": "twice", "VALUE": "amount * 2"}]}*/
    vec4 effect(vec2 uv) { return on ? tint * twice * amount : vec4(spot, float(mode), 1.0); }
    """

  private func tracks(_ words: String) throws -> [ParameterTrack] {
    let file = try EffectFile(path: "a.comp", source: Self.source)
    return try ParameterValues.resolve(EffectSpec(parsing: "a:" + words), for: file)
  }

  private func amount(_ words: String, _ times: [Rational]) throws -> [Double] {
    let track = try tracks("amount=" + words)[0]
    return times.map { track.part(0, at: $0) }
  }

  @Test("A value is constant before the first keyframe and after the last, and linear between them")
  func linear() throws {
    let times: [Rational] = [.zero, .one, Rational(3, 2), Rational(2), Rational(4), Rational(9)]
    #expect(try amount("2@1..6@2..0@6", times) == [2, 2, 4, 6, 3, 0])
    #expect(try amount("5@2", times) == [5, 5, 5, 5, 5, 5])
    #expect(try amount("2@1..6@2..0@6~linear", times) == [2, 2, 4, 6, 3, 0])
    // A third of a second has no finite decimal: the place between two keyframes is exact.
    #expect(try amount("0@0..9@1", [Rational(1, 3)]) == [3])
    #expect(try amount(".5@2...5@3", [.zero, Rational(5, 2), Rational(3)]) == [0.5, 0.5, 0.5])
    #expect(try amount("0@0..1@1:00..4@00:01:30.5", [Rational(60), Rational(181, 2)]) == [1, 4])
  }

  @Test("smooth is slow at both ends, and step keeps a value until the next one's time")
  func interpolations() throws {
    let times: [Rational] = [.zero, Rational(1, 2), .one, Rational(3, 2), Rational(2)]
    #expect(try amount("0@0..8@2~smooth", times) == [0, 1.25, 4, 6.75, 8])
    #expect(try amount("0@0..8@1..4@2~step", times) == [0, 0, 8, 8, 4])
  }

  @Test("Every component of a point or colour is interpolated, and a bool or a menu steps")
  func kinds() throws {
    let tracks = try tracks(
      "on=off@0..on@1,mode=soft@0..hard@1..9@2,spot=0/1@0..-2/3@1,tint=ff0000@0..0/0/1/0@1~linear")
    let half = Rational(1, 2)
    #expect(tracks[1].part(0, at: half) == 0 && tracks[1].part(0, at: .one) == 1)
    #expect(tracks[2].part(0, at: half) == 3 && tracks[2].part(0, at: .one) == 9)
    #expect((0..<2).map { tracks[3].part($0, at: half) } == [-1, 2])
    #expect((0..<4).map { tracks[4].part($0, at: half) } == [0.5, 0, 0.5, 0.5])
  }

  @Test("A label that looks like keyframes is the label")
  func label() throws {
    #expect(try tracks("mode=a@1..b")[2] == ParameterTrack([7]))
  }

  @Test(
    "Wrong keyframes are a usage error that names the parameter and what is wrong",
    arguments: [
      (
        "amount=0@0..11@2",
        "effect 'a': amount must be a number from 0 to 10, not '11' at 2"
      ),
      (
        "amount=0@0..red@2",
        "effect 'a': amount must be a number from 0 to 10, not 'red' at 2"
      ),
      (
        "amount=0@2..1@2",
        "effect 'a': amount: the times of keyframes must increase, and '1@2' is not later than "
          + "the one before it"
      ),
      (
        "amount=0..1",
        "effect 'a': amount: '0' is not a keyframe; write value@seconds, with '..' between two, such "
          + "as 0@0..1@2.5"
      ),
      (
        "amount=0@0..",
        "effect 'a': amount: '' is not a keyframe; write value@seconds, with '..' between two, such "
          + "as 0@0..1@2.5"
      ),
      (
        "amount=0@0..1@-1",
        "effect 'a': amount: a keyframe must be at a time such as 2.5 or 00:01:30.25, not "
          + "'-1'"
      ),
      (
        "amount=0@0..1@1~smoth",
        "effect 'a': amount: '~' must be followed by smooth, step or linear, not 'smoth'; did you mean "
          + "'smooth'?"
      ),
      (
        "on=0@0..1@1~linear",
        "effect 'a': on changes only in steps; leave out '~linear'"
      ),
      ("mix=0@0..2@1", "effect 'a': mix must be a number from 0 to 1, not '2' at 1"),
      (
        "from=0@0..2@1",
        "effect 'a': 'from' must be a time such as 2.5 or 00:01:30.25, not '0@0..2@1'"
      ),
    ])
  func mistakes(words: String, message: String) {
    #expect(throws: EffectError.usage(message)) { try tracks(words) }
  }

  @Test("The shader and the constants get the value of the frame's time")
  func uniforms() throws {
    let folder = try EffectFolder()
    try folder.write("a.comp", Self.source)
    let effect = try folder.library.compile(
      EffectSpec(parsing: "a:amount=0@0..4@2,mix=0@0..1@4"), with: ShaderCompiler())
    let bytes = effect.uniforms(clock(.one), width: 8, height: 8)
    #expect(try effect.value(of: "amount", Float.self, in: bytes) == 2)
    #expect(try effect.value(of: "twice", Float.self, in: bytes) == 4)
    #expect(try effect.value(of: "kf_mix", Float.self, in: bytes) == 0.25)
  }

  @Test("An event is true in the first frame at or after each of its times")
  func events() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      /*{"INPUTS": [{"NAME": "flash", "TYPE": "event"}, {"NAME": "x", "TYPE": "float"}]}*/
      vec4 effect(vec2 uv) { return flash ? vec4(x) : framePixel(); }
      """)
    let compiler = try ShaderCompiler()
    func effect(_ words: String) throws -> EffectInstance {
      try folder.library.compile(EffectSpec(parsing: "a" + words), with: compiler)
    }
    func fired(_ words: String, from first: Int64 = 0) throws -> [Int64] {
      let effect = try effect(words)
      // Tenths of a second, one frame each; the first has no frame before it.
      return try (first...first + 40).filter { tenth in
        let clock = EffectClock(
          time: Rational(tenth, 10), timeDelta: tenth == first ? .zero : Rational(1, 10),
          frameIndex: Int(tenth), frameRate: Rational(10), creationTime: nil)
        let bytes = effect.uniforms(clock, width: 8, height: 8)
        return try effect.value(of: "flash", UInt32.self, in: bytes) != 0
      }
    }
    #expect(try fired("") == [])
    #expect(try fired(":flash@2") == [20])
    #expect(try fired(":flash@3.33@0@2.05,x=1") == [0, 21, 34])
    #expect(try fired(":flash@2@9", from: 50) == [50, 90])
    for (words, message) in [
      (
        "flash=2",
        "flash is an event; give the times at which it fires, such as flash@2 or flash@2@5.5"
      ),
      (
        "flash@two",
        "flash is an event; give the times at which it fires, such as flash@2 or flash@2@5.5"
      ),
      ("x@2", "x is not an event and takes a value: a number from 0 to 1"),
    ] {
      #expect(throws: EffectError.usage("effect 'a': \(message)")) { try effect(":" + words) }
    }
  }

  @Test("An effect acts wherever its mix may be above 0, and its changes say when that begins")
  func activity() throws {
    let folder = try EffectFolder()
    try folder.write("a.comp", Self.source)
    let compiler = try ShaderCompiler()
    func effect(_ words: String) throws -> EffectInstance {
      try folder.library.compile(EffectSpec(parsing: "a:" + words), with: compiler)
    }
    let times = (0...8).map { Rational($0, 2) }
    func active(_ words: String) throws -> [Bool] {
      let effect = try effect(words)
      return times.map { effect.isActive(at: $0) }
    }
    let (no, yes) = (false, true)
    // At 0, 0.5, 1 ... 4 seconds.
    #expect(
      try active("mix=0@1..0@2..1@3..0@3.5") == [no, no, no, no, yes, yes, yes, no, no])
    #expect(try active("mix=0@1..1@2~step") == [no, no, no, no, yes, yes, yes, yes, yes])
    #expect(try active("mix=1@1..0@2~smooth") == [yes, yes, yes, yes, no, no, no, no, no])
    #expect(try active("mix=0@1..0@2") == times.map { _ in no })
    #expect(
      try active("mix=0@1..1@2,from=1.5,to=2.5") == [no, no, no, yes, yes, no, no, no, no])
    let changes = try effect("mix=0@1..0@2..1@3..0@3.5,to=5").changes
    for time in [Rational(2), Rational(7, 2), Rational(5)] { #expect(changes.contains(time)) }
  }
}
