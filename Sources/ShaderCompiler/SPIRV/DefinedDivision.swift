/// Makes integer division in a SPIR-V module defined for all values.
///
/// SPIR-V leaves two cases undefined (section 3.52.13): division by zero, and division of the smallest
/// number by -1, whose result does not fit. A CPU driver then traps and ends the program; so does
/// SPIRV-Tools if it computes the quotient. Here such a divisor counts as 1: the first case gives the
/// dividend and no remainder, the second the result of two's complement. A divisor that is known and
/// harmless is not changed.
struct DefinedDivision {
  private let words: [UInt32]
  private var types: [UInt32: WholeType] = [:]
  private var constants: [UInt32: Constant] = [:]
  private var boolType: UInt32?
  /// The types of bool vectors, by their number of parts.
  private var boolVectors: [Int: UInt32] = [:]
  /// Types with a division whose divisor may be 0 or -1, in the module's order.
  private var needed: [UInt32] = []
  private var numbers: [UInt32: Numbers] = [:]
  private var bound: UInt32

  private struct WholeType {
    let width: UInt32
    let isSigned: Bool
    /// The type of a vector's parts; nil for a number.
    var part: UInt32?
    var count = 1
  }

  private enum Constant {
    case harmless
    /// It is 0 or -1, or may be.
    case harmful
  }

  /// The ids of the constants that a type needs.
  private struct Numbers {
    let zero: UInt32
    let one: UInt32
    let two: UInt32
    let minusOne: UInt32
    let least: UInt32
    var all: [UInt32] { [zero, one, two, minusOne, least] }
  }

  /// The module with defined divisions; unchanged if there is nothing to do.
  static func defining(_ words: [UInt32]) -> [UInt32] {
    guard words.count > SPIRVInstructions.headerLength else { return words }
    var rewriting = DefinedDivision(words)
    return rewriting.needed.isEmpty ? words : rewriting.rewritten()
  }

  private init(_ words: [UInt32]) {
    self.words = words
    bound = words[3]
    var seen: Set<UInt32> = []
    func need(_ type: UInt32, _ needed: inout [UInt32]) {
      if seen.insert(type).inserted { needed.append(type) }
    }
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .typeBool: boolType = instruction[0]
      case .typeInt:
        types[instruction[0]] = WholeType(width: instruction[1], isSigned: instruction[2] == 1)
      case .typeVector:
        let count = Int(instruction[2])
        if let part = types[instruction[1]] {
          types[instruction[0]] = WholeType(
            width: part.width, isSigned: part.isSigned, part: instruction[1], count: count)
        } else if instruction[1] == boolType {
          boolVectors[count] = instruction[0]
        }
      case .constant:
        guard let type = types[instruction[0]] else { break }
        constants[instruction[1]] = Self.judged(instruction.operands.dropFirst(2), type)
      case .constantComposite, .compositeConstruct:
        guard types[instruction[0]] != nil else { break }
        let parts = instruction.operands.dropFirst(2).map { constants[$0] ?? .harmful }
        constants[instruction[1]] =
          parts.allSatisfy { $0 == .harmless } ? .harmless : .harmful
      case let code?:
        guard let division = Division(code, instruction), let type = types[division.type],
          constants[division.divisor] != .harmless
        else { break }
        if let part = type.part { need(part, &needed) }
        need(division.type, &needed)
      case nil: break
      }
    }
  }

  /// Whether division by a number, given in words with the lowest first, is safe as it is.
  private static func judged(_ value: ArraySlice<UInt32>, _ type: WholeType) -> Constant {
    let mask: UInt32 = type.width < 32 ? 1 << type.width - 1 : .max
    let isZero = value.allSatisfy { $0 & mask == 0 }
    let isMinusOne = value.allSatisfy { $0 & mask == mask }
    return isZero || isMinusOne ? .harmful : .harmless
  }

  /// A division, in a function or in the value of a specialization constant.
  private struct Division {
    let code: SPIRVCode
    let type: UInt32
    let dividend: UInt32
    let divisor: UInt32
    /// The divisor's index among the words of the instruction.
    let divisorPlace: Int
    let isConstant: Bool

    init?(_ code: SPIRVCode, _ instruction: SPIRVInstructions.Instruction) {
      isConstant = code == .specConstantOperation
      let code = isConstant ? SPIRVCode(rawValue: instruction[2]) : code
      switch code {
      case .unsignedDivide, .signedDivide, .unsignedModulo, .signedRemainder, .signedModulo: break
      default: return nil
      }
      guard let code else { return nil }
      self.code = code
      type = instruction[0]
      let first = isConstant ? 3 : 2
      (dividend, divisor) = (instruction[first], instruction[first + 1])
      divisorPlace = first + 2
    }

    var isSigned: Bool { code != .unsignedDivide && code != .unsignedModulo }
  }

  private mutating func newID() -> UInt32 {
    defer { bound += 1 }
    return bound
  }

  private mutating func rewritten() -> [UInt32] {
    var result = Array(words.prefix(SPIRVInstructions.headerLength))
    result.reserveCapacity(words.count + 1024)
    var hasBools = false
    var own: Set<UInt32> = []
    for instruction in SPIRVInstructions(words) {
      if !hasBools, let code = instruction.code,
        (SPIRVCode.typeVoid.rawValue...SPIRVCode.typeFunction.rawValue).contains(code.rawValue)
      {
        hasBools = true
        own = addBools(to: &result)
      }
      if instruction.code == .typeBool || instruction.code == .typeVector,
        own.contains(instruction[0])
      {
        continue
      }
      if let code = instruction.code, let division = Division(code, instruction),
        types[division.type] != nil, constants[division.divisor] != .harmless
      {
        let divisor = addDivisor(of: division, to: &result)
        var words = Array(instruction.words)
        words[division.divisorPlace] = divisor
        result += words
        continue
      }
      result += instruction.words
      if instruction.code == .typeInt || instruction.code == .typeVector,
        needed.contains(instruction[0])
      {
        addNumbers(of: instruction[0], to: &result)
      }
    }
    result[3] = bound
    return result
  }

  /// Adds the bool types before all other types, which may need them; returns their ids, old and new.
  private mutating func addBools(to result: inout [UInt32]) -> Set<UInt32> {
    let bool = boolType ?? newID()
    boolType = bool
    result.append(.typeBool, [bool])
    var ids: Set<UInt32> = [bool]
    let counts = Set(needed.compactMap { types[$0]?.count }).union(boolVectors.keys).sorted()
    for count in counts where count > 1 {
      let vector = boolVectors[count] ?? newID()
      boolVectors[count] = vector
      result.append(.typeVector, [vector, bool, UInt32(count)])
      ids.insert(vector)
    }
    return ids
  }

  private mutating func addNumbers(of type: UInt32, to result: inout [UInt32]) {
    guard let whole = types[type] else { return }
    let made = Numbers(
      zero: newID(), one: newID(), two: newID(), minusOne: newID(), least: newID())
    numbers[type] = made
    if let part = whole.part {
      for (id, number) in zip(made.all, numbers[part]?.all ?? []) {
        let parts = Array(repeating: number, count: whole.count)
        result.append(.constantComposite, [type, id] + parts)
      }
      return
    }
    let least = Int64.min >> Int64(64 - whole.width)
    for (id, value) in zip(made.all, [0, 1, 2, -1, least]) {
      var bits = UInt64(bitPattern: value)
      // Numbers shorter than a word are extended by their sign, or by zeroes if unsigned.
      if !whole.isSigned, whole.width < 64 { bits &= 1 << UInt64(whole.width) - 1 }
      let low = UInt32(truncatingIfNeeded: bits)
      let high = whole.width > 32 ? [UInt32(truncatingIfNeeded: bits >> 32)] : []
      result.append(.constant, [type, id, low] + high)
    }
  }

  /// Adds a number to a divisor so that a dangerous one becomes 1: 1 to 0, and 2 to -1 if the dividend is
  /// the smallest number.
  ///
  /// It uses an addition, because the types of its operands may be signed or unsigned.
  private mutating func addDivisor(of division: Division, to result: inout [UInt32]) -> UInt32 {
    guard let count = types[division.type]?.count, let numbers = numbers[division.type],
      let truth = count > 1 ? boolVectors[count] : boolType
    else { preconditionFailure("a type is counted before it is used") }
    func add(_ code: SPIRVCode, _ type: UInt32, _ operands: UInt32..., id: UInt32) -> UInt32 {
      if division.isConstant {
        result.append(.specConstantOperation, [type, id, code.rawValue] + operands)
      } else {
        result.append(code, [type, id] + operands)
      }
      return id
    }
    let isZero = add(.iEqual, truth, division.divisor, numbers.zero, id: newID())
    var more = add(.select, division.type, isZero, numbers.one, numbers.zero, id: newID())
    if division.isSigned {
      let isMinusOne = add(.iEqual, truth, division.divisor, numbers.minusOne, id: newID())
      let isLeast = add(.iEqual, truth, division.dividend, numbers.least, id: newID())
      let isBoth = add(.logicalAnd, truth, isMinusOne, isLeast, id: newID())
      more = add(.select, division.type, isBoth, numbers.two, more, id: newID())
    }
    return add(.iAdd, division.type, division.divisor, more, id: newID())
  }
}
