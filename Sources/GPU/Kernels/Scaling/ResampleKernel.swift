/// The GLSL that resizes along one axis: each invocation computes a group of neighbouring results.
///
/// Weights that repeat from group to group are numbers in the code; others are in a table. Measured on lavapipe, where
/// every read costs time, a group of four takes about half the time of single results.
struct ResampleKernel {
  let weights: ResampleWeights
  /// 0 across, 1 down.
  let axis: Int
  /// The size of the result.
  let width: Int
  let height: Int
  /// The size of the source along the axis.
  let sourceLength: Int
  let hasAlpha: Bool
  /// GLSL for each colour `v` that is read, and for each result `v`.
  let entering: String
  let leaving: String
  /// The functions that these call.
  let functions: String

  /// Invocations for one frame.
  var invocations: (width: Int, height: Int) {
    let size = weights.groupSize
    return axis == 0
      ? ((width + size - 1) / size, height) : (width, (height + size - 1) / size)
  }

  private var places: Range<Int> { 0..<weights.groupSize }
  /// The GLSL type of a sum; without alpha a quarter of the work is saved.
  private var type: String { hasAlpha ? "vec4" : "vec3" }

  /// Makes the kernel's `main`, and its table if it needs one.
  func fragment(device: Device) throws -> KernelFragment {
    guard weights.stride == nil else { return KernelFragment(glsl, name: "resample") }
    let table = weights.table
    let shape = TextureDescriptor(written: table.count / 4, 1, format: .float, on: device)
    let texture = try shape.mapped(on: device)
    table.withUnsafeBytes { texture.buffer.bytes.copyBytes(from: $0) }
    let reader = shape.reading("kf_weights", from: .always(texture.resource))
    return KernelFragment(
      """
      \(reader.glsl)
      vec4 kf_weight(int i) { return kf_weights(0, ivec2(i, 0)); }
      \(glsl)
      """, name: "resample", resources: reader.resources)
  }

  private var glsl: String {
    let group = WorkGroup.square
    let place = axis == 0 ? "ivec2(at, g.y)" : "ivec2(g.x, at)"
    return """
      \(functions)
      \(type) kf_enter(vec4 v) {
        \(entering)
        return \(hasAlpha ? "v" : "v.rgb");
      }
      void kf_leave(ivec2 p, \(type) sum) {
        vec4 v = \(hasAlpha ? "sum" : "vec4(sum, 1.0)");
        \(leaving)
        kf_store(p, v);
      }
      \(type) kf_texel(ivec2 g, int at) {
        at = clamp(at, 0, \(sourceLength - 1));
        return kf_enter(kf_read(\(place)));
      }
      layout(local_size_x = \(group.width), local_size_y = \(group.height)) in;
      void main() {
        ivec2 g = kf_invocation;
        if (g.x >= \(invocations.width) || g.y >= \(invocations.height)) return;
        \(weights.isWrittenOut ? writtenSums : loopedSums)
        \(places.map(store).joined(separator: "\n  "))
      }
      """
  }

  /// GLSL that begins the sums and their bounds.
  private var beginnings: String {
    places.map { place in
      let bounds =
        weights.isBounded
        ? " \(type) l\(place) = \(type)(65504.0), h\(place) = \(type)(-65504.0);" : ""
      return "\(type) s\(place) = \(type)(0);" + bounds
    }.joined(separator: "\n  ")
  }

  /// GLSL with the first texel of a group: `stride` further in each group, or in the table.
  private var first: String {
    guard let stride = weights.stride else {
      return """
        int row = g[\(axis)] * \(weights.taps + 1);
          int first = int(kf_weight(row).x);
        """
    }
    return "int first = g[\(axis)] * \(stride) + (\(weights.groups[0].first));"
  }

  /// GLSL with a line for each texel.
  private var writtenSums: String {
    var lines = [beginnings, first, "\(type) v; vec4 w;"]
    for tap in 0..<weights.taps {
      var uses: [String] = []
      if weights.stride == nil {
        uses = ["w = kf_weight(row + \(tap + 1));"] + places.map(addition)
      } else {
        uses = zip(places, weights.groups[0].weights[tap]).filter { $1 != 0 }
          .map { "s\($0) += v * \(Float($1));" }
      }
      uses += places.filter { weights.isBounded && weights.bounds[$0].contains(tap) }.map(bounding)
      if !uses.isEmpty {
        lines.append("v = kf_texel(g, first + \(tap)); " + uses.joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n  ")
  }

  private func addition(_ place: Int) -> String { "s\(place) += v * w[\(place)];" }

  private func bounding(_ place: Int) -> String {
    "l\(place) = min(l\(place), v); h\(place) = max(h\(place), v);"
  }

  /// GLSL with a loop over the texels, for many of them.
  private var loopedSums: String {
    let bounded = weights.isBounded ? Array(places) : []
    let narrowing = bounded.map { place in
      let range = weights.bounds[place]
      return "if (t >= \(range.lowerBound) && t < \(range.upperBound)) { \(bounding(place)) }"
    }
    return """
      \(beginnings)
        \(first)
        for (int t = 0; t < \(weights.taps); t++) {
          \(type) v = kf_texel(g, first + t);
          vec4 w = kf_weight(row + 1 + t);
          \((places.map(addition) + narrowing).joined(separator: "\n    "))
        }
      """
  }

  private func store(_ place: Int) -> String {
    let bounded = weights.isBounded ? "clamp(s\(place), l\(place), h\(place))" : "s\(place)"
    let size = weights.groupSize
    let pixel =
      axis == 0 ? "ivec2(g.x * \(size) + \(place), g.y)" : "ivec2(g.x, g.y * \(size) + \(place))"
    let length = axis == 0 ? width : height
    let isInside =
      place == 0 || length % size == 0 ? "" : "if (g[\(axis)] * \(size) + \(place) < \(length)) "
    return "\(isInside)kf_leave(\(pixel), \(bounded));"
  }
}
