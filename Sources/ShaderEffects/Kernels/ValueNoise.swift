import Glibc

/// Value noise on the integer lattice, in double precision.
///
/// The lattice corner `(x, y, z)` has the value `hash(x + 57y + 113z)`; a point between corners blends
/// the eight corners around it with the weight f*f*(3-2f) per axis.
enum ValueNoise {
  /// Returns a pseudo-random number from 0 to 1.
  static func hash(_ n: Double) -> Double {
    let value = sin(n) * 43758.5453
    return value - value.rounded(.down)
  }

  static func noise(_ x: Double, _ y: Double, _ z: Double) -> Double {
    let corner = (x.rounded(.down), y.rounded(.down), z.rounded(.down))
    let (u, v, w) = (weight(x - corner.0), weight(y - corner.1), weight(z - corner.2))
    let n = corner.0 + 57 * corner.1 + 113 * corner.2
    func alongX(_ n: Double) -> Double { mix(hash(n), hash(n + 1), u) }
    func face(_ n: Double) -> Double { mix(alongX(n), alongX(n + 57), v) }
    return mix(face(n), face(n + 113), w)
  }

  private static func weight(_ f: Double) -> Double { f * f * (3 - 2 * f) }

  private static func mix(_ a: Double, _ b: Double, _ weight: Double) -> Double {
    a * (1 - weight) + b * weight
  }
}
