public import Frames
public import ShaderCompiler

/// One pass of a resampling: it turns coded colours into light, or resizes the image along one axis.
///
/// Colours of the standard dynamic range are filtered in light, so that a fine pattern keeps its brightness; HDR is
/// filtered in its coded values. Colours are weighted by alpha.
public struct Resample: Sendable {
  /// The size of the result.
  public let width: Int
  public let height: Int
  /// What the pass does, in a few words.
  public var name: String { axis == nil ? "light" : "scale to \(width)x\(height) by \(scaler)" }

  /// The numbers of the texture that it writes: light needs more bits than coded values, near black above all.
  public var format: Texture.Format { curve != nil && !isLast ? .float : .half }

  private let scaler: Scaler
  /// Along which axis the image is resized, and how; nil for the pass that turns colours into light.
  private let axis: (index: Int, weights: ResampleWeights)?
  private let curve: LightCurve?
  private let isOpaque: Bool
  /// Whether the pass reads colours that are not weighted by alpha yet.
  private var isFirst = false
  private var isLast = false

  /// Source reads per pixel, of a pass that is a kernel with its own reads for each pixel.
  public var taps: Int {
    axis.map { ($0.weights.taps + $0.weights.groupSize - 1) / $0.weights.groupSize } ?? 1
  }

  /// The passes from an upright source to the geometry's size: to light, then across, then down; none for a
  /// length that stays the same.
  public static func passes(of source: FrameFormat, geometry: FrameGeometry) -> [Resample] {
    let size = source.uprightSize
    let across = ResampleWeights(
      from: geometry.sourceX, length: geometry.sourceWidth, of: size.width, count: geometry.width,
      scaler: geometry.scaler)
    let down = ResampleWeights(
      from: geometry.sourceY, length: geometry.sourceHeight, of: size.height,
      count: geometry.height,
      scaler: geometry.scaler)
    var axes: [(index: Int, weights: ResampleWeights)] = []
    if !across.isIdentity(sourceLength: size.width) { axes.append((0, across)) }
    if !down.isIdentity(sourceLength: size.height) { axes.append((1, down)) }
    // Pixels that are only copied keep their codes, also where they are transparent.
    let isCopy = axes.allSatisfy(\.weights.isCopy)
    let curve = isCopy ? nil : LightCurve(transfer: source.color.transfer)
    let isOpaque = isCopy || source.pixelFormat.layout.alpha == nil
    func pass(
      _ width: Int, _ height: Int, _ axis: (index: Int, weights: ResampleWeights)?
    ) -> Resample {
      Resample(
        width: width, height: height, scaler: geometry.scaler, axis: axis, curve: curve,
        isOpaque: isOpaque)
    }
    var (width, height) = size
    var passes = curve == nil ? [] : [pass(width, height, nil)]
    for axis in axes {
      (width, height) = axis.index == 0 ? (geometry.width, height) : (width, geometry.height)
      passes.append(pass(width, height, axis))
    }
    if !axes.isEmpty, !isCopy {
      passes[0].isFirst = true
      passes[passes.count - 1].isLast = true
    }
    return passes
  }

  private init(
    width: Int, height: Int, scaler: Scaler, axis: (index: Int, weights: ResampleWeights)?,
    curve: LightCurve?, isOpaque: Bool
  ) {
    (self.width, self.height, self.scaler) = (width, height, scaler)
    (self.axis, self.curve, self.isOpaque) = (axis, curve, isOpaque)
  }

  /// Makes the kernel and its table of weights.
  public func pass(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad, writer: PixelStore,
    slotCount: Int
  ) throws -> ComputePass {
    var source = KernelSource(reader: reader, writer: writer, work: [])
    if let axis {
      let kernel = ResampleKernel(
        weights: axis.weights, axis: axis.index, width: width, height: height,
        sourceLength: axis.index == 0 ? reader.width : reader.height,
        // A copy carries alpha beside the colours.
        hasAlpha: !isOpaque || axis.weights.isCopy,
        entering: isFirst ? weighting : "", leaving: isLast ? undoing : "",
        functions: isLast ? curve?.toCoded ?? "" : "")
      source.work = [try kernel.fragment(device: device)]
      source.hasOwnMain = true
      source.invocations = kernel.invocations
    } else {
      source.work = [
        KernelFragment(
          """
          \(curve?.toLight ?? "")
          vec4 kf_color(ivec2 p) {
            vec4 v = kf_read(p);
            v.rgb = kf_toLight(v.rgb);
            \(weighting)
            return v;
          }
          """, name: "light")
      ]
    }
    return try ComputePass(
      device: device, compiler: compiler, source, name: "resample", slotCount: slotCount)
  }

  private var weighting: String { isOpaque ? "" : "v.rgb *= v.a;" }

  /// GLSL that makes a coded colour of the sum `v`.
  ///
  /// Beside opaque areas the filter's negative weights leave alpha sums of a few thousandths, of either
  /// sign: divided by these, colours would be noise, or infinite.
  private var undoing: String {
    let unweighted =
      isOpaque
      ? ""
      : """
      v.rgb = v.a > 1.0 / 512.0 ? v.rgb / v.a : vec3(0);
        v.a = clamp(v.a, 0.0, 1.0);
      """
    return unweighted + (curve == nil ? "" : "\n  v.rgb = kf_toCoded(v.rgb);")
  }
}
