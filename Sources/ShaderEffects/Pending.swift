package import ShaderCompiler
import Frames

struct PendingError: ExplainedError {
  let description: String
  init(_ description: String) { self.description = description }
}

extension EffectUse {
  package init(parsing text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    name = parts.first ?? text
    parameters = []
    mix = 1
  }
}

package struct EffectInput: Sendable {
  package var name, type: String
  package var defaultText, minText, maxText: String?
  package var labels: [String]
  package var description: String?
}

package struct EffectDescription: Sendable {
  package var name, description: String
  package var categories: [String]
  package var inputs: [EffectInput]
  package var path: String
  package var json: String
}

package struct EffectLibrary: Sendable {
  package init(folders: [String]) {}
  package func descriptions() throws -> [EffectDescription] { [] }
  package func describe(_ name: String) throws -> EffectDescription {
    throw PendingError("the effect library is not in this build")
  }
}

package struct CompiledEffect: Sendable {
  let spirv: SPIRV
  let uniformByteCount: Int
  func isActive(at clock: EffectClock) -> Bool { false }
  func writeUniforms(_ clock: EffectClock, width: Int, height: Int, into: UnsafeMutableRawBufferPointer) {}
}
extension EffectLibrary {
  package func compile(_ use: EffectUse, with compiler: ShaderCompiler) throws -> CompiledEffect { throw PendingError("x") }
}
