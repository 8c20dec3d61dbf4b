/// Three colours and a white point, which define the light that red, green and blue mean.
struct RGBPrimaries {
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

struct Matrix3 {
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
