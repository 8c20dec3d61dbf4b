import Testing

@testable import Capture

@Suite("JPEG frames of a camera")
struct JPEGEndTests {
  private func areWhole(_ pictures: [[UInt8]]) -> [Bool] {
    var end = JPEGEnd()
    return pictures.map { picture in picture.withUnsafeBytes { end.isWhole($0) } }
  }

  private let whole: [UInt8] = [0xff, 0xd8, 1, 2, 3, 0xff, 0, 4, 0xff, 0xd9]

  @Test("a frame with its end marker is whole, also with padding or old bytes behind it")
  func padding() {
    #expect(areWhole([whole, whole + [0, 0, 0], whole + [7, 8, 9, 0]]) == [true, true, true])
  }

  @Test("a frame without its end marker is truncated, unless the camera never sends one")
  func cutOff() {
    let cut = Array(whole.dropLast())
    #expect(
      areWhole([whole, cut, whole, Array(whole.prefix(3)), []])
        == [true, false, true, false, false])
    #expect(areWhole([cut, cut]) == [true, true])
  }
}
