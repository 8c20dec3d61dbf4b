/// A formula compiled once and evaluated in double precision as often as wanted.
///
/// Kept in postfix order: an instruction takes its arguments from a stack and leaves its result.
struct Expression: Sendable, Equatable {
  enum Instruction: Sendable, Equatable {
    case constant(Double)
    /// The value in this slot of what `evaluate` is given.
    case variable(Int)
    case function(ExpressionFunction)
  }

  let instructions: [Instruction]
  /// The most values on the stack at a time.
  let stackDepth: Int
  /// The names it reads, without `$`.
  let names: Set<String>

  /// - Parameters:
  ///   - text: As written in a header.
  ///   - slots: The names it may use, each with its place among the variables.
  /// - Throws: What is wrong, and where in the text.
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

  /// The value for these variables; the stack is on the thread's own stack, so that nothing is
  /// allocated.
  func evaluate(_ variables: UnsafeBufferPointer<Double>) -> Double {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: stackDepth + 2) { stack in
      // Functions of fewer than three arguments read past theirs, so all of it must hold numbers.
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

  /// The value for these variables, for use outside a frame.
  func evaluate(_ variables: [Double] = []) -> Double {
    variables.withUnsafeBufferPointer { evaluate($0) }
  }
}

/// What is wrong with a formula, and where.
struct ExpressionError: Error, Equatable {
  /// In bytes of UTF-8 from the start of the formula.
  let offset: Int
  let message: String
}
