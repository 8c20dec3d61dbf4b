import Foundation

/// HDR to SDR in double precision, from the published formulas; independent of the code under test.
enum HDRReference {
  /// SMPTE ST 2084, 5.2: cd/m² of a coded value.
  static func pqLight(_ value: Double) -> Double {
    let (m1, m2) = (0.1593017578125, 78.84375)
    let (c1, c2, c3) = (0.8359375, 18.8515625, 18.6875)
    let root = pow(min(max(value, 0), 1), 1 / m2)
    return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  /// The inverse of it.
  static func pqCode(_ light: Double) -> Double {
    let power = pow(light / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  /// BT.2100-2 table 5: the light of a display of 1000 cd/m².
  static func hlgLight(_ v: [Double]) -> [Double] {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let scene = v.map { code -> Double in
      let code = max(code, 0)
      return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }
    let luma = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
    return scene.map { luma > 0 ? 1000 * pow(luma, 0.2) * $0 : 0 }
  }

  /// BT.2390-8 5.4.1, with black at zero: the light to which a light is compressed, in cd/m².
  static func compressed(_ light: Double, peak: Double) -> Double {
    let top = pqCode(peak)
    let largest = pqCode(203) / top
    let knee = 1.5 * largest - 0.5
    let e = min(pqCode(light) / top, 1)
    guard e >= knee, knee < 1 else { return pqLight(e * top) }
    let t = (e - knee) / (1 - knee)
    let p =
      (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
      + (-2 * t * t * t + 3 * t * t) * largest
    return pqLight(p * top)
  }

  /// BT.2087-0, annex 2: from the primaries of BT.2020 to those of BT.709.
  private static let toBT709 = [
    [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349],
    [-0.018151, -0.100579, 1.118730],
  ]

  /// The light in BT.709's primaries, 1 for white, before the colours that it does not have are moved.
  static func light(_ v: [Double], isPQ: Bool, peak: Double) -> [Double] {
    let shown = isPQ ? v.map(pqLight) : hlgLight(v)
    let light = toBT709.map { row in zip(row, shown).reduce(0) { $0 + $1.0 * $1.1 } }
    let brightest = light.max() ?? 0
    guard brightest > 0 else { return [0, 0, 0] }
    let factor = compressed(brightest, peak: peak) / brightest
    return light.map { $0 * factor / 203 }
  }

  static func luma(_ v: [Double]) -> Double { 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] }

  /// The coded colour of SDR, 0 to 1 each.
  static func standard(_ v: [Double], isPQ: Bool, peak: Double) -> [Double] {
    let light = light(v, isPQ: isPQ, peak: peak)
    let gray = luma(light)
    // How far it is toward the edge of BT.709, in parts of the way; from 0.9 on it is bent, so that 2.24 becomes 1.
    let way = light.map { gray > 0 ? (gray - $0) / gray : 0 }.max() ?? 0
    var shrunk = 1.0
    if way > 0.9 {
      let over = way - 0.9
      shrunk = (0.9 + over / (1 + over * (1 / 0.1 - 1 / 1.34))) / way
    }
    return light.map { pow(min(max(gray + ($0 - gray) * shrunk, 0), 1), 1 / 2.4) }
  }
}
