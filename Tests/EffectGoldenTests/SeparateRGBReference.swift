import EffectLab
import Frames
import Glibc

/// The RGB split computed on the CPU from its definition, without the effect's own code.
struct SeparateRGBReference {
  let amount: Double

  /// Returns lattice noise: corner values fract(sin(n) * 43758.5453) with n = x + 57 y + 113 z, blended
  /// by f * f * (3 - 2 f) along each axis.
  static func noise(_ x: Double, _ y: Double, _ z: Double) -> Double {
    func corner(_ i: Double, _ j: Double, _ k: Double) -> Double {
      let value = sin(i + 57 * j + 113 * k) * 43758.5453
      return value - value.rounded(.down)
    }
    func smooth(_ value: Double) -> (cell: Double, weight: Double) {
      let cell = value.rounded(.down)
      let f = value - cell
      return (cell, f * f * (3 - 2 * f))
    }
    let (i, u) = smooth(x)
    let (j, v) = smooth(y)
    let (k, w) = smooth(z)
    var sum = 0.0
    for (dx, wx) in [(0.0, 1 - u), (1.0, u)] {
      for (dy, wy) in [(0.0, 1 - v), (1.0, v)] {
        for (dz, wz) in [(0.0, 1 - w), (1.0, w)] {
          sum += wx * wy * wz * corner(i + dx, j + dy, k + dz)
        }
      }
    }
    return sum
  }

  /// Returns the offsets of red and green in whole pixels.
  func offsets(
    time: Double, width: Int, height: Int
  ) -> (red: (x: Int, y: Int), green: (x: Int, y: Int)) {
    let ox = (Self.noise(time * 10, 0, 0) * 2 - 1) * 0.025 * amount * Double(width)
    let oy = (Self.noise(time * 10, 1, 0) * 2 - 1) * 0.010 * amount * Double(height)
    func whole(_ value: Double) -> Int { Int(value.rounded(.down)) }
    return ((whole(ox), whole(oy)), (whole(-ox), whole(-oy)))
  }

  func apply(to picture: RGBAImage, time: Double) -> RGBAImage {
    let (red, green) = offsets(time: time, width: picture.width, height: picture.height)
    return RGBAImage(width: picture.width, height: picture.height) { x, y in
      (
        picture.channel(0, x: x + red.x, y: y + red.y),
        picture.channel(1, x: x + green.x, y: y + green.y),
        picture.channel(2, x: x, y: y), 255
      )
    }
  }
}
