import Frames
import GPU
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct PassHeaderTests {
  private func header(_ json: String) throws -> EffectHeader {
    try EffectFile(path: "a.comp", source: "/*\(json)*/\n").header
  }

  @Test("PASSES and HISTORY are read")
  func read() throws {
    let header = try header(
      """
      {"PASSES": [{"TARGET": "small", "WIDTH": "$WIDTH / $by", "HEIGHT": 8, "FLOAT": true},
        {"TARGET": "kept", "PERSISTENT": 1, "HALF": true, "DESCRIPTION": "d"},
        {"DESCRIPTION": "all"}],
        "INPUTS": [{"NAME": "by", "TYPE": "long", "DEFAULT": 2}], "HISTORY": "by * 2"}
      """)
    #expect(header.passes.map(\.name) == ["small", "kept", nil])
    #expect(header.passes.map(\.isFloat) == [true, false, false])
    #expect(header.passes.map(\.isHalf) == [false, true, false])
    #expect(header.passes.map(\.isPersistent) == [false, true, false])
    #expect(header.passes[0].width?.evaluate([100, 50, 50, 4]) == 25)
    #expect(header.history?.evaluate([100, 50, 50, 4]) == 8)
    #expect(try self.header(#"{"PASSES": []}"#).passes.isEmpty)
  }

  @Test(
    "A mistake in PASSES or HISTORY is reported by name",
    arguments: [
      (#""PASSES": [{"TARGET": "x"}, {"TARGET": "x"}, {}]"#, "the TARGET 'x' is in two passes"),
      (#""PASSES": [{}, {"TARGET": "x"}]"#, "pass 0 needs a TARGET; only the last pass makes"),
      (#""PASSES": [{"TARGET": "x", "WIDTH": 0}, {}]"#, "WIDTH must be from 1 to 16384"),
      (#""PASSES": [{"TARGET": "x", "HEIGHT": 16385}, {}]"#, "HEIGHT must be from 1 to 16384"),
      (#""PASSES": [{"TARGET": "x", "HEIGHT": "1/0"}, {}]"#, "HEIGHT must be from 1 to 16384"),
      (#""PASSES": [{"TARGET": "x", "HEIGHT": "-3"}, {}]"#, "HEIGHT must be from 1 to 16384"),
      (
        #""PASSES": [{"TARGET": "x", "WIDTH": "TIME"}, {}]"#, "WIDTH: there is no value 'TIME'"
      ),
      (#""PASSES": [{"TARGET": "x", "WIDTH": true}, {}]"#, "WIDTH must be a string or a number"),
      (
        #""PASSES": [{"TARGET": "x", "WIDTH": 9}]"#,
        "the last pass makes the effect's result, which has the frame's size"
      ),
      (
        #""PASSES": [{"PERSISTENT": true}]"#,
        "PERSISTENT works only with a TARGET; give the pass a TARGET"
      ),
      (
        #""PASSES": [{"TARGET": "b"}, {}]"#,
        "the TARGET 'b' needs the name 'b', which is an input already"
      ),
      (
        #""PASSES": [{"TARGET": "c"}, {}]"#,
        "the TARGET 'c' needs the name 'cPixel', which is a constant already"
      ),
      (
        #""PASSES": [{"TARGET": "x"}, {"TARGET": "xSize"}, {}]"#,
        "the TARGET 'xSize' needs the name 'xSize', which is another TARGET's already"
      ),
      (#""PASSES": [{"TARGET": "frame"}, {}]"#, "the name 'frame' is reserved"),
      (#""PASSES": [{"TARGET": "previous"}, {}]"#, "the name 'previous' is reserved"),
      (#""PASSES": [{"TARGT": "x"}]"#, "unknown key TARGT in a pass; did you mean 'TARGET'?"),
      (
        #""PASSES": [{"TARGET": "x", "FLOAT": true, "HALF": true}, {}]"#,
        "a pass has FLOAT or HALF, not both; take out one of them"
      ),
      (
        #""PASSES": [{"HALF": true}]"#, "HALF works only with a TARGET; give the pass a TARGET"
      ),
      (#""PASSES": [{"TARGET": "x", "HALF": "yes"}, {}]"#, "HALF must be"),
      (#""PASSES": [{"TARGET": 5}]"#, "TARGET must be a string, not a number"),
      (#""PASSES": {}"#, "PASSES must be an array [ ], not an object"),
      (#""HISTORY": 0"#, "HISTORY must be a whole number of frames from 1 to 32"),
      (#""HISTORY": 33"#, "HISTORY must be a whole number of frames from 1 to 32"),
      (#""HISTORY": 1.5"#, "HISTORY must be a whole number of frames from 1 to 32"),
      (#""HISTORY": "n""#, "HISTORY: there is no value 'n'"),
    ])
  func mistakes(members: String, message: String) throws {
    let json = """
      {"INPUTS": [{"NAME": "b", "TYPE": "bool"}], "CONSTANTS": [{"NAME": "cPixel", "VALUE": 1}],
      \(members)}
      """
    let error = try #require(throws: EffectError.self) { try header(json) }
    #expect(error.description.hasPrefix("a.comp:2:"))
    #expect(error.description.contains("error: \(message)"))
  }

  private func compile(_ source: String, _ use: String = "a") throws -> EffectInstance {
    let folder = try EffectFolder()
    try folder.write("a.comp", source)
    return try folder.library.compile(EffectSpec(parsing: use), with: ShaderCompiler())
  }

  @Test("Only effects that need it have their own kernel")
  func traits() throws {
    let own = "vec3 previous(vec3 c) { return c; }\nvec4 effect(vec2 uv) "
    #expect(try !compile(own + "{ return vec4(previous(frame(uv).rgb), 1); }").traits.isAlone)
    #expect(
      try !compile("vec4 effect(vec2 uv) { vec4 previous = vec4(0); return previous; }")
        .traits.isAlone)
    #expect(try compile("vec4 effect(vec2 uv) { return previous(uv); }").traits.isAlone)
    #expect(
      try compile("/*{\"HISTORY\": 3}*/ vec4 effect(vec2 uv) { return earlier(1, uv); }")
        .traits.isAlone)
    #expect(
      try compile("/*{\"PASSES\": [{}]}*/ vec4 effect(vec2 uv) { return frame(uv); }")
        .traits.isAlone)
  }

  @Test("Only a last pass that keeps nothing may share its kernel")
  func lastPass() throws {
    func last(_ source: String) throws -> LastPass? { try compile(source).traits.lastPass }
    let two = #"/*{"PASSES": [{"TARGET": "x"}, {}]}*/ "#
    #expect(try last(two + "vec4 effect(vec2 uv) { return x(uv); }") != nil)
    #expect(try last("/*{\"HISTORY\": 1}*/ vec4 effect(vec2 uv) { return earlier(1, uv); }") != nil)
    #expect(try last("vec4 effect(vec2 uv) { return framePixel(); }") == nil)
    #expect(try last("vec4 effect(vec2 uv) { return previous(uv); }") == nil)
    #expect(try last(two + "vec4 effect(vec2 uv) { return dFdx(x(uv)); }") == nil)
    #expect(
      try last(#"/*{"PASSES": [{"TARGET": "x"}]}*/ vec4 effect(vec2 uv) { return frame(uv); }"#)
        == nil)
    #expect(
      try last(
        two + "layout(local_size_x = 8, local_size_y = 8) in;"
          + "void main() { store(PIXEL, x(vec2(0))); }"
      ) == nil)
  }

  @Test("The cost of a last pass is that of the code that it runs")
  func lastPassCost() throws {
    func cost(_ text: String) throws -> LastPass? {
      try compile("/*{\"PASSES\": [{\"TARGET\": \"x\"}, {}]}*/\n" + text).traits.lastPass
    }
    let plain = try #require(try cost("vec4 effect(vec2 uv) {\nreturn xPixel(PIXEL);\n}\n"))
    #expect(plain == LastPass(reads: 1, size: 8))
    let looped = "for (int i = 0; i < 9; i++) color += frame(uv);"
    #expect(
      try cost(
        """
        vec4 unused(vec4 color) { while (color.r < 1.0) color *= 2.0; return color; }
        vec4 effect(vec2 uv) {
        #if PASSINDEX == 0
          vec4 color = vec4(0.0);
          \(looped)
          return color;
        #elif PASSINDEX >= 1 && PASSINDEX < 2
          return xPixel(PIXEL);
        #else
          \(looped)
        #endif
        }
        """) == plain)
    let twice = try #require(
      try cost(
        """
        #define TWICE(v) (v + v)
        vec4 read(vec2 uv) { return x(uv); }
        vec4 effect(vec2 uv) { return TWICE(read(uv)) + read(uv.yx); }
        """))
    #expect(twice.reads == 8)
    #expect(twice.size > 2 * plain.size && twice.size < 100)
    let loop = try #require(
      try cost("vec4 effect(vec2 uv) { vec4 color = vec4(0); \(looped) return color; }"))
    #expect(loop.reads == 64)
    // A condition that is not known counts as met, and so does its opposite.
    let open = try #require(
      try cost(
        """
        #ifdef FAST
        vec4 effect(vec2 uv) { return x(uv); }
        #else
        vec4 effect(vec2 uv) { return frame(uv); }
        #endif
        """))
    #expect(open.reads == 8)
  }

  @Test("A target that is written and never read gives a warning")
  func unread() throws {
    let effect = try compile(
      """
      /*{"HISTORY": "n", "PASSES": [{"TARGET": "x", "WIDTH": "m"}, {"TARGET": "y"}, {"TARGET": "z"}],
        "INPUTS": [{"NAME": "n", "TYPE": "long"}, {"NAME": "m", "TYPE": "float"}]}*/
      vec4 effect(vec2 uv) { return PASSINDEX == 2 ? yPixel(PIXEL) : frame(uv); }
      """)
    #expect(effect.warnings.count == 2)
    #expect(effect.warnings.contains { $0.contains("the TARGET 'x' is written and never used") })
    #expect(effect.warnings.contains { $0.contains("HISTORY is kept and never used") })
    // The columns of the quotes of "x", and of "n".
    #expect(
      effect.diagnostics.map(\.line) == [1, 1] && effect.diagnostics.map(\.column) == [42, 15])
  }

  @Test("Sizes are integers of at least 1, and refused where they are too large")
  func sizes() throws {
    let source = """
      /*{"PASSES": [{"TARGET": "x", "WIDTH": "WIDTH * by", "HEIGHT": "HEIGHT / 9"}, {}],
        "INPUTS": [{"NAME": "by", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 100}]}*/
      vec4 effect(vec2 uv) { return x(uv); }
      """
    let plan = try compile(source).passPlan(width: 35, height: 8, storage: .images)
    #expect((plan.size(of: 0).width, plan.size(of: 0).height) == (17, 1))
    #expect((plan.size(of: 1).width, plan.size(of: 1).height) == (35, 8))
    #expect(plan.targets.map(\.shape.format) == [.byte])
    func format(_ key: String) throws -> Texture.Format? {
      let source = source.replacing("\"TARGET\"", with: "\"\(key)\": true, \"TARGET\"")
      return try compile(source).passPlan(width: 35, height: 8, storage: .images).targets.first?
        .shape.format
    }
    #expect(try format("HALF") == .half)
    #expect(try format("FLOAT") == .float)
    let large = try compile(source, "a:by=100")
    let error = try #require(throws: EffectError.self) {
      try large.passPlan(width: 1920, height: 1080, storage: .images)
    }
    #expect(error.description.contains("the WIDTH of 'x' is 192000 for a frame of 1920x1080"))
  }

  @Test("A mistake in a pass is shown in the author's line")
  func message() throws {
    let error = try #require(throws: EffectError.self) {
      try compile(
        "/*{\"PASSES\": [{\"TARGET\": \"x\"}, {}]}*/\nvec4 effect(vec2 uv) {\n  return y(uv);\n}\n")
    }
    #expect(error.description.contains("a.comp:3:10: error: 'y'"))
  }
}
