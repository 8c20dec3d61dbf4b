/// The instructions of a SPIR-V module, in order; the sequence ends before a damaged one.
struct SPIRVInstructions: Sequence, IteratorProtocol {
  struct Instruction {
    let code: SPIRVCode?
    /// The whole instruction; its first word holds length and code.
    let words: ArraySlice<UInt32>
    /// The words after the first one.
    var operands: ArraySlice<UInt32> { words.dropFirst() }

    /// An operand, counted from 0; 0 if there are too few.
    subscript(_ place: Int) -> UInt32 {
      let index = words.startIndex + 1 + place
      return index < words.endIndex ? words[index] : 0
    }
  }

  /// Words of the header: magic number, version, generator, bound of the ids, and a zero.
  static let headerLength = 5

  private let words: [UInt32]
  private var at = Self.headerLength

  init(_ words: [UInt32]) { self.words = words }

  mutating func next() -> Instruction? {
    guard at < words.count else { return nil }
    let length = Int(words[at] >> 16)
    guard length > 0, at + length <= words.count else { return nil }
    defer { at += length }
    return Instruction(
      code: SPIRVCode(rawValue: words[at] & 0xFFFF), words: words[at..<(at + length)])
  }
}

extension SPIRVInstructions {
  /// Decodes text of four bytes per word, lowest first, up to a zero byte.
  static func text(_ words: ArraySlice<UInt32>) -> String {
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// The operations that kfrec uses, by the numbers of the SPIR-V specification, section 3.52.
enum SPIRVCode: UInt32 {
  case undefined = 1
  case sourceContinued = 2
  case source = 3
  case sourceExtension = 4
  case name = 5
  case memberName = 6
  case string = 7
  case line = 8
  case importedSet = 11
  case fromSet = 12
  case entryPoint = 15
  case executionMode = 16
  case typeVoid = 19
  case typeBool = 20
  case typeInt = 21
  case typeFloat = 22
  case typeVector = 23
  case typeMatrix = 24
  case typeArray = 28
  case typeRuntimeArray = 29
  case typeStruct = 30
  case typePointer = 32
  case typeFunction = 33
  case constant = 43
  case constantComposite = 44
  case constantNull = 46
  case specConstant = 50
  case specConstantOperation = 52
  case function = 54
  case functionEnd = 56
  case functionCall = 57
  case variable = 59
  case load = 61
  case store = 62
  case compositeConstruct = 80
  case copyObject = 83
  case imageWrite = 99
  case iAdd = 128
  case floatMultiply = 133
  case unsignedDivide = 134
  case signedDivide = 135
  case floatDivide = 136
  case unsignedModulo = 137
  case signedRemainder = 138
  case signedModulo = 139
  case floatRemainder = 140
  case floatModulo = 141
  case isNaN = 156
  case logicalOr = 166
  case logicalAnd = 167
  case select = 169
  case iEqual = 170
  case unsignedGreater = 172
  case floatEqual = 180
  case phi = 245
  case loopMerge = 246
  case label = 248
  case noLine = 317
  case moduleProcessed = 330

  /// Whether the instruction declares a type that a variable can have.
  var isType: Bool {
    (Self.typeBool.rawValue...Self.typeStruct.rawValue).contains(rawValue)
  }

  /// Whether the instruction is for debugging only.
  var isDebugging: Bool {
    switch self {
    case .sourceContinued, .source, .sourceExtension, .name, .memberName, .string, .line, .noLine,
      .moduleProcessed:
      true
    default: false
    }
  }
}

extension [UInt32] {
  /// The words of bytes, in the byte order of this machine.
  init(bytes: UnsafeRawBufferPointer) {
    self = (0..<bytes.count / 4).map {
      bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
    }
  }

  /// Adds an instruction.
  mutating func append(_ code: SPIRVCode, _ operands: [UInt32]) {
    append(UInt32(operands.count + 1) << 16 | code.rawValue)
    self += operands
  }

  /// The module without names, sources and lines.
  var withoutDebugging: [UInt32] {
    var result = Array(prefix(SPIRVInstructions.headerLength))
    result.reserveCapacity(count)
    for instruction in SPIRVInstructions(self) where instruction.code?.isDebugging != true {
      result += instruction.words
    }
    return result
  }
}
