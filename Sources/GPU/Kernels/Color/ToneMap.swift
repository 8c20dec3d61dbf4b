public import Frames
import Glibc

/// The map from the colours of an HDR source to BT.709 colours of the standard dynamic range.
///
/// Light comes from PQ (SMPTE ST 2084) or HLG (BT.2100-2, with its OOTF for a display of 1000 cd/m²), in BT.709's primaries.
/// The brightest component of a pixel is compressed by the curve of BT.2390-8 5.4.1, from the source's peak to the white of
/// SDR, which stands for 203 cd/m² (BT.2408-5); the other components follow in proportion, so that no hue changes. Colours
/// that BT.709 does not have then have negative components: they move toward the gray of their luminance. The result is coded
/// for a display after BT.1886.
public struct ToneMap: Sendable, Equatable {
  private enum Curve { case pq, hlg }

  /// The light of SDR's white, in cd/m².
  public static let white = 203.0
  /// The largest light of PQ, in cd/m².
  static let largest = 10_000.0
  /// The light of HLG's white and the exponent of its OOTF, for a display of this peak (BT.2100-2 table 5).
  private static let hlgPeak = 1000.0
  private static let hlgGamma = 1.2
  /// The peak of a source that says nothing, in cd/m²: most HDR is made for displays of this light.
  public static let usualPeak = 1000.0

  private let curve: Curve
  private let primaries: UInt8
  /// The brightest light of the source, in cd/m².
  public let peak: Double

  /// The map of a source's colours; nil for the standard dynamic range.
  public init?(_ color: ColorDescription) {
    switch color.transfer {
    case 16:
      curve = .pq
      peak = min(max(color.hdr?.peak ?? Self.usualPeak, Self.white), Self.largest)
    case 18:
      curve = .hlg
      peak = Self.hlgPeak
    default: return nil
    }
    primaries = color.primaries
  }

  /// The part of the way from the gray to the edge of BT.709 that colours may have without a change.
  ///
  /// The rest is for all colours beyond, up to `farthest`.
  private static let nearEdge = 0.9
  /// The farthest colour of BT.2020, its blue, in parts of the way from its gray to the edge of BT.709.
  private static let farthest = 2.24

  /// GLSL for `vec3 kf_toneMapped(vec3 v)`, from the source's coded colours to those of SDR.
  var glsl: String {
    let toBT709 = RGBPrimaries.bt709.fromXYZ * (RGBPrimaries(primaries).toXYZ)
    let scale = Self.largest / Self.white
    let luma = RGBPrimaries.bt709.toXYZ.rows[1]
    // c(d) = near + (d - near) / (1 + (d - near) / s), with c(farthest) = 1.
    let (reach, room) = (Self.farthest - Self.nearEdge, 1 - Self.nearEdge)
    let bend = 1 / room - 1 / reach
    return """
      \(PQ.glsl)
      \(lightGLSL)
      vec3 kf_toneMapped(vec3 v) {
        v = kf_light(v);
        vec3 l = vec3(
          \(toBT709.rows.map { "dot(vec3(\($0[0]), \($0[1]), \($0[2])), v)" }.joined(separator: ",\n    ")));
        float m = max(max(l.r, l.g), l.b);
        \(compression)
        l *= \(scale);
        float y = dot(vec3(\(luma[0]), \(luma[1]), \(luma[2])), l);
        vec3 d = l - y, q = -d * (1.0 / max(y, 1e-6));
        float far = max(max(q.r, q.g), q.b), over = max(far - \(Self.nearEdge), 0.0);
        if (over > 0.0) d *= (\(Self.nearEdge) + over / (1.0 + over * \(bend))) / far;
        vec3 s = sqrt(sqrt(sqrt(clamp(y + d, 0.0, 1.0))));
        return s * s * \(polynomial(Self.coding, of: "s"));
      }
      """
  }

  /// A power of 1 / 2.4 by the eighth root s: s^2 (a + b s + ...), which is wrong by at most 0.006 of an 8-bit code.
  private static let coding = [-0.01523977, 0.524253719, 0.753860173, -0.354353675, 0.0915001053]

  /// GLSL that compresses `l`, whose brightest component is `m`, where that is above the knee.
  ///
  /// The curve is a polynomial of the fourth root of the light, because the way to PQ and back takes four powers, and
  /// these take most of the time on a software driver.
  private var compression: String {
    let white = Self.white / Self.largest
    let coded = PQ.coded(peak / Self.largest)
    let target = PQ.coded(white) / coded
    let knee = 1.5 * target - 0.5
    let first = PQ.light(knee * coded)
    guard target < 1 else { return "l *= min(\(white) / max(m, 1e-9), 1.0);" }
    let ends = [first, peak / Self.largest].map { sqrt(sqrt($0)) }
    let (middle, half) = ((ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2)
    let terms = Chebyshev.polynomial(degree: 12) { x in
      let root = middle + half * x
      let e = min(PQ.coded(root * root * root * root) / coded, 1)
      let t = max(e - knee, 0) / (1 - knee)
      let (s, c) = (t * t, t * t * t)
      let h = (2 * c - 3 * s + 1) * knee + (c - 2 * s + t) * (1 - knee) + (3 * s - 2 * c) * target
      return PQ.light(h * coded)
    }
    return """
      if (m > \(first)) {
          float x = (sqrt(sqrt(min(m, \(peak / Self.largest)))) - \(middle)) * \(1 / half);
          l *= \(polynomial(terms, of: "x")) / m;
        }
      """
  }

  /// GLSL for `vec3 kf_light(vec3 v)`, a display's light in parts of 10000 cd/m².
  private var lightGLSL: String {
    switch curve {
    case .pq:
      return "vec3 kf_light(vec3 v) { return kf_pqLight(v); }"
    case .hlg:
      let luma = RGBPrimaries(primaries).toXYZ.rows[1]
      return """
        vec3 kf_light(vec3 v) {
          v = max(v, vec3(0.0));
          vec3 s = mix(v * v * \(1.0 / 3), (exp((v - \(HLG.c)) * \(1 / HLG.a)) + \(HLG.b)) * \(1.0 / 12),
            greaterThan(v, vec3(0.5)));
          float y = max(dot(vec3(\(luma[0]), \(luma[1]), \(luma[2])), s), 1e-9);
          return s * (pow(y, \(Self.hlgGamma - 1)) * \(Self.hlgPeak / Self.largest));
        }
        """
    }
  }
}

/// GLSL for a polynomial, from its constant term on.
func polynomial(_ terms: [Double], of variable: String) -> String {
  terms.dropLast().reversed().reduce("\(terms[terms.count - 1])") {
    "(\($0) * \(variable) + \($1))"
  }
}

/// Polynomials that follow a smooth function from -1 to 1 almost as well as the best of their degree.
private enum Chebyshev {
  /// Returns the terms of the polynomial through the function's values at Chebyshev's nodes, from the constant one on.
  static func polynomial(degree: Int, _ function: (Double) -> Double) -> [Double] {
    let count = degree + 1
    let angles = (0..<count).map { Double.pi * (Double($0) + 0.5) / Double(count) }
    let values = angles.map { function(cos($0)) }
    var terms = [Double](repeating: 0, count: count)
    // T0 and T1; each next one is 2x times the last one, less the one before.
    var (before, now) = ([1.0], [0.0, 1.0])
    for order in 0..<count {
      let sum = zip(angles, values).reduce(0) { $0 + $1.1 * cos(Double(order) * $1.0) }
      let weight = sum * (order == 0 ? 1 : 2) / Double(count)
      for (place, factor) in before.enumerated() { terms[place] += weight * factor }
      var next = [0.0] + now.map { 2 * $0 }
      for (place, factor) in before.enumerated() { next[place] -= factor }
      (before, now) = (now, next)
    }
    return terms
  }
}
