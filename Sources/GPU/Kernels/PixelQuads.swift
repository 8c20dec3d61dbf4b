/// Kernels whose invocations form 2x2 quads of pixels, so that each can read its neighbours' values,
/// as derivatives require.
///
/// A work group is a row of 128 invocations. Every driver assigns them to subgroups in order, so four
/// in a row are a quad of one subgroup; the work group covers 16x8 pixels. All invocations run, also
/// beyond the image's edge, as with the fragments of a triangle.
public enum PixelQuads: Sendable {
  /// The quads begin at the first row: for shaders that count rows from the top.
  case fromTop
  /// The quads begin at the last row, for shaders that count from the bottom; an image with an odd
  /// number of rows then has its half quads at the top, as in OpenGL.
  case fromBottom

  private static let area = WorkGroup.square
  static let groupSize = area.width * area.height

  /// The size of a dispatch that covers the image.
  public func invocations(of writer: PixelStore) -> (width: Int, height: Int) {
    let (width, height) = writer.main.invocations
    let (across, down) = (Self.area.width, Self.area.height)
    return ((width + across - 1) / across * Self.groupSize, (height + down - 1) / down)
  }

  /// GLSL for `ivec2 kf_invocation`, the pixel of an invocation, for the test whether a pixel is in the
  /// image, and for the derivatives of floats and vectors.
  ///
  /// Plain derivatives equal the fine ones, as in Mesa: the difference in the pixel's own row or column.
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
      ivec2 kf_square = ivec2(gl_WorkGroupID.xy) * ivec2(\(Self.area.width), \(Self.area.height)) + ivec2(
        (int(gl_LocalInvocationID.x) >> 1 & 14) + (kf_corner & 1),
        (int(gl_LocalInvocationID.x) >> 4 & 14) + (kf_corner >> 1));
      ivec2 kf_invocation = ivec2(kf_square.x, \(row));
      bool kf_isInside(ivec2 p) {
        return p.x >= 0 && p.y >= 0 && p.x < \(width) && p.y < \(height);
      }
      \(functions.joined(separator: "\n"))
      """
  }

  /// The functions by their GLSL names, each with the expression that it computes from `v`.
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

  /// The GLSL names of the functions; here each begins with `kf_`, because the compiler knows the plain
  /// names and allows them in fragment shaders only.
  public static let functions = definitions.map(\.name)
}
