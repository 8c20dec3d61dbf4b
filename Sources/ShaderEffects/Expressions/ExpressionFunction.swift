import Glibc

/// The operators and functions of an expression; a comparison returns 1 or 0.
enum ExpressionFunction: String, CaseIterable {
  case floor, ceil, round, fract, abs, sign, sqrt, sin, cos, exp, log, hash
  case pow, min, max, step, mod
  case clamp, mix, smoothstep, noise
  case negate = "-x"
  case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
  case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
  case equal = "==", notEqual = "!="
  case select = "?:"

  var argumentCount: Int {
    switch self {
    case .floor, .ceil, .round, .fract, .abs, .sign, .sqrt, .sin, .cos, .exp, .log, .hash, .negate:
      1
    case .pow, .min, .max, .step, .mod, .add, .subtract, .multiply, .divide, .remainder, .less,
      .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual:
      2
    case .clamp, .mix, .smoothstep, .noise, .select: 3
    }
  }

  /// The functions that are called by name.
  static let named: [ExpressionFunction] = allCases.filter {
    $0.rawValue.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  func callAsFunction(_ a: Double, _ b: Double, _ c: Double) -> Double {
    switch self {
    case .floor: a.rounded(.down)
    case .ceil: a.rounded(.up)
    case .round: a.rounded()
    case .fract: a - a.rounded(.down)
    case .abs: Swift.abs(a)
    case .sign: a > 0 ? 1 : a < 0 ? -1 : 0
    case .sqrt: a.squareRoot()
    case .sin: Glibc.sin(a)
    case .cos: Glibc.cos(a)
    case .exp: Glibc.exp(a)
    case .log: Glibc.log(a)
    case .hash: ValueNoise.hash(a)
    case .negate: -a
    case .pow: Glibc.pow(a, b)
    case .min: Swift.min(a, b)
    case .max: Swift.max(a, b)
    case .step: b < a ? 0 : 1
    case .mod, .remainder: a - b * (a / b).rounded(.down)
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .less: a < b ? 1 : 0
    case .lessOrEqual: a <= b ? 1 : 0
    case .greater: a > b ? 1 : 0
    case .greaterOrEqual: a >= b ? 1 : 0
    case .equal: a == b ? 1 : 0
    case .notEqual: a != b ? 1 : 0
    case .clamp: Swift.min(Swift.max(a, b), c)
    case .mix: a * (1 - c) + b * c
    case .smoothstep: Self.smooth(a, b, c)
    case .noise: ValueNoise.noise(a, b, c)
    case .select: a != 0 ? b : c
    }
  }

  private static func smooth(_ from: Double, _ to: Double, _ x: Double) -> Double {
    let t = Swift.min(Swift.max((x - from) / (to - from), 0), 1)
    return t * t * (3 - 2 * t)
  }
}

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
