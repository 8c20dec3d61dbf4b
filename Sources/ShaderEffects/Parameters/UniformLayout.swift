import GPU

/// The types that a uniform block of an effect holds.
enum GLSLType: String, Sendable {
  case float, int, bool, vec2, vec4

  /// In bytes; a bool is a 32-bit word, zero for false (SPIR-V has no bool in memory).
  var size: Int {
    switch self {
    case .float, .int, .bool: 4
    case .vec2: 8
    case .vec4: 16
    }
  }
}

/// Where each value lies in an effect's uniform block, by the rules of std140.
///
/// OpenGL 4.6 core specification, section 7.6.2.2: a scalar is aligned to its size, vec2 and vec4
/// too, and a block's size is rounded up to that of a vec4.
struct UniformLayout: Sendable, Equatable {
  struct Field: Sendable, Equatable {
    let name: String
    let type: GLSLType
    /// In bytes from the block's start.
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

  /// The block as GLSL, without an instance name, so that its members are plain names.
  ///
  /// Offsets are written out, so that the compiler refuses what would not be std140.
  func resource(name: String, bound: KernelResource.Bound) -> KernelResource {
    let members = fields.map { "  layout(offset = \($0.offset)) \($0.type.rawValue) \($0.name);" }
    return KernelResource(
      .uniformBuffer,
      """
      uniform \(name) {
      \(members.joined(separator: "\n"))
      }
      """, qualifier: "std140", bound: bound)
  }
}
