import Frames
public import GPU
import ShaderCompiler

/// How a result shows the source's own picture too.
public enum Comparison: Sendable, Equatable {
  /// The left half of the source's picture, a thin line, and the right half of the result.
  case split
  /// The source's picture, and the result to the right of it; the canvas is twice as wide.
  case side

  /// Returns the place of everything that is shown on the canvas, given that of the result alone.
  public func geometry(of result: FrameGeometry) -> FrameGeometry {
    guard self == .side else { return result }
    var whole = result
    whole.canvasWidth *= 2
    // From the left edge of one picture to the right edge of the other.
    whole.width += result.canvasWidth
    return whole
  }
}

/// The last kernel of a pipeline with a `Comparison`, and those that bring the source's picture to the size of the
/// result.
///
/// Only one thread uses it.
final class ComparisonPass {
  /// The texture that the chain of effects writes.
  let result: Texture
  /// What makes `before` of the frame that was uploaded.
  private let scaling: [ComputePass]
  /// The kernel that writes both, for a frame that was uploaded.
  private let last: ComputePass
  /// The kernel that writes both, for a clip that is placed; nil if there is none.
  private let lastOfPlacedClips: ComputePass?

  /// Makes the kernels for a result at a place.
  ///
  /// `reader` reads the frame that was uploaded. `placedClips` is a texture with the clips that are placed, at the size of
  /// the result; nil if there are none.
  init(
    _ comparison: Comparison, device: Device, compiler: ShaderCompiler, source: FrameFormat,
    reader: PixelLoad,
    geometry: FrameGeometry, writer: PixelStore, placedClips: Texture?, policy: FusionPolicy
  ) throws {
    // Of 32-bit floats, so that both pictures have the codes that they have alone.
    func texture() throws -> Texture {
      try Texture(
        device: device,
        shape: TextureDescriptor(
          width: geometry.width, height: geometry.height, format: .float, storage: policy.storage))
    }
    let (result, before) = (try texture(), try texture())
    self.result = result
    let scaling = try ScalingPasses(
      of: source, to: geometry, reader: reader, device: device, compiler: compiler, policy: policy)
    func pass(_ source: KernelSource, _ name: String) throws -> ComputePass {
      try ComputePass(
        device: device, compiler: compiler, source, name: name,
        slotCount: RenderPipeline.slotCount)
    }
    self.scaling =
      scaling.passes + [
        try pass(.conversion(from: scaling.reader, to: before.writer), "before")
      ]
    func last(beside before: Texture) throws -> ComputePass {
      let source = KernelSource(
        reader: result.reader, writer: writer,
        work: [
          before.shape.reading("kf_before", from: .always(before.resource)),
          KernelFragment(Self.glsl(comparison, geometry), name: "compare"),
        ])
      return try pass(source, "compare")
    }
    self.last = try last(beside: before)
    lastOfPlacedClips = try placedClips.map { try last(beside: $0) }
  }

  /// GLSL for the colour of a pixel, counted from the left edge of the left picture.
  private static func glsl(_ comparison: Comparison, _ geometry: FrameGeometry) -> String {
    let (width, height) = (geometry.width, geometry.height)
    switch comparison {
    case .split:
      // A pixel on a small picture, two on 720 rows.
      let line = max((height + 240) / 480, 1)
      let left = (width - line) / 2
      return """
        vec4 kf_color(ivec2 p) {
          if (p.x >= \(left) && p.x < \(left + line)) return vec4(1.0);
          return p.x < \(left) ? kf_before(0, clamp(p, ivec2(0), ivec2(\(width - 1), \(height - 1)))) : kf_read(p);
        }
        """
    case .side:
      let bar = geometry.barColor
      return """
        vec4 kf_color(ivec2 p) {
          if (p.x >= \(geometry.canvasWidth)) return kf_read(p - ivec2(\(geometry.canvasWidth), 0));
          if (p.x >= \(width)) return vec4(\(bar.x), \(bar.y), \(bar.z), \(bar.w));
          return kf_before(0, clamp(p, ivec2(0), ivec2(\(width - 1), \(height - 1))));
        }
        """
    }
  }

  /// Records kernels that do nothing, so that the driver must compile them.
  func compile(
    slot: Int, ofPlacedClip: Bool, output: DescriptorSet.Resource, into commands: CommandBuffer
  ) {
    for pass in scaling { pass.compile(slot: slot, result: nil, into: commands) }
    last(ofPlacedClip).compile(slot: slot, result: output, into: commands)
  }

  /// Records the kernels for a frame whose result is in `result`.
  func record(
    slot: Int, ofPlacedClip: Bool, output: DescriptorSet.Resource, into commands: CommandBuffer
  ) {
    commands.dispatchBeforeDispatch()
    if !ofPlacedClip { for pass in scaling { pass.record(slot: slot, into: commands) } }
    last(ofPlacedClip).record(slot: slot, result: output, into: commands)
    commands.dispatchBeforeHost()
  }

  private func last(_ ofPlacedClip: Bool) -> ComputePass {
    ofPlacedClip ? lastOfPlacedClips ?? last : last
  }
}
