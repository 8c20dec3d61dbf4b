/// How far two pictures of one size are apart.
struct PictureDifference {
  /// The largest difference of a part, 0 to 255, and where it is.
  let maximum: Int
  let worst: (x: Int, y: Int)
  /// The root of the mean square over all parts.
  let rootMeanSquare: Double
  /// The differences of colour, eight times as strong, on black; white where only alpha differs.
  let picture: RGBAPicture

  init(_ a: RGBAPicture, _ b: RGBAPicture) {
    precondition(a.width == b.width && a.height == b.height)
    var maximum = 0
    var worst = (x: 0, y: 0)
    var squares = 0.0
    for index in a.bytes.indices {
      let difference = abs(Int(a.bytes[index]) - Int(b.bytes[index]))
      squares += Double(difference * difference)
      if difference > maximum {
        maximum = difference
        worst = (index / 4 % a.width, index / 4 / a.width)
      }
    }
    self.maximum = maximum
    self.worst = worst
    rootMeanSquare = (squares / Double(a.bytes.count)).squareRoot()
    picture = RGBAPicture(width: a.width, height: a.height) { x, y in
      let apart = zip(a.parts(x: x, y: y), b.parts(x: x, y: y)).map { abs(Int($0) - Int($1)) }
      if apart[..<3].allSatisfy({ $0 == 0 }), apart[3] > 0 { return (255, 255, 255, 255) }
      let strong = apart.map { UInt8(min(8 * $0, 255)) }
      return (strong[0], strong[1], strong[2], 255)
    }
  }
}

extension RGBAPicture {
  func isNear(_ other: RGBAPicture, within limit: Int) -> Bool {
    PictureDifference(self, other).maximum <= limit
  }

  /// The parts of a pixel, for messages.
  func parts(x: Int, y: Int) -> [UInt8] { (0..<4).map { channel($0, x: x, y: y) } }
}
