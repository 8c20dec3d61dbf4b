/// A formula, compiled once and evaluated in double precision any number of times.
///
/// Stored in postfix order: an instruction takes its arguments from a stack and pushes its result.
struct Expression: Sendable, Equatable {
  enum Instruction: Sendable, Equatable {
    case constant(Double)
    /// The value in this slot of the array given to `evaluate`.
    case variable(Int)
    case function(ExpressionFunction)
  }

  let instructions: [Instruction]
  /// The largest number of values on the stack at the same time.
  let stackDepth: Int
  /// The names that the formula reads, without `$`.
  let names: Set<String>

  /// - Parameters:
  ///   - text: The formula as written in a header.
  ///   - slots: The names that the formula may use, each with its index in the variables.
  /// - Throws: What is wrong, and its offset in the text.
  init(_ text: String, slots: [String: Int]) throws(ExpressionError) {
    var parser = try ExpressionParser(text, slots: slots)
    self = try parser.parse()
  }

  init(instructions: [Instruction], names: Set<String>) {
    self.instructions = instructions
    self.names = names
    var depth = 0
    var deepest = 0
    for instruction in instructions {
      if case .function(let function) = instruction { depth -= function.argumentCount }
      depth += 1
      deepest = max(deepest, depth)
    }
    stackDepth = deepest
  }

  /// Evaluates the formula for these variables; the value stack is on the thread's own stack, so that
  /// nothing is allocated.
  func evaluate(_ variables: UnsafeBufferPointer<Double>) -> Double {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: stackDepth + 2) { stack in
      // Functions with fewer than three arguments read slots past theirs, so every slot must hold a
      // number.
      stack.initialize(repeating: 0)
      var top = 0
      for instruction in instructions {
        switch instruction {
        case .constant(let value):
          stack[top] = value
          top += 1
        case .variable(let slot):
          stack[top] = variables[slot]
          top += 1
        case .function(let function):
          top -= function.argumentCount
          stack[top] = function(stack[top], stack[top + 1], stack[top + 2])
          top += 1
        }
      }
      return stack[0]
    }
  }

  /// Evaluates the formula for these variables, for use outside a frame.
  func evaluate(_ variables: [Double] = []) -> Double {
    variables.withUnsafeBufferPointer { evaluate($0) }
  }
}

/// An error in a formula, with its place.
struct ExpressionError: Error, Equatable {
  /// The offset in bytes of UTF-8 from the start of the formula.
  let offset: Int
  let message: String
}
