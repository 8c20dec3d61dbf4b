public import Frames
import ShaderCompiler

extension Double {
  /// Parses a finite number in decimal notation; refuses words, hexadecimal and blanks.
  init?(plainDecimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }),
      let value = Double(String(text)), value.isFinite
    else { return nil }
    self = value
  }

  /// The number as a person writes it: no `.0`, and no exponent unless it is needed.
  var plainText: String {
    self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)"
  }
}

extension Rational {
  /// Parses `SS.ms`, `MM:SS.ms` or `HH:MM:SS.ms` exactly; nil for any other text.
  public init?(clockTime text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let last = parts.last,
      let seconds = Rational(plainDecimal: last)
    else { return nil }
    var total = Rational.zero
    for (index, part) in parts.dropLast().enumerated() {
      guard let whole = Rational(plainDecimal: part), whole.denominator == 1,
        !part.contains("."), index == 0 || whole < Rational(60)
      else { return nil }
      total = total * Rational(60) + whole
    }
    guard parts.count == 1 || seconds < Rational(60) else { return nil }
    self = total * Rational(60) + seconds
  }

  /// Parses digits with at most one point and at most nine digits after it.
  private init?(plainDecimal text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    let places = parts.count == 2 ? parts[1].count : 0
    guard parts.count <= 2, (1...18).contains(digits.utf8.count), places <= 9,
      digits.utf8.allSatisfy(\.isDigit),
      let value = Int64(digits)
    else { return nil }
    self.init(value, (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 })
  }
}
