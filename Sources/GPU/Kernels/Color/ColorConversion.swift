public import Frames

/// The affine map between a frame's codes and R'G'B' from 0 to 1 (beyond that for colours outside the
/// gamut), in double precision: rgb = matrix * codes + offset.
///
/// Formulas: BT.601-7 2.5, BT.709-6 3 and 4, BT.2020-2 table 4, H.273 8.3; limited range has luma
/// 16 to 235 and chroma 16 to 240 in 8 bits, times 2^(bits-8); full range has 0 to 2^bits-1 and
/// neutral chroma at 2^(bits-1).
public struct ColorConversion: Sendable, Equatable {
  public var rows: [[Double]]
  public var offset: [Double]

  /// The map from codes of `depth` bits, in the order of the layout's model, to RGB.
  public static func toRGB(
    _ color: ColorDescription, model: PixelLayout.Model, depth: Int
  ) -> ColorConversion {
    let scale = Double(1 << (depth - 8))
    let maximum = Double((1 << depth) - 1)
    let limited = color.range == .limited
    let lumaSpan = limited ? 219 * scale : maximum
    let lumaZero = limited ? 16 * scale : 0
    switch model {
    case .rgb:
      // RGB has limited range, for example, from a camera's HDMI input.
      return ColorConversion(
        rows: [[1 / lumaSpan, 0, 0], [0, 1 / lumaSpan, 0], [0, 0, 1 / lumaSpan]],
        offset: Array(repeating: 0 - lumaZero / lumaSpan, count: 3))
    case .gray:
      return ColorConversion(
        rows: Array(repeating: [1 / lumaSpan, 0, 0], count: 3),
        offset: Array(repeating: -lumaZero / lumaSpan, count: 3))
    case .yCbCr:
      let chromaSpan = chromaSpan(color, lumaSpan: lumaSpan, scale: scale)
      let parts: [[Double]]
      if color.matrix == .yCgCo {
        parts = [[1, -1, 1], [1, 1, 0], [1, -1, -1]]
      } else {
        let (red, blue) = color.matrix.lumaWeights ?? (0.2126, 0.0722)
        let green = 1 - red - blue
        let redGain = 2 * (1 - red)
        let blueGain = 2 * (1 - blue)
        parts = [
          [1, 0, redGain],
          [1, -blue * blueGain / green, -red * redGain / green],
          [1, blueGain, 0],
        ]
      }
      let rows = parts.map { [$0[0] / lumaSpan, $0[1] / chromaSpan, $0[2] / chromaSpan] }
      let offset = rows.map { -($0[0] * lumaZero + ($0[1] + $0[2]) * 128 * scale) }
      return ColorConversion(rows: rows, offset: offset)
    }
  }

  /// The map from RGB to codes of `depth` bits of Y, Cb, Cr, or R, G, B, or of a gray three times, before rounding.
  public static func fromRGB(
    _ color: ColorDescription, model: PixelLayout.Model, depth: Int
  ) -> ColorConversion {
    let scale = Double(1 << (depth - 8))
    let maximum = Double((1 << depth) - 1)
    let limited = color.range == .limited
    let lumaSpan = limited ? 219 * scale : maximum
    if model == .gray {
      let (red, blue) = color.matrix.lumaWeights ?? (0.2126, 0.0722)
      let row = [red * lumaSpan, (1 - red - blue) * lumaSpan, blue * lumaSpan]
      return ColorConversion(
        rows: Array(repeating: row, count: 3),
        offset: Array(repeating: limited ? 16 * scale : 0, count: 3))
    }
    guard model == .yCbCr else {
      return ColorConversion(
        rows: [[maximum, 0, 0], [0, maximum, 0], [0, 0, maximum]], offset: [0, 0, 0])
    }
    let chromaSpan = chromaSpan(color, lumaSpan: lumaSpan, scale: scale)
    let offset = [limited ? 16 * scale : 0, 128 * scale, 128 * scale]
    if color.matrix == .yCgCo {
      let parts = [[0.25, 0.5, 0.25], [-0.25, 0.5, -0.25], [0.5, 0, -0.5]]
      let spans = [lumaSpan, chromaSpan, chromaSpan]
      return ColorConversion(
        rows: zip(parts, spans).map { row, span in row.map { $0 * span } }, offset: offset)
    }
    let (red, blue) = color.matrix.lumaWeights ?? (0.2126, 0.0722)
    let green = 1 - red - blue
    let blueGain = chromaSpan / (2 * (1 - blue))
    let redGain = chromaSpan / (2 * (1 - red))
    return ColorConversion(
      rows: [
        [red * lumaSpan, green * lumaSpan, blue * lumaSpan],
        [-red * blueGain, -green * blueGain, (1 - blue) * blueGain],
        [(1 - red) * redGain, -green * redGain, -blue * redGain],
      ],
      offset: offset)
  }

  /// The number of codes for a colour difference from -0.5 to 0.5.
  ///
  /// YCgCo is computed from RGB that already has limited range, so its differences have luma's span
  /// (H.273 8.3).
  private static func chromaSpan(
    _ color: ColorDescription, lumaSpan: Double, scale: Double
  ) -> Double {
    color.range == .limited && color.matrix != .yCgCo ? 224 * scale : lumaSpan
  }

  /// A GLSL function that applies the map to a `vec3`.
  ///
  /// The sums have one order, so that every driver gets the same expression.
  func glsl(function name: String) -> String {
    let lines = zip(rows, offset).map { row, offset in
      "dot(vec3(\(row[0]), \(row[1]), \(row[2])), v) + (\(offset))"
    }
    return """
      vec3 \(name)(vec3 v) {
        return vec3(
          \(lines.joined(separator: ",\n    ")));
      }
      """
  }
}
