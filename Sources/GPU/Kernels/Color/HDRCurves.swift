import Glibc

/// The curve of SMPTE ST 2084, between coded values from 0 to 1 and light in parts of 10000 cd/m².
enum PQ {
  static let m1 = 2610.0 / 16384
  static let m2 = 2523.0 / 4096 * 128
  static let c1 = 3424.0 / 4096
  static let c2 = 2413.0 / 4096 * 32
  static let c3 = 2392.0 / 4096 * 32

  static func coded(_ light: Double) -> Double {
    let power = pow(light, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  static func light(_ coded: Double) -> Double {
    let power = pow(coded, 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// GLSL for `vec3 kf_pqLight(vec3 v)`.
  ///
  /// The sixth root of the light is a polynomial of the square root of the coded value. The error is below 0.031 of
  /// an 8-bit code of SDR for light up to its white, and 0.09 % of the light above that.
  static var glsl: String {
    """
    vec3 kf_pqLight(vec3 v) {
      vec3 s = sqrt(clamp(v, 0.0, 1.0));
      vec3 w = \(polynomial([
        0.0124359253, 1.00543884, -5.78833652, 32.5183763, -111.086493, 243.187912, -337.742292, 288.767925,
        -138.572558, 28.6976781,
      ], of: "s"));
      w *= w * w;
      return w * w;
    }
    """
  }
}

/// The numbers of the curve of HLG between the signal and the light of the scene, 0 to 1 each (BT.2100-2 table 5).
enum HLG {
  static let a = 0.17883277
  static let b = 1 - 4 * a
  static let c = 0.5 - a * log(4 * a)
  /// The light of the scene at the reference white, which is 75 % of the signal (BT.2408-5 table 1).
  static let white = (exp((0.75 - c) / a) + b) / 12

  static func coded(_ light: Double) -> Double {
    light <= 1.0 / 12 ? (3 * light).squareRoot() : a * log(12 * light - b) + c
  }
}
