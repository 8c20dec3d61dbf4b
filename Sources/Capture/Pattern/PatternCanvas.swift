/// Draws rectangles and digits into rows of 32-bit pixels; parts outside the image are cut off.
struct PatternCanvas {
  let target: UnsafeMutableRawBufferPointer
  let stride: Int
  let width: Int
  let height: Int

  /// Fills a rectangle.
  func fill(x: Int, y: Int, width: Int, height: Int, color: UInt32) {
    let left = max(x, 0)
    let right = min(x + width, self.width)
    guard left < right else { return }
    for row in max(y, 0)..<max(min(y + height, self.height), max(y, 0)) {
      for column in left..<right {
        target.storeBytes(of: color, toByteOffset: row * stride + column * 4, as: UInt32.self)
      }
    }
  }

  /// Writes digits, points and spaces of 5x7 dots with one empty dot between them; a dot is `scale`
  /// pixels wide.
  func write(_ text: String, x: Int, y: Int, scale: Int, color: UInt32) {
    for (index, character) in text.utf8.enumerated() {
      guard let rows = PatternCanvas.glyphs[character] else { continue }
      for (row, dots) in rows.enumerated() {
        for column in 0..<5 where dots & (16 >> UInt8(column)) != 0 {
          fill(
            x: x + (index * 6 + column) * scale, y: y + row * scale, width: scale, height: scale,
            color: color)
        }
      }
    }
  }

  private static let glyphs: [UInt8: [UInt8]] = [
    UInt8(ascii: "0"): [14, 17, 19, 21, 25, 17, 14],
    UInt8(ascii: "1"): [4, 12, 4, 4, 4, 4, 14],
    UInt8(ascii: "2"): [14, 17, 1, 2, 4, 8, 31],
    UInt8(ascii: "3"): [31, 2, 4, 2, 1, 17, 14],
    UInt8(ascii: "4"): [2, 6, 10, 18, 31, 2, 2],
    UInt8(ascii: "5"): [31, 16, 30, 1, 1, 17, 14],
    UInt8(ascii: "6"): [6, 8, 16, 30, 17, 17, 14],
    UInt8(ascii: "7"): [31, 1, 2, 4, 8, 8, 8],
    UInt8(ascii: "8"): [14, 17, 17, 14, 17, 17, 14],
    UInt8(ascii: "9"): [14, 17, 17, 15, 1, 2, 12],
    UInt8(ascii: "."): [0, 0, 0, 0, 0, 12, 12],
  ]
}
