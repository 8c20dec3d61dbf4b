/// A compiled compute shader.
package struct SPIRV: Sendable {
  package let words: [UInt32]
  package let warnings: [Diagnostic]
  /// Every file that `#include` brought in, once each, in the order first met.
  package let includes: [IncludedFile]

  /// The size of a work group as the module states it, nil if it has no literal one.
  ///
  /// Read from `OpExecutionMode ... LocalSize` (SPIR-V specification, section 3.6), because a
  /// shader may declare its own size and the dispatch must divide by the same.
  package var localSize: (x: Int, y: Int, z: Int)? {
    let executionMode: UInt32 = 16
    let localSize: UInt32 = 17
    let headerLength = 5
    var at = headerLength
    while at < words.count {
      let length = Int(words[at] >> 16)
      guard length > 0, at + length <= words.count else { return nil }
      if words[at] & 0xFFFF == executionMode, length == 6, words[at + 2] == localSize {
        return (Int(words[at + 3]), Int(words[at + 4]), Int(words[at + 5]))
      }
      at += length
    }
    return nil
  }
}

/// A file that a shader included.
package struct IncludedFile: Sendable, Equatable {
  /// Canonical: no links, no `..`.
  package let path: String
  package let text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
