import Frames
import Testing

@testable import Capture

@Suite("Display matrices")
struct DisplayMatrixTests {
  private static let one: Int32 = 65536

  @Test(
    "A matrix sends each stored corner to where it is seen",
    arguments: [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
      + [(-1, 0, 0, 1), (0, -1, -1, 0), (1, 0, 0, -1), (0, 1, 1, 0)]
      as [(Int32, Int32, Int32, Int32)])
  func corners(a: Int32, b: Int32, c: Int32, d: Int32) throws {
    let one = Self.one
    let orientation = try #require(
      Orientation(matrix: (a * one, b * one, c * one, d * one)))
    let (width, height) = (7, 4)
    let map = orientation.storedPixel(width: width, height: height)
    let seenWidth = orientation.swapsAxes ? height : width
    let seenHeight = orientation.swapsAxes ? width : height
    for y in 0..<seenHeight {
      for x in 0..<seenWidth {
        let stored = (
          x: map.origin.x + x * map.dx.x + y * map.dy.x,
          y: map.origin.y + x * map.dx.y + y * map.dy.y
        )
        // ISO/IEC 14496-12: (x', y') = (a x + c y, b x + d y), then moved so that the picture
        // starts at the origin.
        var seen = (
          Int(a) * stored.x + Int(c) * stored.y, Int(b) * stored.x + Int(d) * stored.y
        )
        if a + c < 0 { seen.0 += seenWidth - 1 }
        if b + d < 0 { seen.1 += seenHeight - 1 }
        #expect(seen == (x, y))
      }
    }
  }

  @Test("A matrix that is no quarter turn is refused")
  func others() {
    let one = Self.one
    #expect(Orientation(matrix: (0, 0, 0, 0)) == nil)
    #expect(Orientation(matrix: (one / 2, 0, 0, one)) == nil)
    #expect(Orientation(matrix: (one, one, 0, one)) == nil)
    #expect(Orientation(matrix: (.min, 0, 0, .min)) == nil)
  }
}
