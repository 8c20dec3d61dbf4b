/// `pow` for ISF files, with the same result for a negative base on every driver.
///
/// GLSL leaves that result undefined. Authors saw drivers that multiply whole exponents out, as for
/// `pow(a - b, 2.0)`, and otherwise a NaN, for which the next `min` or comparison took its other
/// argument, depending on the compiler. Here a whole exponent gives the mathematical result, and any
/// other exponent keeps the sign: a curve continues through zero, and no NaN spreads.
enum ISFPower {
  static let name = "kf_pow"

  /// Returns the functions if one of `texts` calls them, otherwise an empty text.
  static func glsl(for texts: [String]) -> String {
    guard texts.contains(where: { $0.contains(name) }) else { return "" }
    let vectors = (2...4).map { size in
      let parts = "xyzw".prefix(size).map { "\(name)(x.\($0), y.\($0))" }.joined(separator: ", ")
      return "vec\(size) \(name)(vec\(size) x, vec\(size) y) { return vec\(size)(\(parts)); }"
    }
    return """
      float \(name)(float x, float y) {
        float power = pow(abs(x), y);
        return x < 0.0 && fract(y * 0.5) != 0.0 ? -power : power;
      }
      \(vectors.joined(separator: "\n"))
      """
  }
}
