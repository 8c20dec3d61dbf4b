/// Bytes of the variables of a SPIR-V module; each variable has its own memory all the time.
struct VariableMemory {
  struct Variable: Equatable {
    /// Empty if the module has no names.
    let name: String
    let byteCount: Int
  }

  /// Variables that each invocation has for itself.
  private(set) var own: [Variable] = []
  /// Variables that a work group shares.
  private(set) var shared: [Variable] = []

  var ownByteCount: Int { Self.sum(own) }
  var sharedByteCount: Int { Self.sum(shared) }

  private static func sum(_ variables: [Variable]) -> Int {
    variables.reduce(0) { $0.added($1.byteCount) }
  }

  /// The storage classes Workgroup, Private and Function (SPIR-V specification, section 3.7).
  private static let (sharedClass, ownClasses): (UInt32, Set<UInt32>) = (4, [6, 7])

  init(_ words: [UInt32]) {
    var names: [UInt32: String] = [:]
    var sizes: [UInt32: Int] = [:]
    var pointees: [UInt32: UInt32] = [:]
    var constants: [UInt32: Int] = [:]
    func size(_ type: UInt32) -> Int { sizes[type] ?? 0 }
    for instruction in SPIRVInstructions(words) {
      let id = instruction[0]
      switch instruction.code {
      case .name: names[id] = SPIRVInstructions.text(instruction.operands.dropFirst())
      case .typeBool: sizes[id] = 4
      case .typeInt, .typeFloat: sizes[id] = Int(instruction[1]) / 8
      case .typeVector, .typeMatrix: sizes[id] = size(instruction[1]).times(Int(instruction[2]))
      case .constant, .specConstant: constants[instruction[1]] = Int(instruction[2])
      case .typeArray: sizes[id] = size(instruction[1]).times(constants[instruction[2]] ?? 0)
      case .typeStruct:
        sizes[id] = instruction.operands.dropFirst().reduce(0) { $0.added(size($1)) }
      case .typePointer: pointees[id] = instruction[2]
      case .variable:
        let variable = Variable(
          name: names[instruction[1]] ?? "", byteCount: size(pointees[id] ?? 0))
        if instruction[2] == Self.sharedClass { shared.append(variable) }
        if Self.ownClasses.contains(instruction[2]) { own.append(variable) }
      default: break
      }
    }
  }
}

extension Int {
  /// Products and sums that overflow become the largest number.
  func times(_ other: Int) -> Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: other)
    return isTooLarge ? .max : product
  }

  func added(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension VariableMemory {
  /// The largest total size of the variables of one invocation, in bytes.
  ///
  /// A software driver stores them for all invocations of a work group at once: with 64 KiB lavapipe takes
  /// half a gigabyte (Mesa 22.3 on two cores, 256 invocations), and more with more variables. GPUs have
  /// much less memory in registers.
  static let limit = 64 << 10

  /// The error if a module needs too much memory; `named` is the module with names, before optimization,
  /// and `sources` are the authors' texts by file.
  func refusal(
    named: VariableMemory, name: String, sources: [(file: String, text: String)],
    spokenNames: [String: String]
  ) -> Diagnostic? {
    guard ownByteCount > Self.limit else { return nil }
    let largest = named.own.max { $0.byteCount < $1.byteCount }?.name ?? ""
    let spoken = spokenNames[largest] ?? largest
    let message =
      "the variables take \(Self.kibibytes(ownByteCount)) for each pixel, and "
      + "the limit is \(Self.kibibytes(Self.limit))"
    guard !spoken.isEmpty, let (source, offset) = ResourceRule.place(ofWord: spoken, in: sources)
    else {
      return Diagnostic(
        file: name, severity: .error, message: "\(message); make its arrays smaller")
    }
    return Diagnostic(
      file: source.file, source: SourceText(source.text), utf8Offset: offset,
      message: "\(message); '\(spoken)' is the largest: make it smaller")
  }

  private static func kibibytes(_ count: Int) -> String {
    "\(count / 1024 + (count % 1024 == 0 ? 0 : 1)) KiB"
  }
}
