/// Makes the variables of a SPIR-V module begin as zero where nothing says what they begin with.
///
/// What such a variable holds is undefined (SPIR-V specification, section 3.52.8). A CPU driver gives a work group memory of
/// the process as it is, and an effect could show what lay there; an optimizer gives an `out` parameter that is written on one
/// branch that value on the other too, where the hosts of GLSL give zero. An array that each invocation has for itself stays
/// as it is: lavapipe clears it, and with zeros in it takes three times as long to compile `datamosh`.
struct ClearedVariables {
  /// The storage classes Private and Function (SPIR-V specification, section 3.7).
  static let own: Set<UInt32> = [6, 7]
  /// The storage class Workgroup, which may have a value to begin with only where the device has
  /// `VK_KHR_zero_initialize_workgroup_memory`.
  static let shared: Set<UInt32> = [4]

  private let words: [UInt32]
  private let classes: Set<UInt32>
  /// The types of pointers: what they point to.
  private var pointees: [UInt32: UInt32] = [:]
  /// The types that need a zero, and its id.
  private var zeros: [UInt32: UInt32] = [:]
  /// The types of arrays, and of structs that hold some.
  private var arrays: Set<UInt32> = []
  private var bound: UInt32

  /// The module whose variables of these storage classes begin as zero; unchanged if there are none.
  static func clearing(_ words: [UInt32], classes: Set<UInt32>) -> [UInt32] {
    guard words.count > SPIRVInstructions.headerLength else { return words }
    let clearing = ClearedVariables(words, classes: classes)
    return clearing.zeros.isEmpty ? words : clearing.rewritten()
  }

  private init(_ words: [UInt32], classes: Set<UInt32>) {
    (self.words, self.classes, bound) = (words, classes, words[3])
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .typePointer: pointees[instruction[0]] = instruction[2]
      case .typeArray: arrays.insert(instruction[0])
      case .typeStruct where !arrays.isDisjoint(with: instruction.operands.dropFirst()):
        arrays.insert(instruction[0])
      default: break
      }
      guard let type = cleared(instruction), zeros[type] == nil else { continue }
      zeros[type] = bound
      bound += 1
    }
  }

  /// The type of what an instruction leaves undefined; nil if it leaves nothing so, or is not to be changed.
  private func cleared(_ instruction: SPIRVInstructions.Instruction) -> UInt32? {
    switch instruction.code {
    case .variable where instruction.operands.count == 3 && classes.contains(instruction[2]):
      pointees[instruction[0]].flatMap {
        classes == Self.own && arrays.contains($0) ? nil : $0
      }
    case .undefined where classes == Self.own: instruction[0]
    default: nil
    }
  }

  private func rewritten() -> [UInt32] {
    var result = Array(words.prefix(SPIRVInstructions.headerLength))
    result.reserveCapacity(words.count + 4 * zeros.count)
    var isInFunction = false
    for instruction in SPIRVInstructions(words) {
      if instruction.code == .function { isInFunction = true }
      if let type = cleared(instruction), let zero = zeros[type] {
        if instruction.code == .variable {
          result.append(.variable, instruction.operands + [zero])
        } else if isInFunction {
          result.append(.copyObject, [type, instruction[1], zero])
        } else {
          result.append(.constantNull, [type, instruction[1]])
        }
        continue
      }
      result += instruction.words
      if instruction.code?.isType == true, let zero = zeros[instruction[0]] {
        result.append(.constantNull, [instruction[0], zero])
      }
    }
    result[3] = bound
    return result
  }
}

extension SPIRV {
  /// The same shader, whose shared variables begin as zero.
  public var clearingShared: SPIRV {
    SPIRV(
      words: ClearedVariables.clearing(words, classes: ClearedVariables.shared),
      warnings: warnings, includes: includes)
  }
}
