/// Gives each variable of an invocation zero at its start, but for those that hold arrays.
///
/// SPIR-V leaves the value of a variable that was not written undefined (section 3.52.8), and lavapipe then shows what an
/// optimizer likes best: an `out` parameter that a function writes on one branch only had the value of that branch on the other
/// too. GLSL's hosts give zero. Arrays stay as they are: with zeros in them the driver takes three times as long to compile
/// `datamosh`.
enum DefinedVariables {
  /// The storage classes Private and Function (SPIR-V specification, section 3.7).
  private static let classes: Set<UInt32> = [6, 7]

  /// The module with initializers; unchanged if there is nothing to do.
  static func defining(_ words: [UInt32]) -> [UInt32] {
    guard words.count > SPIRVInstructions.headerLength else { return words }
    var pointees: [UInt32: UInt32] = [:]
    var arrays: Set<UInt32> = []
    var nulls: [UInt32: UInt32] = [:]
    var bound = words[3]
    var wanted: [UInt32] = []
    func isBare(_ instruction: SPIRVInstructions.Instruction) -> Bool {
      instruction.code == .variable && classes.contains(instruction[2])
        && instruction.operands.count == 3
    }
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .typeArray: arrays.insert(instruction[0])
      case .typeStruct where !arrays.isDisjoint(with: instruction.operands.dropFirst()):
        arrays.insert(instruction[0])
      case .typePointer where !arrays.contains(instruction[2]):
        pointees[instruction[0]] = instruction[2]
      default: break
      }
      if isBare(instruction), let type = pointees[instruction[0]], nulls[type] == nil {
        (nulls[type], bound) = (bound, bound + 1)
        wanted.append(type)
      }
    }
    guard !wanted.isEmpty else { return words }
    var result = Array(words.prefix(SPIRVInstructions.headerLength))
    result.reserveCapacity(words.count + 1024)
    result[3] = bound
    var waiting = Set(wanted)
    func addNull(_ type: UInt32) {
      guard let null = nulls[type], waiting.remove(type) != nil else { return }
      result += [3 << 16 | SPIRVCode.constantNull.rawValue, type, null]
    }
    for instruction in SPIRVInstructions(words) {
      guard isBare(instruction), let type = pointees[instruction[0]], let null = nulls[type] else {
        result += instruction.words
        // The type of a pointer's target stands before the pointer's.
        if instruction.code == .typePointer { addNull(instruction[2]) }
        continue
      }
      result.append(5 << 16 | SPIRVCode.variable.rawValue)
      result += instruction.operands
      result.append(null)
    }
    return result
  }
}
