import Frames
import Testing
import Settings

@testable import kfrec

@Suite struct ValueGrammarTests {
  @Test(
    "times are seconds, MM:SS or HH:MM:SS, and exact",
    arguments: [
      ("0", Rational(0)), ("2.5", Rational(5, 2)), (".04", Rational(1, 25)), ("7.", Rational(7)),
      ("1:30", Rational(90)), ("00:01:30.5", Rational(181, 2)), ("100:00:00", Rational(360_000)),
      ("0.033333333", Rational(33_333_333, 1_000_000_000)), ("90", Rational(90)),
    ])
  func times(_ word: String, _ time: Rational) throws {
    #expect(try ValueGrammar<Rational>.time().parse(word) == time)
  }

  @Test(
    "a word that is no time is refused",
    arguments: [
      "", ".", ":", "1:", "-1", "+1", "1e3", "1:60", "1:75:00", "1:2:3:4", "1.2.3", "1s", "nan",
      "0x10", "99999999999999999999", "1.0000000001", "９",
    ])
  func noTimes(_ word: String) throws {
    #expect(try ValueGrammar<Rational>.time().parse(word) == nil)
  }

  @Test("a duration of zero is refused, and a start at zero is not")
  func zeroTime() throws {
    #expect(try ValueGrammar<Rational>.time(positive: true).parse("0.0") == nil)
    #expect(try ValueGrammar<Rational>.time().parse("0.0") == .zero)
  }

  @Test(
    "frame rates are numbers or fractions, and exact",
    arguments: [
      ("25", Rational(25)), ("30000/1001", Rational(30000, 1001)), ("29.97", Rational(2997, 100)),
      ("1/10", Rational(1, 10)),
    ])
  func rates(_ word: String, _ rate: Rational) throws {
    #expect(try ValueGrammar<Rational>.frameRate.parse(word) == rate)
  }

  @Test(
    "a word that is no frame rate is refused",
    arguments: ["", "0", "1/0", "/", "5/", "a", "1/2/3", "9999"])
  func noRates(_ word: String) throws {
    #expect(try ValueGrammar<Rational>.frameRate.parse(word) == nil)
  }

  @Test(
    "bit rates accept k and M as powers of ten",
    arguments: [("8M", 8_000_000), ("1.5M", 1_500_000), ("900k", 900_000), ("64000", 64000)])
  func bitrates(_ word: String, _ bits: Int) throws {
    #expect(try ValueGrammar<Int>.bitrate.parse(word) == bits)
  }

  @Test(
    "a word that is no bit rate is refused",
    arguments: ["", "M", "8G", "0", "-8M", "8MM", "9999999M", "8 M"])
  func noBitrates(_ word: String) throws {
    #expect(try ValueGrammar<Int>.bitrate.parse(word) == nil)
  }

  @Test("a size may omit one side")
  func sizes() throws {
    let size = ValueGrammar<ImageSize>.size
    #expect(try size.parse("1280x720") == ImageSize(width: 1280, height: 720))
    #expect(try size.parse("1280x") == ImageSize(width: 1280, height: nil))
    #expect(try size.parse("x720") == ImageSize(width: nil, height: 720))
    for word in ["", "x", "1280", "0x720", "1280x0", "16385x1", "1x2x3", "-1x5", "1280X720", "a"] {
      #expect(try size.parse(word) == nil, "\(word)")
    }
  }

  @Test("an omitted side follows the aspect ratio, halves rounded up, and is at least one")
  func openSides() {
    let shape = (width: 1280, height: 720)
    #expect(ImageSize(width: 640, height: nil).filled(from: shape) == (640, 360))
    #expect(ImageSize(width: nil, height: 100).filled(from: shape) == (178, 100))
    #expect(ImageSize(width: 1, height: nil).filled(from: shape) == (1, 1))
    #expect(ImageSize(width: 3, height: 5).filled(from: shape) == (3, 5))
  }
}
