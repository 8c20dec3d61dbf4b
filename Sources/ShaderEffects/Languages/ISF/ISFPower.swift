/// `pow` as an ISF file calls it: with the same result for a negative number on every driver.
///
/// GLSL leaves it undefined. What authors saw were drivers that multiply whole exponents out, as for
/// `pow(a - b, 2.0)`, and else a NaN that the next `min` or comparison took for its other argument,
/// which depends on the compiler. Here a whole exponent gives what mathematics has, and any other
/// keeps the sign: a curve goes on through zero, and no NaN spreads.
enum ISFPower {
  static let name = "kf_pow"

  /// The functions, where one of `texts` calls them.
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
