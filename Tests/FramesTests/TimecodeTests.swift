import Testing

@testable import Frames

@Suite struct TimecodeTests {
  @Test(
    "a code counts on from that of the first frame",
    arguments: [
      ("01:00:00:00", Rational(25), 26, "01:00:01:01"),
      ("23:59:59:24", Rational(25), 1, "00:00:00:00"),
      ("00:00:59;28", Rational(30000, 1001), 1, "00:00:59;29"),
      ("00:00:59;29", Rational(30000, 1001), 1, "00:01:00;02"),
      ("00:09:59;29", Rational(30000, 1001), 1, "00:10:00;00"),
      ("00:00:59;59", Rational(60000, 1001), 1, "00:01:00;04"),
      ("10:00:00:23", Rational(24000, 1001), 1, "10:00:01:00"),
    ])
  func counting(_ first: String, _ rate: Rational, _ frame: Int64, _ code: String) throws {
    let timecode = try #require(Timecode(first, frameRate: rate))
    #expect(timecode.text(ofFrame: 0) == first)
    #expect(timecode.text(ofFrame: frame) == code)
  }

  @Test("a code that leaves out numbers shows the clock's hour, and each frame has its own")
  func dropping() throws {
    let timecode = try #require(Timecode("00:00:00;00", frameRate: Rational(30000, 1001)))
    #expect(timecode.text(ofFrame: 107_892) == "01:00:00;00")
    #expect(Set((0..<20_000).map { timecode.text(ofFrame: $0) }).count == 20_000)
  }

  @Test(
    "text that is no code is refused",
    arguments: ["", "1:2:3", "01:60:00:00", "00:00:00:25", "a:b:c:d"])
  func refused(_ text: String) { #expect(Timecode(text, frameRate: Rational(25)) == nil) }
}
