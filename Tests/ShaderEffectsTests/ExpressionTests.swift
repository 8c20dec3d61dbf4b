import Foundation
import Testing

@testable import ShaderEffects

@Suite struct ExpressionTests {
  private let slots = ["TIME": 0, "center.x": 1, "amount": 2]
  private let values = [2.0, 0.25, 10]

  @Test(
    "A formula has the value that C's rules give it",
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("8 / 2 / 2", 2), ("10 - 4 - 3", 3), ("-2 * -3", 6),
      ("--2", 2), ("+2", 2), ("1e3 + .5 + 2.", 1002.5), ("7 % 4", 3), ("-1 % 4", 3),
      ("1 < 2", 1), ("2 <= 1", 0), ("2 > 1 == 1", 1), ("1 != 1", 0), ("3 >= 3 ? 5 : 6", 5),
      ("0 ? 1 : 0 ? 2 : 3", 3), ("1 ? 2 : 0 ? 3 : 4", 2), ("1 + 1 > 1 ? 1 : 2", 1),
      ("floor(-1.5)", -2), ("ceil(1.2)", 2), ("round(2.5)", 3), ("fract(-0.25)", 0.75),
      ("abs(-3)", 3), ("sign(-3) + sign(0)", -1), ("sqrt(16)", 4), ("pow(2, 10)", 1024),
      ("min(1, 2) + max(1, 2)", 3), ("clamp(5, 0, 1)", 1), ("mix(10, 20, 0.25)", 12.5),
      ("smoothstep(0, 2, 1)", 0.5), ("step(1, 1) + step(1, 0)", 1), ("mod(-1, 3)", 2),
      ("sin(0) + cos(0) + exp(0) + log(1)", 2), ("TIME * $amount", 20), ("$center.x", 0.25),
    ])
  func value(formula: String, expected: Double) throws {
    let expression = try Expression(formula, slots: slots)
    #expect(abs(expression.evaluate(values) - expected) < 1e-12)
  }

  @Test(
    "A mistake is named with its place",
    arguments: [
      ("", 0, "the expression ends where a number, a name or '(' should be"),
      ("1 +", 3, "the expression ends where a number, a name or '(' should be"),
      ("1 2", 2, "there is '2' where an operator should be"),
      ("(1", 2, "the expression ends where ')' should be"),
      ("1 ? 2", 5, "the expression ends where ':' should be"),
      ("TIME * amonut", 7, "there is no value 'amonut'; did you mean 'amount'?"),
      ("flor(1)", 0, "there is no function 'flor'; did you mean 'floor'?"),
      ("mix(1, 2)", 0, "mix takes 3 arguments, not 2"),
      ("floor()", 0, "floor takes 1 argument, not 0"),
      ("floor", 0, "the function 'floor' needs its arguments in parentheses"),
      ("1 & 2", 2, "'&' has no meaning in an expression"),
      ("1.2.3", 0, "'1.2.3' is not a number"), ("2x", 0, "'2' is not a number"),
      ("center.y", 0, "there is no value 'center.y'; did you mean 'center.x'?"),
    ])
  func mistake(formula: String, offset: Int, message: String) {
    #expect(throws: ExpressionError(offset: offset, message: message)) {
      try Expression(formula, slots: slots)
    }
  }

  @Test("Endless nesting is refused and does not exhaust the stack")
  func nesting() throws {
    let deep = String(repeating: "(", count: 10_000)
    #expect(throws: ExpressionError.self) { try Expression(deep, slots: [:]) }
    let minuses = String(repeating: "-", count: 10_001) + "1"
    #expect(try Expression(minuses, slots: [:]).evaluate() == -1)
    let within = String(repeating: "(", count: 60) + "1" + String(repeating: ")", count: 60)
    #expect(try Expression(within, slots: [:]).evaluate() == 1)
  }

  @Test("Noise equals an independent implementation's, also at negative and late points")
  func noise() throws {
    let expression = try Expression("noise(a, b, c)", slots: ["a": 0, "b": 1, "c": 2])
    for step in 0..<500 {
      let x = Double(step) * 0.37 - 60
      let (y, z) = (Double(step % 7) - 3.25, Double(step % 3) * 1e4)
      let found = expression.evaluate([x, y, z])
      #expect(abs(found - referenceNoise(x, y, z)) < 1e-9)
      #expect((0...1).contains(found))
    }
    #expect(try Expression("hash(1)", slots: [:]).evaluate() == ValueNoise.hash(1))
    #expect(abs(ValueNoise.hash(1) - 0.546207352) < 1e-8)
  }

  @Test("Integers outside 32 bits become the nearest that fits")
  func saturation() {
    #expect(Int32(saturating: 1e20) == .max && Int32(saturating: -.infinity) == .min)
    #expect(Int32(saturating: .nan) == 0 && Int32(saturating: -1.9) == -1)
  }
}
