import Capture
import Frames
import Testing

@Suite("A plain colour")
struct ColorTests {
  @Test(
    "the source has the requested size, rate and length, and one colour",
    arguments: [
      ("color:ff8000", PixelFormat.rgb0, [255, 128, 0, 0]),
      ("color:FF800040", .rgba, [255, 128, 0, 64]), ("color:000000ff", .rgba, [0, 0, 0, 255]),
    ])
  func pixels(input: String, format: PixelFormat, pixel: [UInt8]) throws {
    let source = try ReadSource(input) {
      $0.size = (5, 3)
      $0.frameRate = Rational(10)
      $0.frames = 2
    }
    #expect(source.times == [.zero, Rational(1, 10)])
    #expect(source.description.name == input)
    for frame in source.frames {
      #expect(frame.format.pixelFormat == format && frame.format.color == .sRGB)
      #expect(frame.packed(plane: 0) == (0..<15).flatMap { _ in pixel })
    }
  }

  @Test(
    "a word that is no colour is refused with an example",
    arguments: [
      "color:", "color:orange", "color:f80", "color:+ff800", "color:ff80001", "color:ff80000000",
    ])
  func refused(input: String) {
    let error = #expect(throws: CaptureError.self) { try openSource(SourceRequest(input: input)) }
    #expect(error?.isUsageError == true)
    #expect(
      error?.description
        == "\(input) is not a colour; write red, green and blue as color:ff8000, or with "
        + "alpha as color:ff800080")
  }
}
