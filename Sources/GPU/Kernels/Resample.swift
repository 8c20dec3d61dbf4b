import Frames
package import ShaderCompiler

/// One pass that resizes the image along one axis: a Catmull-Rom filter, widened for shrinking so that
/// nothing aliases.
///
/// It works on coded values, as video scalers usually do, with colours weighted by alpha.
package struct Resample: Sendable {
  /// The size of the result.
  package let width: Int
  package let height: Int

  private let weights: ResampleWeights
  private let axis: Int
  private var isFirst = false
  private var isLast = false

  /// Source reads per pixel.
  package var taps: Int { weights.taps }

  /// The passes from the upright source to the geometry's size, first across, then down; none for a
  /// length that stays the same.
  package static func passes(
    sourceWidth: Int, sourceHeight: Int, geometry: FrameGeometry
  ) -> [Resample] {
    let across = ResampleWeights(
      from: geometry.sourceX, length: geometry.sourceWidth, count: geometry.width)
    let down = ResampleWeights(
      from: geometry.sourceY, length: geometry.sourceHeight, count: geometry.height)
    var passes: [Resample] = []
    if !across.isIdentity(sourceLength: sourceWidth) {
      passes.append(
        Resample(width: geometry.width, height: sourceHeight, weights: across, axis: 0))
    }
    if !down.isIdentity(sourceLength: sourceHeight) {
      passes.append(
        Resample(width: geometry.width, height: geometry.height, weights: down, axis: 1))
    }
    if !passes.isEmpty {
      passes[0].isFirst = true
      passes[passes.count - 1].isLast = true
    }
    return passes
  }

  private init(width: Int, height: Int, weights: ResampleWeights, axis: Int) {
    self.width = width
    self.height = height
    self.weights = weights
    self.axis = axis
  }

  /// Makes the kernel and its table of weights.
  package func pass(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad, writer: PixelStore,
    slotCount: Int
  ) throws -> ComputePass {
    let table = try Buffer(device: device, byteCount: weights.table.count * 4, use: .upload)
    weights.table.withUnsafeBytes { table.bytes.copyBytes(from: $0) }
    let kernel = KernelSource(
      reader: reader, writer: writer, work: [fragment(reader, table: .always(.buffer(table)))]
    ).assembled()
    return try ComputePass(
      device: device, spirv: compiler.compile(kernel, name: "resample"), kernel: kernel,
      slotCount: slotCount)
  }

  /// Beside opaque areas the filter's negative weights leave alpha sums of a few thousandths, of either
  /// sign: divided by these, colours would be noise, or infinite.
  private static let undoWeighting = """
    sum.rgb = sum.a > 1.0 / 512.0 ? sum.rgb / sum.a : vec3(0);
      sum.a = clamp(sum.a, 0.0, 1.0);
    """

  private func fragment(
    _ reader: PixelLoad, table: KernelResource.Bound
  ) -> KernelFragment {
    let place = axis == 0 ? "ivec2(at, p.y)" : "ivec2(p.x, at)"
    let last = (axis == 0 ? reader.width : reader.height) - 1
    return KernelFragment(
      """
      vec4 kf_color(ivec2 p) {
        uint row = uint(p[\(axis)]) * \(taps + 1);
        int first = int(table[row]);
        vec4 sum = vec4(0);
        for (int t = 0; t < \(taps); t++) {
          int at = clamp(first + t, 0, \(last));
          vec4 v = kf_read(\(place));
          \(isFirst ? "v.rgb *= v.a;" : "")
          sum += v * uintBitsToFloat(table[row + 1 + t]);
        }
        \(isLast ? Resample.undoWeighting : "")
        return sum;
      }
      """, name: "resample",
      resources: [
        KernelResource(
          .storageBuffer, "readonly buffer Weights { uint table[]; }", qualifier: "std430",
          bound: table)
      ])
  }
}
