/// Makes faults of a shader visible in what it writes to images, for a check of the shader.
///
/// A quotient by 0 is infinite, or not a number for 0 by 0, as IEEE 754 has it: lavapipe's compiler takes a quotient by a
/// known 0 for undefined, so that a test of the result finds nothing. A quotient by a literal 0 is no number at all, and what is no
/// number stays none behind `min`, `clamp`, `step` and their kin, of which each driver makes something else. And a pixel whose loops have run more than `mostIterations`
/// times is not a number: lavapipe ends loops that never end, without an error.
struct FaultMarks {
  /// Iterations of all loops for a pixel; lavapipe ends loops after 65,535 of a group of pixels.
  static let mostIterations: UInt32 = 30_000

  private let words: [UInt32]
  private var bound: UInt32
  private var float: UInt32?
  private var uint: UInt32?
  private var bool: UInt32?
  /// The types of vectors, by their number of parts.
  private var floatVectors: [Int: UInt32] = [:]
  private var boolVectors: [Int: UInt32] = [:]
  /// The number of parts of each type of floats.
  private var sizes: [UInt32: Int] = [:]
  /// The ids of values that are four floats.
  private var colors: Set<UInt32> = []
  /// The labels of the continue targets of loops.
  private var continues: Set<UInt32> = []
  /// The id of the set of functions that GLSL has beside SPIR-V's own operations.
  private var functions: UInt32?
  /// The ids of constants that are 0 in all parts.
  private var zeros: Set<UInt32> = []
  /// Whether there is a quotient or a limit.
  private var isMarked = false
  /// The ids of 0, infinity and NaN for each type of floats.
  private var numbers: [UInt32: (zero: UInt32, infinity: UInt32, nan: UInt32)] = [:]

  /// The module with marks; unchanged if there is nothing to mark.
  static func marking(_ words: [UInt32]) -> [UInt32] {
    guard words.count > SPIRVInstructions.headerLength else { return words }
    var marks = FaultMarks(words)
    return marks.isMarked || !marks.continues.isEmpty ? marks.marked() : words
  }

  private init(_ words: [UInt32]) {
    self.words = words
    bound = words[3]
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .typeBool: bool = instruction[0]
      case .typeInt where instruction[1] == 32 && instruction[2] == 0: uint = instruction[0]
      case .typeFloat where instruction[1] == 32:
        float = instruction[0]
        sizes[instruction[0]] = 1
      case .typeVector where instruction[1] == float:
        floatVectors[Int(instruction[2])] = instruction[0]
        sizes[instruction[0]] = Int(instruction[2])
      case .typeVector where instruction[1] == bool:
        boolVectors[Int(instruction[2])] = instruction[0]
      case .loopMerge: continues.insert(instruction[1])
      case .importedSet: functions = instruction[0]
      case .constantNull: zeros.insert(instruction[1])
      case .constant where instruction[0] == float && instruction[2] & 0x7FFF_FFFF == 0:
        zeros.insert(instruction[1])
      case .constantComposite where instruction.operands.dropFirst(2).allSatisfy(zeros.contains):
        zeros.insert(instruction[1])
      default:
        if sizes[instruction[0]] != nil, Self.isQuotient(instruction) || isLimit(instruction) {
          isMarked = true
        }
        // What has a result begins with its type.
        if instruction[0] == floatVectors[4], instruction.operands.count > 1 {
          colors.insert(instruction[1])
        }
      }
    }
  }

  private static func isQuotient(_ instruction: SPIRVInstructions.Instruction) -> Bool {
    [.floatDivide, .floatRemainder, .floatModulo].contains(instruction.code)
  }

  /// Whether an instruction is of floats and gives a number where there was none: FSign, FMin, FMax, FClamp, Step, SmoothStep, NMin,
  /// NMax and NClamp of GLSL.std.450.
  private func isLimit(_ instruction: SPIRVInstructions.Instruction) -> Bool {
    instruction[2] == functions && [6, 37, 40, 43, 48, 49, 79, 80, 81].contains(instruction[3])
      && sizes[instruction[0]] != nil
  }

  private mutating func newID() -> UInt32 {
    defer { bound += 1 }
    return bound
  }

  private mutating func marked() -> [UInt32] {
    let counter = newID()
    let constants = declarations(counter: counter)
    var result = Array(words.prefix(SPIRVInstructions.headerLength))
    result.reserveCapacity(words.count * 2)
    var isDeclared = false
    var counts = false
    for instruction in SPIRVInstructions(words) {
      if instruction.code == .function, !isDeclared {
        isDeclared = true
        result += constants.words
      }
      // Values of a block's phis come before all else.
      if counts, instruction.code != .phi, instruction.code != .line, instruction.code != .noLine {
        counts = false
        addCount(counter, constants, to: &result)
      }
      switch instruction.code {
      case .entryPoint:
        // From SPIR-V 1.4 on it lists all global variables.
        result += instruction.words + [counter]
        result[result.count - instruction.words.count - 1] += 1 << 16
      case .label where continues.contains(instruction[0]):
        result += instruction.words
        counts = true
      case .imageWrite where colors.contains(instruction[2]):
        var words = Array(instruction.words)
        words[3] = addMark(of: instruction[2], counter, constants, to: &result)
        result += words
      case .fromSet where isLimit(instruction):
        addLimit(instruction, to: &result)
      default:
        if Self.isQuotient(instruction), let count = sizes[instruction[0]] {
          addQuotient(instruction, count, to: &result)
        } else {
          result += instruction.words
        }
      }
    }
    result[3] = bound
    return result
  }

  /// The ids of what all marks need, and its declarations, which come before all functions.
  private struct Constants {
    var words: [UInt32] = []
    var (uint, one, most): (UInt32, UInt32, UInt32) = (0, 0, 0)
  }

  private mutating func declarations(counter: UInt32) -> Constants {
    var constants = Constants()
    func add(_ code: SPIRVCode, _ operands: UInt32...) {
      constants.words.append(code, operands)
    }
    func known(_ type: UInt32?, _ code: SPIRVCode, _ operands: UInt32...) -> UInt32 {
      if let type { return type }
      let id = newID()
      constants.words.append(code, [id] + operands)
      return id
    }
    let bool = known(self.bool, .typeBool)
    self.bool = bool
    let uint = known(self.uint, .typeInt, 32, 0)
    let float = known(self.float, .typeFloat, 32)
    for count in 2...4 {
      boolVectors[count] = known(boolVectors[count], .typeVector, bool, UInt32(count))
      floatVectors[count] = known(floatVectors[count], .typeVector, float, UInt32(count))
    }
    func constant(_ type: UInt32, _ value: UInt32) -> UInt32 {
      let id = newID()
      add(.constant, type, id, value)
      return id
    }
    let plain = [0, 0x7F80_0000, 0x7FC0_0000].map { constant(float, $0) }
    numbers[float] = (plain[0], plain[1], plain[2])
    for (count, type) in floatVectors.sorted(by: { $0.key < $1.key }) {
      let ids = plain.map { number in
        let id = newID()
        constants.words.append(
          .constantComposite, [type, id] + Array(repeating: number, count: count))
        return id
      }
      numbers[type] = (ids[0], ids[1], ids[2])
    }
    (constants.uint, constants.one) = (uint, constant(uint, 1))
    constants.most = constant(uint, Self.mostIterations)
    let (zero, pointer, privateClass) = (constant(uint, 0), newID(), UInt32(6))
    add(.typePointer, pointer, privateClass, uint)
    add(.variable, pointer, counter, privateClass, zero)
    return constants
  }

  private mutating func addCount(
    _ counter: UInt32, _ constants: Constants, to result: inout [UInt32]
  ) {
    let (before, after) = (newID(), newID())
    result.append(.load, [constants.uint, before, counter])
    result.append(.iAdd, [constants.uint, after, before, constants.one])
    result.append(.store, [counter, after])
  }

  /// Adds the colour that is written in the place of another one, and returns its id.
  private mutating func addMark(
    of color: UInt32, _ counter: UInt32, _ constants: Constants, to result: inout [UInt32]
  ) -> UInt32 {
    guard let bool, let truths = boolVectors[4], let type = floatVectors[4],
      let nan = numbers[type]?.nan
    else { return color }
    let (count, isMuch, all, marked) = (newID(), newID(), newID(), newID())
    result.append(.load, [constants.uint, count, counter])
    result.append(.unsignedGreater, [bool, isMuch, count, constants.most])
    result.append(.compositeConstruct, [truths, all, isMuch, isMuch, isMuch, isMuch])
    result.append(.select, [type, marked, all, nan, color])
    return marked
  }

  /// Adds a quotient or a remainder that is defined for a divisor of 0: the dividend times infinity, or NaN, also for a dividend
  /// of which the driver's compiler knows that it is 0, so that it takes the product for 0.
  private mutating func addQuotient(
    _ instruction: SPIRVInstructions.Instruction, _ count: Int, to result: inout [UInt32]
  ) {
    let (type, id, dividend, divisor) = (
      instruction[0], instruction[1], instruction[2], instruction[3]
    )
    guard let numbers = numbers[type], let truth = count > 1 ? boolVectors[count] : bool else {
      result += instruction.words
      return
    }
    let (isZero, plain) = (newID(), newID())
    var quotient = numbers.nan
    if instruction.code == .floatDivide, !zeros.contains(divisor) {
      let (isNothing, product) = (newID(), newID())
      quotient = newID()
      result.append(.floatEqual, [truth, isNothing, dividend, numbers.zero])
      result.append(.floatMultiply, [type, product, dividend, numbers.infinity])
      result.append(.select, [type, quotient, isNothing, numbers.nan, product])
    }
    result.append(.floatEqual, [truth, isZero, divisor, numbers.zero])
    result += instruction.words.prefix(1) + [type, plain, dividend, divisor]
    result.append(.select, [type, id, isZero, quotient, plain])
  }

  /// Adds a limit that keeps what is not a number.
  private mutating func addLimit(
    _ instruction: SPIRVInstructions.Instruction, to result: inout [UInt32]
  ) {
    let (type, id) = (instruction[0], instruction[1])
    guard let numbers = numbers[type],
      let truth = sizes[type] == 1 ? bool : boolVectors[sizes[type] ?? 0]
    else {
      result += instruction.words
      return
    }
    var isNone: UInt32?
    for operand in instruction.operands.dropFirst(4) {
      let isNaN = newID()
      result.append(.isNaN, [truth, isNaN, operand])
      guard let earlier = isNone else {
        isNone = isNaN
        continue
      }
      let either = newID()
      result.append(.logicalOr, [truth, either, earlier, isNaN])
      isNone = either
    }
    let plain = newID()
    result += instruction.words.prefix(1) + [type, plain] + instruction.operands.dropFirst(2)
    guard let isNone else { return }
    result.append(.select, [type, id, isNone, numbers.nan, plain])
  }
}
