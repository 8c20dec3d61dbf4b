import Frames
import GPU
import ShaderCompiler
import ShaderEffects

/// Shows frames of another source to effects, in a texture of constant size.
///
/// Frames are scaled to fit the texture, with bars if the aspect ratio differs. Only one thread
/// uses it.
final class BoundInput {
  /// Format of the frames that the input accepts.
  private(set) var format: FrameFormat
  /// Texture that each new frame overwrites.
  let texture: Texture
  /// The texture as an image of effects.
  var image: EffectImage { EffectImage(rewritten: texture, pixelAspect: pixelAspect) }
  /// The width of the texture's pixels in parts of their height.
  private let pixelAspect: Double

  private let device: Device
  private let compiler: ShaderCompiler
  private let policy: FusionPolicy
  /// Whether colours of HDR frames become those of the standard dynamic range.
  private let toneMaps: Bool
  private let placing: (FrameFormat) -> FrameGeometry
  private var upload: Upload
  private var passes: [ComputePass]
  /// The frame that is in the texture, or will be once the commands of its slot have run.
  private var shown: PixelBuffer?
  /// For each slot, whether its frame is new and must be written to the texture.
  private var isNew = [Bool](repeating: false, count: RenderPipeline.slotCount)

  /// Creates an input whose texture has the size of `geometry`; frames are placed as it says.
  convenience init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, into geometry: FrameGeometry,
    toneMaps: Bool, policy: FusionPolicy
  ) throws {
    let shape = TextureDescriptor(
      width: geometry.width, height: geometry.height, storage: policy.storage)
    try self.init(
      device: device, compiler: compiler, format: format, shape: shape,
      pixelAspect: geometry.sampleAspectRatio, toneMaps: toneMaps, policy: policy
    ) { format in
      // The position is calculated in the texture's pixels, which need not be square.
      geometry.placing(format, on: (geometry.width, geometry.height))
    }
  }

  /// Creates an input whose texture has the size and precision of the first frame.
  convenience init(
    device: Device, compiler: ShaderCompiler, first: FrameFormat, scaler: Scaler,
    toneMaps: Bool, policy: FusionPolicy
  ) throws {
    let (width, height) = first.uprightSize
    let shape = TextureDescriptor(
      width: width, height: height, format: Texture.Format(holding: first),
      storage: policy.storage)
    try self.init(
      device: device, compiler: compiler, format: first, shape: shape,
      pixelAspect: first.uprightSampleAspectRatio, toneMaps: toneMaps, policy: policy
    ) { format in
      guard format != first else { return FrameGeometry(source: format) }
      var placed = FrameGeometry(
        source: format, size: (width, height), scale: .fit,
        sampleAspectRatio: first.uprightSampleAspectRatio)
      placed.scaler = scaler
      return placed
    }
  }

  private init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, shape: TextureDescriptor,
    pixelAspect: Rational, toneMaps: Bool, policy: FusionPolicy,
    placing: @escaping (FrameFormat) -> FrameGeometry
  ) throws {
    (self.device, self.compiler, self.policy) = (device, compiler, policy)
    (self.format, self.placing, self.toneMaps) = (format, placing, toneMaps)
    self.pixelAspect = pixelAspect.doubleValue
    texture = try Texture(device: device, shape: shape)
    (upload, passes) = try Self.makePasses(
      device: device, compiler: compiler, format: format, geometry: placing(format),
      texture: texture, toneMaps: toneMaps, policy: policy)
  }

  /// Switches to frames of another format; no earlier frame may be in flight.
  func take(_ format: FrameFormat) throws {
    guard format != self.format else { return }
    (upload, passes) = try Self.makePasses(
      device: device, compiler: compiler, format: format, geometry: placing(format),
      texture: texture, toneMaps: toneMaps, policy: policy)
    self.format = format
    shown = nil
  }

  private static func makePasses(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, geometry: FrameGeometry,
    texture: Texture, toneMaps: Bool, policy: FusionPolicy
  ) throws -> (Upload, [ComputePass]) {
    let upload = try Upload(
      device: device, format: format, storage: policy.storage, packsWords: policy.packsWords,
      slotCount: RenderPipeline.slotCount, toneMaps: toneMaps)
    let scaling = try ScalingPasses(
      of: format.loaded(toneMaps: toneMaps), to: geometry, reader: upload.reader, device: device,
      compiler: compiler,
      policy: policy)
    let source = KernelSource(
      reader: scaling.reader, writer: texture.writer,
      work: [placement(scaling.reader, geometry)])
    let last = try ComputePass(
      device: device, compiler: compiler, source, name: "second",
      slotCount: RenderPipeline.slotCount)
    return (upload, scaling.passes + [last])
  }

  private static func placement(
    _ reader: PixelLoad, _ geometry: FrameGeometry
  ) -> KernelFragment {
    let bar = geometry.barColor
    return KernelFragment(
      """
      vec4 kf_color(ivec2 p) {
        p -= ivec2(\(geometry.x), \(geometry.y));
        bool isInside = all(greaterThanEqual(p, ivec2(0)))
          && all(lessThan(p, ivec2(\(reader.width), \(reader.height))));
        return isInside ? kf_read(p) : vec4(\(bar.x), \(bar.y), \(bar.z), \(bar.w));
      }
      """, name: "place")
  }

  /// Copies a frame to where the GPU reads it, unless the texture already shows that frame.
  func fill(slot: Int, from pixels: PixelBuffer) {
    isNew[slot] = pixels !== shown
    guard isNew[slot] else { return }
    upload.fill(slot: slot, from: pixels)
    shown = pixels
  }

  /// Records the commands that copy a slot's frame to the texture.
  func record(slot: Int, into commands: CommandBuffer) {
    guard isNew[slot] else { return }
    upload.record(slot: slot, into: commands)
    // The previous frame may still be reading the texture.
    commands.dispatchBeforeDispatch()
    for pass in passes { pass.record(slot: slot, into: commands) }
  }
}
