import GPU

/// The types in the uniform block of an effect.
enum GLSLType: String, Sendable {
  case float, int, bool, vec2, vec4

  /// The size in bytes; a bool is a 32-bit word, zero for false (SPIR-V has no bool in memory).
  var size: Int {
    switch self {
    case .float, .int, .bool: 4
    case .vec2: 8
    case .vec4: 16
    }
  }
}

/// The offset of each value in an effect's uniform block, by the rules of std140.
///
/// OpenGL 4.6 core specification, section 7.6.2.2: a scalar, a vec2 and a vec4 are aligned to their
/// size, and a block's size is rounded up to that of a vec4.
struct UniformLayout: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    let name: String
    let type: GLSLType
    /// The offset in bytes from the block's start.
    let offset: Int
  }

  private(set) var fields: [Field] = []
  private var end = 0

  var byteCount: Int { (end + 15) / 16 * 16 }

  init(_ members: [(name: String, type: GLSLType)]) {
    for (name, type) in members {
      let offset = (end + type.size - 1) / type.size * type.size
      fields.append(Field(name: name, type: type, offset: offset))
      end = offset + type.size
    }
  }

  /// Returns the block as GLSL, without an instance name, so that its members are plain names.
  ///
  /// Offsets are left to the compiler, which has the same rules: an effect may have a value named `offset`, and a macro of
  /// that name.
  func resource(
    name: String, bound: KernelResource.Bound, spelled: (String) -> String = { $0 }
  ) -> KernelResource {
    let members = fields.map { "  \($0.type.rawValue) \(spelled($0.name));" }
    return KernelResource(
      .uniformBuffer,
      """
      uniform \(name) {
      \(members.joined(separator: "\n"))
      }
      """, qualifier: "std140", bound: bound)
  }
}
