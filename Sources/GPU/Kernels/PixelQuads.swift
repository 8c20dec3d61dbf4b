/// Kernels whose invocations stand in fours for squares of 2x2 pixels, so that each sees what its
/// neighbours have: what derivatives are made of.
///
/// A work group is a row of 256 invocations, which every driver gives to subgroups in order, so that
/// four in a row are a quad of one subgroup; they make a square of 16x16 pixels. All of them run, also
/// beyond the picture's edge, as they do for the fragments of a triangle.
package enum PixelQuads: Sendable {
  /// The squares begin at the first row: for shaders that count rows from the top.
  case fromTop
  /// They begin at the last row, for shaders that count from the bottom; a picture with an odd
  /// number of rows has its half squares at the top then, as with OpenGL.
  case fromBottom

  static let groupSize = ComputePipeline.groupSide * ComputePipeline.groupSide

  /// What to ask of a dispatch so that a picture is covered.
  package func invocations(of writer: PixelStore) -> (width: Int, height: Int) {
    let (width, height) = writer.invocations
    let side = ComputePipeline.groupSide
    return ((width + side - 1) / side * Self.groupSize, (height + side - 1) / side)
  }

  /// `ivec2 kf_invocation`, the pixel of an invocation, whether a pixel is one of the picture, and the
  /// derivatives of floats and vectors.
  ///
  /// Plain ones are the fine ones, as Mesa has them: the difference in the pixel's own row or column.
  /// Coarse ones are the same for the four pixels.
  func glsl(width: Int, height: Int) -> String {
    let row = self == .fromTop ? "kf_square.y" : "\(height - 1) - kf_square.y"
    let functions = ["float", "vec2", "vec3", "vec4"].flatMap { type in
      Self.definitions.map { name, value in
        "\(type) kf_\(name)(\(type) v) { return \(value); }"
      }
    }
    return """
      layout(local_size_x = \(Self.groupSize)) in;
      int kf_corner = int(gl_LocalInvocationID.x) & 3;
      ivec2 kf_square = ivec2(gl_WorkGroupID.xy) * \(ComputePipeline.groupSide) + ivec2(
        (int(gl_LocalInvocationID.x) >> 1 & 14) + (kf_corner & 1),
        (int(gl_LocalInvocationID.x) >> 4 & 14) + (kf_corner >> 1));
      ivec2 kf_invocation = ivec2(kf_square.x, \(row));
      bool kf_isInside(ivec2 p) {
        return p.x >= 0 && p.y >= 0 && p.x < \(width) && p.y < \(height);
      }
      \(functions.joined(separator: "\n"))
      """
  }

  /// The functions, as GLSL calls them, with what they make of `v`.
  private static let definitions: [(name: String, value: String)] = {
    let across = "(subgroupQuadSwapHorizontal(v) - v) * float(1 - 2 * (kf_corner & 1))"
    let along = "(subgroupQuadSwapVertical(v) - v) * float(1 - (kf_corner & 2))"
    let acrossAll = "subgroupQuadBroadcast(v, 1u) - subgroupQuadBroadcast(v, 0u)"
    let alongAll = "subgroupQuadBroadcast(v, 2u) - subgroupQuadBroadcast(v, 0u)"
    return [
      ("dFdx", across), ("dFdy", along), ("fwidth", "abs(\(across)) + abs(\(along))"),
      ("dFdxFine", across), ("dFdyFine", along),
      ("fwidthFine", "abs(\(across)) + abs(\(along))"),
      ("dFdxCoarse", acrossAll), ("dFdyCoarse", alongAll),
      ("fwidthCoarse", "abs(\(acrossAll)) + abs(\(alongAll))"),
    ]
  }()

  /// What the functions are called in GLSL; here each begins with `kf_`, for the compiler knows the
  /// plain names and has them only for fragments.
  package static let functions = definitions.map(\.name)
}
