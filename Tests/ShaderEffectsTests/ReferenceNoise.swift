import Foundation

/// Returns value noise written from its description alone: the eight corners, each weighted by the
/// product of its three weights.
func referenceNoise(_ x: Double, _ y: Double, _ z: Double) -> Double {
  let point = [x, y, z]
  let cell = point.map { floor($0) }
  let weights = zip(point, cell).map { p, c -> Double in
    let f = p - c
    return f * f * (3 - 2 * f)
  }
  var sum = 0.0
  for corner in 0..<8 {
    let steps = [corner & 1, corner >> 1 & 1, corner >> 2 & 1]
    let lattice = zip(cell, steps).map { $0 + Double($1) }
    let n = sin(lattice[0] + 57 * lattice[1] + 113 * lattice[2]) * 43758.5453
    let weight = zip(weights, steps).reduce(1) { $0 * ($1.1 == 1 ? $1.0 : 1 - $1.0) }
    sum += weight * (n - floor(n))
  }
  return sum
}
