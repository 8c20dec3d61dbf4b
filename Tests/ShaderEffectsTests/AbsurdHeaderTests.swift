import Testing

@testable import ShaderEffects

/// Tests of headers that no author writes: each is refused at its place, in a sentence, however deep,
/// long or large it is.
@Suite struct AbsurdHeaderTests {
  private static let body = "vec4 effect(vec2 uv) { return framePixel(); }\n"

  /// Returns the message with which an effect's file is refused, without its place and its line.
  private func refusal(_ ending: String, _ source: String) throws -> String {
    let error = try #require(throws: EffectError.self) {
      try EffectFile(path: "a.\(ending)", source: source)
    }
    #expect(!error.isUsageError)
    let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
    // The place with the message, the source line, and the caret.
    #expect(lines.count == 3 && lines.allSatisfy { $0.count < 300 })
    let parts = lines[0].split(separator: ": ", maxSplits: 2)
    try #require(parts.count == 3 && parts[0].hasPrefix("a.\(ending):") && parts[1] == "error")
    return String(parts[2])
  }

  @Test(
    "JSON that is too deep or incomplete, and text that is no JSON, are refused",
    arguments: [
      (100_000, "[", "", "more than 32 levels deep"),
      (20_000, "{\"A\":", "1}", "more than 32 levels deep"),
      (1, "{\"DESCRIPTION\": \"\\", "", "'\\' with a letter that has no meaning"),
      (1, "{", "", "where a key in double quotes should be"),
    ])
  func json(count: Int, part: String, end: String, message: String) throws {
    let header =
      (part == "[" ? "{\"A\":" : "") + String(repeating: part, count: count) + end
    let said = try refusal("comp", "/*\(header)*/\n" + Self.body)
    #expect(said.contains(message), "\(said)")
  }

  @Test("A comment of 5 MB is read, and half a character in it is replaced")
  func long() throws {
    let long = String(repeating: "x", count: 5_000_000)
    let file = try EffectFile(
      path: "a.comp", source: "/*{\"DESCRIPTION\": \"\(long)\\ud800\"}*/\n" + Self.body)
    #expect(file.header.description.utf8.count == 5_000_003)
    #expect(file.header.description.last == "\u{FFFD}")
  }

  @Test(
    "Numbers that are none, or out of range, are refused",
    arguments: [
      (#""float", "DEFAULT": 1e999"#, "'1e999' is not a value"),
      (#""float", "DEFAULT": -1e999"#, "'-1e999' is not a value"),
      (#""float", "DEFAULT": NaN"#, "'NaN' is not a value"),
      (#""float", "DEFAULT": Infinity"#, "'Infinity' is not a value"),
      (#""float", "DEFAULT": 0x10"#, "'0x10' is not a value"),
      (#""long", "DEFAULT": 2147483648"#, "must be a whole number of 32 bits"),
      (#""long", "DEFAULT": 9223372036854775808"#, "must be a whole number of 32 bits"),
      (#""long", "DEFAULT": -1e308"#, "must be a whole number of 32 bits"),
      (#""audioFFT", "MAX": 1e308"#, "a whole number of columns from 1 to 8192"),
    ])
  func numbers(input: String, message: String) throws {
    let said = try refusal(
      "comp", #"/*{"INPUTS": [{"NAME": "a", "TYPE": \#(input)}]}*/"# + "\n" + Self.body)
    #expect(said.contains(message), "\(said)")
  }

  @Test(
    "Sizes and indexes of passes that no GPU supports are refused",
    arguments: [
      (1, "1/", "0", "WIDTH must be from 1 to 16384"),
      (1, "", "pow(2,1000)", "WIDTH must be from 1 to 16384"),
      (1, "", "4294967296", "WIDTH must be from 1 to 16384"),
      (50_000, "1+", "1", "WIDTH must be from 1 to 16384"),
      (50_001, "-", "1", "WIDTH must be from 1 to 16384"),
      (50_000, "(", "", "WIDTH: more than 64 levels deep"),
      (1, "", "$NOTHING", "WIDTH: there is no value 'NOTHING'"),
    ])
  func passes(count: Int, part: String, end: String, message: String) throws {
    let width = String(repeating: part, count: count) + end
    let pass = "{\"TARGET\": \"t\", \"WIDTH\": \"\(width)\", \"HEIGHT\": 4}"
    let said = try refusal("fs", "/*{\"PASSES\": [\(pass), {}]}*/\nvoid main() {}\n")
    #expect(said.hasPrefix(message), "\(said)")
  }

  @Test("Too many passes are refused")
  func manyPasses() throws {
    let many = (0..<500).map { "{\"TARGET\": \"t\($0)\"}" }.joined(separator: ",")
    #expect(
      try refusal("fs", "/*{\"PASSES\": [\(many)]}*/\nvoid main() {}\n")
        .hasPrefix("there are more than 12 PASSES"))
  }

  @Test(
    "shadertoy.com exports without a shader are refused",
    arguments: [
      ("[]", "it has no \"renderpass\""), ("{\"ver\": \"0.1\"}", "it has no \"renderpass\""),
      ("[{\"renderpass\": []}]", "has no pass of the type \"image\""),
    ])
  func exports(text: String, message: String) throws {
    let said = try refusal("json", text)
    #expect(said.contains(message), "\(said)")
  }
}
