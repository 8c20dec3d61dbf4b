/// The curve between coded values and the light that a display makes of them, 0 to 1 each.
///
/// Values outside 0 to 1 follow the same curve, and negative ones its mirror image, so that colours outside the gamut
/// survive the way to light and back.
public enum LightCurve: Sendable, Equatable {
  /// Light is the coded value to this power.
  case power(Double)
  /// IEC 61966-2-1: a line near black, then a power of 2.4.
  case sRGB
  /// SMPTE ST 2084, in parts of the 203 cd/m² of its reference white (BT.2408-5).
  case pq
  /// BT.2100-2: light of the scene, without the OOTF, which would mix the components; the reference white, 75 % of the
  /// signal, is 1.
  case hlg

  /// The curve for effects that see light; nil for logarithmic transfers, and if the coded values are light already.
  public init?(effectsSee transfer: UInt8) {
    switch transfer {
    case 16: self = .pq
    case 18: self = .hlg
    default: self.init(transfer: transfer)
    }
  }

  /// The curve of a transfer (H.273 TransferCharacteristics); nil if the coded values are light already, or are
  /// processed as they are: PQ and HLG, whose light a filter would spread too far, and logarithmic ones.
  ///
  /// The transfers of video cameras mean a display after BT.1886, as in zimg and libplacebo: a power of 2.4.
  init?(transfer: UInt8) {
    switch transfer {
    case 1, 6, 7, 11, 12, 14, 15: self = .power(2.4)
    case 4: self = .power(2.2)
    case 5: self = .power(2.8)
    case 13: self = .sRGB
    case 17: self = .power(2.6)
    default: return nil
    }
  }

  /// GLSL for `vec3 kf_toLight(vec3 v)`.
  ///
  /// A power of 2.4 is a square times a polynomial of the square root, which takes a third of the time of `pow` on
  /// lavapipe. The error for values up to 2 is below 0.008 of an 8-bit code, or 0.0035 for sRGB.
  var toLight: String {
    switch self {
    case .power(2.4):
      """
      vec3 kf_toLight(vec3 v) {
        vec3 a = abs(v), s = sqrt(a);
        return v * a * \(polynomial([
          0.022568752, 1.4663915, -1.291185, 1.6799022, -1.3731877, 0.60504611, -0.10948979,
        ], of: "s"));
      }
      """
    case .power(let exponent):
      """
      vec3 kf_toLight(vec3 v) { return sign(v) * pow(max(abs(v), \(Self.least)), vec3(\(exponent))); }
      """
    case .sRGB:
      """
      vec3 kf_toLight(vec3 v) {
        vec3 a = abs(v), y = a * \(1 / 1.055) + \(0.055 / 1.055), s = sqrt(y);
        vec3 curved = y * y * \(polynomial([
          0.04052882, 1.2881176, -0.62603351, 0.46244322, -0.20225398, 0.03719814,
        ], of: "s"));
        return sign(v) * mix(curved, a * \(1 / 12.92), lessThanEqual(a, vec3(0.04045)));
      }
      """
    case .pq:
      """
      vec3 kf_toLight(vec3 v) {
        vec3 p = pow(max(abs(v), \(Self.least)), vec3(\(1 / PQ.m2)));
        vec3 l = max(p - \(PQ.c1), 0.0) / (\(PQ.c2) - \(PQ.c3) * p);
        return sign(v) * pow(max(l, \(Self.least)), vec3(\(1 / PQ.m1))) * \(ToneMap.largest / ToneMap.white);
      }
      """
    case .hlg:
      """
      vec3 kf_toLight(vec3 v) {
        vec3 a = abs(v);
        return sign(v) * mix(a * a * \(1 / 3 / HLG.white),
          (exp((a - \(HLG.c)) * \(1 / HLG.a)) + \(HLG.b)) * \(1 / 12 / HLG.white), greaterThan(a, vec3(0.5)));
      }
      """
    }
  }

  /// GLSL for `vec3 kf_toCoded(vec3 v)`, the way back.
  var toCoded: String {
    switch self {
    case .power(let exponent):
      """
      vec3 kf_toCoded(vec3 v) { return sign(v) * pow(max(abs(v), \(Self.least)), vec3(\(1 / exponent))); }
      """
    case .sRGB:
      """
      vec3 kf_toCoded(vec3 v) {
        vec3 a = abs(v);
        vec3 curved = 1.055 * pow(max(a, \(Self.least)), vec3(\(1 / 2.4))) - 0.055;
        return sign(v) * mix(curved, a * 12.92, lessThanEqual(a, vec3(0.0031308)));
      }
      """
    case .pq:
      """
      vec3 kf_toCoded(vec3 v) {
        vec3 l = pow(max(abs(v) * \(ToneMap.white / ToneMap.largest), \(Self.least)), vec3(\(PQ.m1)));
        return sign(v) * pow((\(PQ.c1) + \(PQ.c2) * l) / (1.0 + \(PQ.c3) * l), vec3(\(PQ.m2)));
      }
      """
    case .hlg:
      """
      vec3 kf_toCoded(vec3 v) {
        vec3 a = abs(v) * \(HLG.white);
        return sign(v) * mix(sqrt(3.0 * a), log(max(12.0 * a - \(HLG.b), \(Self.least))) * \(HLG.a) + \(HLG.c),
          greaterThan(a, vec3(\(1.0 / 12))));
      }
      """
    }
  }

  /// `toLight` as a function of another name.
  public func toLight(name: String) -> String {
    toLight.replacing("kf_toLight", with: name)
  }

  /// `toCoded` as a function of another name.
  public func toCoded(name: String) -> String {
    toCoded.replacing("kf_toCoded", with: name)
  }

  /// A power of zero is not defined on every driver; the sign makes this value zero again.
  private static let least = "vec3(1e-12)"
}
