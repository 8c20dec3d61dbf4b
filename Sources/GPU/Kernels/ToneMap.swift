package import Frames
import Glibc

/// The map from the colours of an HDR source to BT.709 colours of the standard dynamic range.
///
/// Light comes from PQ (SMPTE ST 2084) or HLG (BT.2100-2, with its OOTF for a display of 1000 cd/m²), in BT.709's primaries.
/// The brightest component of a pixel is compressed by the curve of BT.2390-8 5.4.1, from the source's peak to the white of
/// SDR, which stands for 203 cd/m² (BT.2408-5); the other components follow in proportion, so that no hue changes. Colours
/// that BT.709 does not have then have negative components: they move toward the gray of their luminance. The result is coded
/// for a display after BT.1886.
package struct ToneMap: Sendable, Equatable {
  private enum Curve { case pq, hlg }

  /// The light of SDR's white, in cd/m².
  package static let white = 203.0
  /// The largest light of PQ, in cd/m².
  private static let largest = 10_000.0
  /// The light of HLG's white and the exponent of its OOTF, for a display of this peak (BT.2100-2 table 5).
  private static let hlgPeak = 1000.0
  private static let hlgGamma = 1.2
  /// The peak of a source that says nothing, in cd/m²: most HDR is made for displays of this light.
  package static let usualPeak = 1000.0

  private let curve: Curve
  private let primaries: UInt8
  /// The brightest light of the source, in cd/m².
  package let peak: Double

  /// The map of a source's colours; nil for the standard dynamic range.
  package init?(_ color: ColorDescription) {
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
    let coded = PQ.coded(peak / Self.largest)
    let target = PQ.coded(Self.white / Self.largest) / coded
    let knee = 1.5 * target - 0.5
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
        float e = min(kf_pqCoded(m) * \(1 / coded), 1.0);
        float t = max(e - \(knee), 0.0) * \(1 / max(1 - knee, 1e-6)), s = t * t, c = s * t;
        float h = (2.0 * c - 3.0 * s + 1.0) * \(knee) + (c - 2.0 * s + t) * \(1 - knee)
          + (3.0 * s - 2.0 * c) * \(target);
        if (e >= \(knee)) l *= kf_pqLight(vec3(h * \(coded))).r / m;
        l *= \(scale);
        float y = dot(vec3(\(luma[0]), \(luma[1]), \(luma[2])), l);
        vec3 d = l - y, q = -d * (1.0 / max(y, 1e-6));
        float far = max(max(q.r, q.g), q.b), over = max(far - \(Self.nearEdge), 0.0);
        if (over > 0.0) d *= (\(Self.nearEdge) + over / (1.0 + over * \(bend))) / far;
        return pow(clamp(y + d, 1e-16, 1.0), vec3(\(1 / 2.4)));
      }
      """
  }

  /// GLSL for `vec3 kf_light(vec3 v)`, a display's light in parts of 10000 cd/m².
  private var lightGLSL: String {
    switch curve {
    case .pq:
      return "vec3 kf_light(vec3 v) { return kf_pqLight(v); }"
    case .hlg:
      let a = 0.17883277
      let (b, c) = (1 - 4 * a, 0.5 - a * log(4 * a))
      let luma = RGBPrimaries(primaries).toXYZ.rows[1]
      return """
        vec3 kf_light(vec3 v) {
          v = max(v, vec3(0.0));
          vec3 s = mix(v * v * \(1.0 / 3), (exp((v - \(c)) * \(1 / a)) + \(b)) * \(1.0 / 12),
            greaterThan(v, vec3(0.5)));
          float y = max(dot(vec3(\(luma[0]), \(luma[1]), \(luma[2])), s), 1e-9);
          return s * (pow(y, \(Self.hlgGamma - 1)) * \(Self.hlgPeak / Self.largest));
        }
        """
    }
  }
}

/// The curve of SMPTE ST 2084, between coded values from 0 to 1 and light in parts of 10000 cd/m².
private enum PQ {
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  static func coded(_ light: Double) -> Double {
    let power = pow(light, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  /// GLSL for `vec3 kf_pqLight(vec3 v)` and `float kf_pqCoded(float l)`.
  ///
  /// A power of zero is not defined on every driver, so the least values are a little more: both mean black.
  static var glsl: String {
    """
    vec3 kf_pqLight(vec3 v) {
      vec3 n = pow(clamp(v, 1e-7, 1.0), vec3(\(1 / m2)));
      return pow(max(n - \(c1), 1e-9) / (\(c2) - \(c3) * n), vec3(\(1 / m1)));
    }
    float kf_pqCoded(float l) {
      float n = pow(max(l, 1e-12), \(m1));
      return pow((\(c1) + \(c2) * n) / (1.0 + \(c3) * n), \(m2));
    }
    """
  }
}

/// Three colours and a white, which say what light red, green and blue stand for.
private struct RGBPrimaries {
  /// x and y of red, green, blue.
  let colors: [(x: Double, y: Double)]

  static let bt709 = RGBPrimaries(1)

  /// The primaries of a code (H.273 table 2), all with the white D65; BT.2020 for codes that HDR does not have.
  init(_ code: UInt8) {
    colors =
      switch code {
      case 1: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
      case 5: [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06)]
      case 6, 7: [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07)]
      case 11, 12: [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
      default: [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
      }
  }

  /// The map from light to CIE XYZ, whose second row has the weights of luminance.
  var toXYZ: Matrix3 {
    func tristimulus(_ color: (x: Double, y: Double)) -> [Double] {
      [color.x / color.y, 1, (1 - color.x - color.y) / color.y]
    }
    let parts = colors.map(tristimulus)
    let columns = Matrix3(rows: (0..<3).map { row in parts.map { $0[row] } })
    let white = columns.inverse.applied(to: tristimulus((0.3127, 0.3290)))
    return Matrix3(rows: columns.rows.map { row in zip(row, white).map { $0 * $1 } })
  }

  var fromXYZ: Matrix3 { toXYZ.inverse }
}

private struct Matrix3 {
  var rows: [[Double]]

  func applied(to v: [Double]) -> [Double] {
    rows.map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] }
  }

  static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let columns = (0..<3).map { column in a.applied(to: b.rows.map { $0[column] }) }
    return Matrix3(rows: (0..<3).map { row in columns.map { $0[row] } })
  }

  var inverse: Matrix3 {
    func cofactor(_ row: Int, _ column: Int) -> Double {
      let (r, s) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return rows[r][c] * rows[s][d] - rows[r][d] * rows[s][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * cofactor(0, $1) }
    return Matrix3(
      rows: (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } })
  }
}
