/// A compiled compute shader.
public struct SPIRV: Sendable {
  public let words: [UInt32]
  public let warnings: [Diagnostic]
  /// Every file that `#include` brought in, once each, in the order of first use.
  public let includes: [IncludedFile]

  /// The work group size that the module declares; nil if it has no literal one.
  ///
  /// Read from `OpExecutionMode ... LocalSize` (SPIR-V specification, section 3.6), because a shader may
  /// declare its own size, and the dispatch must divide by the same.
  public var localSize: (x: Int, y: Int, z: Int)? {
    let localSize: UInt32 = 17
    for instruction in SPIRVInstructions(words)
    where instruction.code == .executionMode && instruction.words.count == 6
      && instruction[1] == localSize
    {
      return (Int(instruction[2]), Int(instruction[3]), Int(instruction[4]))
    }
    return nil
  }
}

extension SPIRV {
  /// Bytes of the variables that a work group shares.
  public var sharedByteCount: Int { VariableMemory(words).sharedByteCount }
}

/// A file that a shader included.
public struct IncludedFile: Sendable, Equatable {
  /// The canonical path: no links, no `..`.
  public let path: String
  public let text: String

  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
