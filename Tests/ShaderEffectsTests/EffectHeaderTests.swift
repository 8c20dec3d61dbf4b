import Testing

@testable import ShaderEffects

@Suite struct EffectHeaderTests {
  private func header(_ json: String) throws -> EffectHeader {
    try EffectFile(path: "a.comp", source: "/*\(json)*/\n").header
  }

  @Test("A file without a header, or with other comments before it, is read")
  func noHeader() throws {
    #expect(try EffectFile(path: "x/a.comp", source: "vec4 effect").header == EffectHeader())
    #expect(try EffectFile(path: "x/a.comp", source: "").name == "a")
    let source = "#version 450\n// about\n/* licence */\n\n/* {\"DESCRIPTION\": \"d\"} */"
    #expect(try EffectFile(path: "a.comp", source: source).header.description == "d")
  }

  @Test("Defaults are ISF's where the header has none")
  func defaults() throws {
    let inputs = try header(
      """
      {"INPUTS": [{"NAME": "a", "TYPE": "float"}, {"NAME": "b", "TYPE": "float", "MIN": 2, "MAX": 6},
        {"NAME": "c", "TYPE": "bool"}, {"NAME": "d", "TYPE": "long", "VALUES": [4, 5]},
        {"NAME": "e", "TYPE": "long", "MIN": -3, "MAX": 3}, {"NAME": "f", "TYPE": "point2D"},
        {"NAME": "g", "TYPE": "color"}, {"NAME": "h", "TYPE": "bool", "DEFAULT": 0.0}]}
      """
    ).inputs
    #expect(
      inputs.map(\.defaultValue) == [[0.5], [4], [1], [4], [-3], [0, 0], [1, 1, 1, 1], [0]])
    #expect(inputs[0].minimum == [0] && inputs[0].maximum == [1] && inputs[5].minimum == nil)
  }

  @Test("An effect is neutral by default if its defaults are identities, or if it says so")
  func neutral() throws {
    func isNeutral(_ json: String) throws -> Bool { try header(json).isNeutralByDefault }
    let gain = #"{"NAME": "a", "TYPE": "float", "DEFAULT": 0.5, "IDENTITY": 0.5}"#
    let shift = #"{"NAME": "b", "TYPE": "point2D", "DEFAULT": [1, 0], "IDENTITY": [0, 0]}"#
    let free = #"{"NAME": "c", "TYPE": "float"}"#
    #expect(try isNeutral("{\"INPUTS\": [\(gain), \(free)]}"))
    #expect(try !isNeutral("{\"INPUTS\": [\(gain), \(shift)]}"))
    #expect(try !isNeutral("{\"INPUTS\": [\(free)]}"))
    #expect(try !isNeutral("{}") && isNeutral(#"{"NEUTRAL": true}"#))
  }

  @Test(
    "A mistake in a header is shown with its line, its text and a caret",
    arguments: [
      ("{\n \"A\": 1\n}", 2, 2, "unknown key A"),
      ("{\n \"CATEGORY\": 1\n}", 2, 2, "unknown key CATEGORY; did you mean 'CATEGORIES'?"),
      ("{\"DESCRIPTION\": 1}", 1, 19, "DESCRIPTION must be a string, not a number"),
      ("{\"CATEGORIES\": \"x\"}", 1, 18, "CATEGORIES must be an array [ ], not a string"),
      ("{\"UNCLAMPED\": 1}", 1, 17, "UNCLAMPED must be true or false, not a number"),
      ("{\"CREDIT\": \"a\",}", 1, 18, "'}' where a key in double quotes should be"),
      ("{\"CREDIT\": a}", 1, 14, "'a' is not a value; write text in double quotes"),
      ("{\"CREDIT\" \"a\"}", 1, 13, "'\"' where ':' should be"),
      ("{\"CREDIT\": \"a\" \"INPUTS\": []}", 1, 18, "'\"' where ',' or '}' should be"),
      (
        "{\n\"CREDIT\": \"a\n\"}", 2, 11,
        "a string must end on its line; write a line end or a tab as"
      ),
      ("{\"CREDIT\": \"a\", \"CREDIT\": \"b\"}", 1, 19, "the key \"CREDIT\" is given twice"),
      ("{} x", 1, 6, "the header's comment must end with */ after the closing }"),
      ("{\"INPUTS\": [{\"TYPE\": \"float\"}]}", 1, 15, "an input needs NAME"),
      (
        "{\"ALPHA\": \"ink\"}", 1, 13,
        "ALPHA is true, false or the name of a colour input, and \"ink\" is none"
      ),
    ])
  func mistakes(json: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: EffectError.self) { try header(json) }
    #expect(error.description.hasPrefix("a.comp:\(line):\(column): error: \(message)"))
    #expect(error.description.hasSuffix("\n" + String(repeating: " ", count: column - 1) + "^"))
    #expect(!error.isUsageError)
  }

  @Test(
    "A mistake in an input names it",
    arguments: [
      (#""NAME": "a""#, "input 'a' needs TYPE"),
      (#""NAME": "1a", "TYPE": "float""#, "the name '1a' must be letters, digits and _"),
      (#""NAME": "a-b", "TYPE": "float""#, "the name 'a-b' must be letters, digits and _"),
      (#""NAME": "TIME", "TYPE": "float""#, "the name 'TIME' is reserved"),
      (#""NAME": "kf_x", "TYPE": "float""#, "the name 'kf_x' is reserved"),
      (#""NAME": "mix", "TYPE": "float""#, "the name 'mix' is reserved"),
      (#""NAME": "float", "TYPE": "float""#, "the name 'float' is reserved"),
      (
        #""NAME": "a", "TYPE": "audioFFT", "MAX": 0"#,
        "MAX of input 'a' must be a whole number of columns from 1 to 8192"
      ),
      (#""NAME": "a", "TYPE": "audio", "MIN": 0"#, "input 'a': an audio has no MIN"),
      (#""NAME": "a", "TYPE": "event", "DEFAULT": true"#, "input 'a': an event has no DEFAULT"),
      (#""NAME": "a", "TYPE": "vec3""#, "input 'a': there is no TYPE vec3; use float, bool,"),
      (
        #""NAME": "a", "TYPE": "float", "DEFUALT": 1"#,
        "input 'a': unknown key DEFUALT; did you mean 'DEFAULT'?"
      ),
      (
        #""NAME": "a", "TYPE": "float", "DEFAULT": "1""#,
        "DEFAULT of input 'a' must be a number, not a string"
      ),
      (
        #""NAME": "a", "TYPE": "float", "DEFAULT": 2"#,
        "DEFAULT of input 'a' must be a number from 0 to 1"
      ),
      (#""NAME": "a", "TYPE": "float", "MIN": 0"#, "input 'a' needs both MIN and MAX"),
      (#""NAME": "a", "TYPE": "float", "MIN": 2, "MAX": 1"#, "MIN of input 'a' is above its MAX"),
      (
        #""NAME": "a", "TYPE": "long", "DEFAULT": 1.5"#,
        "DEFAULT of input 'a' must be a whole number of 32 bits"
      ),
      (
        #""NAME": "a", "TYPE": "long", "VALUES": [1], "LABELS": ["x", "y"]"#,
        "input 'a' must have as many LABELS as VALUES"
      ),
      (
        #""NAME": "a", "TYPE": "long", "VALUES": [1], "DEFAULT": 2"#,
        "DEFAULT of input 'a' must be one of 1"
      ),
      (
        #""NAME": "a", "TYPE": "color", "DEFAULT": [1, 1, 1]"#,
        "DEFAULT of input 'a' must have 4 numbers"
      ),
      (
        #""NAME": "a", "TYPE": "point2D", "MIN": [0, 0], "MAX": [1, 1], "DEFAULT": [0, 2]"#,
        "DEFAULT of input 'a' must be two numbers x/y from 0/0 to 1/1"
      ),
      (#""NAME": "b", "TYPE": "float""#, "the name 'b' is declared twice"),
    ])
  func inputMistakes(members: String, message: String) throws {
    let json = #"{"INPUTS": [{"NAME": "b", "TYPE": "bool"}, {"# + members + "}]}"
    let error = try #require(throws: EffectError.self) { try header(json) }
    #expect(error.description.contains("error: \(message)"))
  }

  @Test("A mistake in a constant's formula is shown at its place")
  func constantMistake() throws {
    let json = """
      {
        "CONSTANTS": [{"NAME": "x", "VALUE": "1 + later"},
          {"NAME": "later", "VALUE": 2}]
      }
      """
    let error = try #require(throws: EffectError.self) { try header(json) }
    #expect(
      error.description == """
        a.comp:2:45: error: constant 'x': there is no value 'later'
          "CONSTANTS": [{"NAME": "x", "VALUE": "1 + later"},
        \(String(repeating: " ", count: 44))^
        """)
    let twice = #"{"CONSTANTS": [{"NAME": "x", "VALUE": 1}, {"NAME": "x", "VALUE": 2}]}"#
    #expect(throws: EffectError.self) { try header(twice) }
    let type = #"{"CONSTANTS": [{"NAME": "x", "TYPE": "vec2", "VALUE": 1}]}"#
    #expect(throws: EffectError.self) { try header(type) }
  }

  @Test("Ten thousand inputs and constants are read fast, not comparing each with all others")
  func many() throws {
    let numbers = 0..<10_000
    let inputs = numbers.map { #"{"NAME": "i\#($0)", "TYPE": "float"}"# }
    let constants = numbers.map { #"{"NAME": "c\#($0)", "VALUE": "i\#($0) + 1"}"# }
    let list = inputs.joined(separator: ",\n")
    let native = try header(
      "{\"INPUTS\": [\(list)],\n\"CONSTANTS\": [\(constants.joined(separator: ","))]}")
    #expect(native.inputs.count == 10_000 && native.constants.count == 10_000)
    let last = try #require(native.constants.last?.expression)
    // After the built-in values and the inputs before its own.
    #expect(last.instructions.first == .variable(FrameVariables.builtIns.count + 9_999))
    let twice = try #require(throws: EffectError.self) {
      try header("{\"INPUTS\": [\(list), \(inputs[0])]}")
    }
    #expect(twice.description.contains("the name 'i0' is declared twice"))
    let passes = #"{"PASSES": [{"TARGET": "i9999"}, {}], "INPUTS": [\#(list)]}"#
    let taken = try #require(throws: EffectError.self) { try header(passes) }
    #expect(taken.description.contains("needs the name 'i9999', which is an input already"))
    let isf = try EffectFile(
      path: "a.fs", source: "/*{\"INPUTS\": [\(list)]}*/\nvoid main() {}\n")
    #expect(isf.header.inputs.count == 10_000)
  }

  @Test("Of a repeated key, where that is allowed, the last one counts, in its place")
  func lastKey() throws {
    let text = #"{"a": 1, "b": 2, "a": 3, "c": 4}"#
    let members = try LocatedJSONParser.parse(text, takesLast: true).value.fields
    #expect(members.map(\.key) == ["b", "a", "c"])
    #expect(members[1].value.value == .number(3))
    let error = try #require(throws: LocatedError.self) { try LocatedJSONParser.parse(text) }
    #expect(error == LocatedError(offset: 17, message: "the key \"a\" is given twice"))
  }

  @Test("Text that is no header never causes a crash", arguments: 0..<200)
  func truncated(length: Int) throws {
    let source = """
      /*{"DESCRIPTION": "a\\u00e9\\ud83d\\ude00", "INPUTS": [{"NAME": "a", "TYPE": "color",
      "DEFAULT": [1, 0.5, 0, 1]}], "CONSTANTS": [{"NAME": "c", "VALUE": "a.r > 0 ? 1 : floor(2)"}]}*/
      """
    let cut = String(decoding: source.utf8.prefix(length), as: UTF8.self)
    _ = try? EffectFile(path: "a.comp", source: cut)
    #expect(try EffectFile(path: "a.comp", source: source).header.description == "a\u{e9}\u{1F600}")
  }

  @Test("An alias must be a name of its own")
  func aliases() throws {
    let input = #"{"NAME": "amount", "TYPE": "float", "ALIASES": ["radius", "size"]}"#
    #expect(try header("{\"INPUTS\": [\(input)]}").inputs[0].aliases == ["radius", "size"])
    for (other, message) in [
      (#"{"NAME": "radius", "TYPE": "float"}"#, "the alias 'radius' is the name of another input"),
      (
        #"{"NAME": "b", "TYPE": "bool", "ALIASES": ["size"]}"#,
        "the alias 'size' is the name of another input"
      ),
      (#"{"NAME": "b", "TYPE": "bool", "ALIASES": ["b"]}"#, "the alias 'b' is given twice"),
      (#"{"NAME": "b", "TYPE": "bool", "ALIASES": ["1"]}"#, "the name '1' must be letters"),
      (#"{"NAME": "b", "TYPE": "bool", "ALIASES": "c"}"#, "must be an array [ ], not a string"),
    ] {
      let error = #expect(throws: EffectError.self) {
        try header("{\"INPUTS\": [\(input), \(other)]}")
      }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "no error")")
    }
  }

  @Test("Names, units and categories that differ from other effects are told")
  func vocabulary() throws {
    func found(_ json: String) throws -> [String] {
      EffectVocabulary.differences(in: try header(json)).map(\.message)
    }
    func input(_ name: String, _ high: Double = 1) -> String {
      #"{"NAME": "\#(name)", "TYPE": "float", "MIN": 0, "MAX": \#(high), "DEFAULT": 1}"#
    }
    func constant(_ formula: String) -> String {
      #"{"INPUTS": [\#(input("width"))], "CONSTANTS": [{"NAME": "far", "VALUE": "\#(formula)"}]}"#
    }
    #expect(try found(#"{"CATEGORIES": ["Blur", "Color"]}"#) == [])
    #expect(
      try found(#"{"CATEGORIES": ["Blurs"]}"#)
        == ["there is no category \"Blurs\"; did you mean 'Blur'?"])
    #expect(try found(#"{"CATEGORIES": ["Zebra"]}"#)[0].contains("use one of Blur, Color,"))
    #expect(try found("{\"INPUTS\": [\(input("strength"))]}")[0].contains("name it 'amount'"))
    #expect(try found("{\"INPUTS\": [\(input("strength")), \(input("amount"))]}") == [])
    #expect(try found("{\"INPUTS\": [\(input("angle", 6.2832))]}")[0].contains("radians"))
    #expect(try found("{\"INPUTS\": [\(input("angle", 360))]}") == [])
    #expect(try found(constant("width * HEIGHT"))[0].contains("a part of HEIGHT"))
    #expect(try found(constant("width * WIDTH"))[0].contains("a part of WIDTH"))
    #expect(try found(constant("width * SIDE")) == [])
    #expect(try found(constant("HEIGHT / 288")) == [])
  }
}
