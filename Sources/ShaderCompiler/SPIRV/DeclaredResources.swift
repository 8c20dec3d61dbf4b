/// The resources that a SPIR-V module with names declares.
struct DeclaredResources {
  /// Names of the variables, or of their blocks if a variable has no name; in the module's order.
  private(set) var names: [String] = []

  /// The storage classes UniformConstant, Uniform, PushConstant and StorageBuffer.
  private static let boundClasses: Set<UInt32> = [0, 2, 9, 12]
  /// The storage class PhysicalStorageBuffer: an address, without a variable.
  private static let addressClass: UInt32 = 5349

  init(_ words: [UInt32]) {
    var spoken: [UInt32: String] = [:]
    var elements: [UInt32: UInt32] = [:]
    var pointees: [UInt32: UInt32] = [:]
    func name(ofType type: UInt32) -> String {
      var type = type
      while let element = elements[type] { type = element }
      return spoken[type] ?? ""
    }
    var known: Set<String> = []
    func add(_ name: String) { if known.insert(name).inserted { names.append(name) } }
    for instruction in SPIRVInstructions(words) {
      switch instruction.code {
      case .name: spoken[instruction[0]] = SPIRVInstructions.text(instruction.operands.dropFirst())
      case .typeArray, .typeRuntimeArray: elements[instruction[0]] = instruction[1]
      case .typePointer:
        pointees[instruction[0]] = instruction[2]
        if instruction[1] == Self.addressClass { add(name(ofType: instruction[2])) }
      case .variable:
        guard Self.boundClasses.contains(instruction[2]) else { break }
        let own = spoken[instruction[1]] ?? ""
        add(own.isEmpty ? name(ofType: pointees[instruction[0]] ?? 0) : own)
      default: break
      }
    }
  }
}
