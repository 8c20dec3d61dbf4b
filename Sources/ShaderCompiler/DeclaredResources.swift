/// What a SPIR-V module that has its names is bound to.
struct DeclaredResources {
  /// Of the variables, or of their blocks where those have no name; in the module's order.
  private(set) var names: [String] = []

  // Numbers of the SPIR-V specification, sections 3.7 and 3.52.
  private enum Operation {
    static let name: UInt32 = 5
    static let typeArray: UInt32 = 28
    static let typeRuntimeArray: UInt32 = 29
    static let typePointer: UInt32 = 32
    static let variable: UInt32 = 59
  }
  /// UniformConstant, Uniform, PushConstant, StorageBuffer.
  private static let boundClasses: Set<UInt32> = [0, 2, 9, 12]
  /// PhysicalStorageBuffer: an address, which no variable stands for.
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
    func add(_ name: String) { if !names.contains(name) { names.append(name) } }
    let headerLength = 5
    var at = headerLength
    while at < words.count {
      let length = Int(words[at] >> 16)
      guard length > 0, at + length <= words.count else { return }
      let operands = words[(at + 1)..<(at + length)]
      let first = operands.startIndex
      switch words[at] & 0xFFFF {
      case Operation.name where operands.count >= 2:
        spoken[operands[first]] = Self.text(operands.dropFirst())
      case Operation.typeArray where operands.count >= 2,
        Operation.typeRuntimeArray where operands.count >= 2:
        elements[operands[first]] = operands[first + 1]
      case Operation.typePointer where operands.count >= 3:
        pointees[operands[first]] = operands[first + 2]
        if operands[first + 1] == Self.addressClass { add(name(ofType: operands[first + 2])) }
      case Operation.variable where operands.count >= 3:
        guard Self.boundClasses.contains(operands[first + 2]) else { break }
        let own = spoken[operands[first + 1]] ?? ""
        add(own.isEmpty ? name(ofType: pointees[operands[first]] ?? 0) : own)
      default: break
      }
      at += length
    }
  }

  /// Four bytes a word, lowest first, up to a zero.
  private static func text(_ words: ArraySlice<UInt32>) -> String {
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
