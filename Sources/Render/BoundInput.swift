import Frames
import GPU
import ShaderCompiler

/// The second of two sources on the GPU: its frames, brought to the size of the first one's picture
/// and whole in it, with bars where the shape is another.
///
/// Used by one thread.
final class BoundInput {
  /// The frames it takes.
  let format: FrameFormat
  /// Written anew for each frame.
  let picture: Picture

  private let upload: Upload
  private let passes: [KernelPass]

  /// `geometry` is the first source's.
  init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, geometry: PictureGeometry,
    policy: FusionPolicy
  ) throws {
    self.format = format
    upload = try Upload(
      device: device, format: format, storage: policy.storage, packsWords: policy.packsWords,
      slotCount: RenderPipeline.slotCount)
    // The place is reckoned in the first picture's pixels, which need not be square.
    let fitted = PictureGeometry(
      source: format, size: (geometry.width, geometry.height), scale: .fit,
      sampleAspectRatio: geometry.sampleAspectRatio)
    var reader = upload.reader
    var input = upload.resources
    var passes: [KernelPass] = []
    func add(width: Int, height: Int, _ make: (PictureWriter, Picture) throws -> KernelPass) throws
      -> Picture
    {
      let output = try Picture(
        device: device, width: width, height: height, storage: policy.storage)
      passes.append(
        try make(.picture(width: width, height: height, storage: policy.storage), output))
      reader = Picture.reader(width: width, height: height, storage: policy.storage)
      input = input.map { _ in [output.resource] }
      return output
    }
    for resample in Resample.passes(
      sourceWidth: reader.width, sourceHeight: reader.height, geometry: fitted)
    {
      _ = try add(width: resample.width, height: resample.height) { writer, output in
        try resample.pass(
          device: device, compiler: compiler, reader: reader, writer: writer, input: input,
          output: output)
      }
    }
    picture = try add(width: geometry.width, height: geometry.height) { writer, output in
      let source = KernelSource(
        reader: reader, writer: writer, body: BoundInput.placing(reader, fitted))
      return try KernelPass(
        device: device, spirv: compiler.compile(source: source.text, name: "second"),
        reader: reader, writer: writer, input: input, output: output,
        others: input.map { _ in [] })
    }
    self.passes = passes
  }

  private static func placing(_ reader: PictureReader, _ geometry: PictureGeometry) -> String {
    """
    vec4 kf_color(ivec2 p) {
      p -= ivec2(\(geometry.x), \(geometry.y));
      bool isInside = all(greaterThanEqual(p, ivec2(0)))
        && all(lessThan(p, ivec2(\(reader.width), \(reader.height))));
      return isInside ? kf_read(p) : vec4(0.0, 0.0, 0.0, 1.0);
    }
    """
  }

  /// Copies a frame to where the GPU reads it.
  func fill(slot: Int, from pixels: PixelBuffer) { upload.fill(slot: slot, from: pixels) }

  /// Records the way from a slot's frame to the picture.
  func record(slot: Int, into commands: Commands) {
    upload.record(slot: slot, into: commands)
    // The frame before may still be reading the picture.
    commands.dispatchBeforeDispatch()
    for pass in passes { pass.record(slot: slot, into: commands) }
  }
}
