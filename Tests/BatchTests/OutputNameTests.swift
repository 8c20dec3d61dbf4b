import Testing

@testable import Batch

@Suite("Names of a batch's outputs") struct OutputNameTests {
  private func name(_ pattern: String, _ input: String, effects: [String] = ["vhs"]) throws
    -> String
  {
    try OutputName(pattern).name(
      for: input, number: (7, 120), effects: effects, fileExtension: "mov")
  }

  @Test(
    "Each field stands for its part of the input",
    arguments: [
      ("{stem}{ext}", "clips/a.b.mp4", "a.b.mov"),
      ("{name}-{index}.mkv", "clips/a.mp4", "a.mp4-007.mkv"),
      ("{effect}/{stem}{ext}", "a.mp4", "vhs/a.mov"),
      ("{stem}{ext}", "shots/shot-%04d.png", "shot.mov"),
      ("{stem}{ext}", "shots/%d.png", "images.mov"),
      ("{stem}{ext}", ".hidden", ".hidden.mov"),
      ("{stem}{ext}", "noextension", "noextension.mov"),
    ])
  func fields(pattern: String, input: String, expected: String) throws {
    #expect(try name(pattern, input) == expected)
  }

  @Test("Several effects are joined, and no effect has a word too")
  func effects() throws {
    #expect(try name("{effect}", "a.mp4", effects: ["vhs", "edges"]) == "vhs-edges")
    #expect(try name("{effect}", "a.mp4", effects: []) == "plain")
  }

  @Test(
    "A pattern that cannot be a name is a usage error that says why",
    arguments: [
      ("", "is empty"), ("{stem", "has a brace without its partner"),
      ("a}b", "has a brace without its partner"), ("{what}", "has no field {what}"),
      ("/tmp/{stem}", "leads out of the output folder"),
      ("../{stem}", "leads out of the output folder"),
      ("{stem}-%04d.png", "has a %, but a batch writes one file for each input"),
    ])
  func mistakes(pattern: String, problem: String) throws {
    let error = try #require(throws: BatchError.self) { try OutputName(pattern) }
    #expect(error.isUsageError && error.description.contains(problem), "\(error)")
  }
}
