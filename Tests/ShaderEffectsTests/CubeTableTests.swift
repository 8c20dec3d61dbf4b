import Testing

@testable import ShaderEffects

@Suite struct CubeTableTests {
  private func table(_ text: String) throws -> CubeTable {
    try CubeTable(Array(text.utf8), name: "look.cube")
  }

  private static let eight = (0..<8).map { "\($0) 0.5 1e-1" }.joined(separator: "\n")

  @Test("Sizes, domain and entries are read among comments, a title and all kinds of newlines")
  func read() throws {
    let cube = try table(
      """
      \u{FEFF}# a comment\r
      TITLE "Of # all 3 kinds"\r

      \tLUT_3D_SIZE 2 \r
      DOMAIN_MIN -0.5 0 .25
      DOMAIN_MAX 1 2.0 4
      # and another
      \(Self.eight)

      """)
    #expect(cube.dimensions == 3 && cube.size == 2)
    #expect(cube.low == [-0.5, 0, 0.25] && cube.high == [1, 2, 4])
    #expect(cube.entries.count == 24)
    #expect(Array(cube.entries[21...]) == [7, 0.5, 0.1])
    let curve = try table("LUT_1D_SIZE 2\rLUT_1D_INPUT_RANGE 0 2\r0 0 0\r1 1 +1")
    #expect(curve.dimensions == 1 && curve.low == [0, 0, 0] && curve.high == [2, 2, 2])
    #expect(curve.entries == [0, 0, 0, 1, 1, 1])
  }

  @Test(
    "A mistake is reported with its line",
    arguments: [
      ("", "look.cube has no LUT_3D_SIZE or LUT_1D_SIZE; is it a .cube table?"),
      ("\n0 0 0\n", "look.cube:2: an entry before LUT_3D_SIZE or LUT_1D_SIZE"),
      ("LUT_3D_SIZE 1", "look.cube:1: LUT_3D_SIZE must be a whole number from 2 to 256"),
      ("LUT_3D_SIZE 2.5", "look.cube:1: LUT_3D_SIZE must be a whole number from 2 to 256"),
      ("LUT_1D_SIZE 65537", "look.cube:1: LUT_1D_SIZE must be a whole number from 2 to 65536"),
      ("LUT_3D_SIZE", "look.cube:1: 1 numbers are expected here"),
      (
        "LUT_1D_SIZE 2\nLUT_3D_SIZE 2",
        "look.cube:2: a second size; kfrec cannot apply a curve before a cube"
      ),
      ("LUT_1D_SIZE 2\n0 0 0", "look.cube:2: ends after 1 of the 2 entries that its size needs"),
      (
        "LUT_1D_SIZE 2\n0 0 0\n0 0 0\n0 0 0",
        "look.cube:4: more than the 2 entries that its size needs"
      ),
      ("LUT_1D_SIZE 2\n0 0", "look.cube:2: 3 numbers are expected here"),
      ("LUT_1D_SIZE 2\n0 0 0 0", "look.cube:2: more than 3 numbers"),
      ("LUT_1D_SIZE 2\n0 nan 0", "look.cube:2: 'nan' is not a number"),
      ("LUT_1D_SIZE 2\n0 0x1 0", "look.cube:2: '0x1' is not a number"),
      ("LUT_1D_SIZE 2\n0 1.2.3 0", "look.cube:2: '1.2.3' is not a number"),
      ("LUT_1D_SIZE 2\n0 1e99 0", "look.cube:2: '1e99' is not a number"),
      ("LUT_SIZE 2", "look.cube:1: 'LUT_SIZE' is not a keyword of a .cube table"),
      ("DOMAIN_MIN 1 1 1\nDOMAIN_MAX 1 2 2", "look.cube:2: DOMAIN_MAX must be above DOMAIN_MIN"),
      ("DOMAIN_MAX 1 2 2\nDOMAIN_MIN 1 1 1", "look.cube:2: DOMAIN_MAX must be above DOMAIN_MIN"),
      (
        "LUT_1D_SIZE 2\nDOMAIN_MIN 2 2 2\n0 0 0\n1 1 1",
        "look.cube:2: DOMAIN_MAX must be above DOMAIN_MIN"
      ),
    ])
  func mistakes(text: String, message: String) throws {
    let error = try #require(throws: CubeTableError.self) { try table(text) }
    #expect(error.description == message)
  }

  @Test("A file that does not exist is named")
  func missing() throws {
    let error = try #require(throws: CubeTableError.self) { try CubeTable(path: "/no/such.cube") }
    #expect(
      error.description == "/no/such.cube cannot be read as a table: No such file or directory")
  }

  @Test("The texture of a table has a row that describes it before the entries")
  func picture() throws {
    let image = EffectImage(try table("LUT_3D_SIZE 2\n\(Self.eight)"))
    #expect((image.width, image.height) == (2048, 2))
    let large = try table(
      "LUT_3D_SIZE 17\n" + String(repeating: "0 0 0\n", count: 17 * 17 * 17))
    #expect(EffectImage(large).height == 1 + 3)
  }
}
