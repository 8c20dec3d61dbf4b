import Frames
import GPU
import ShaderCompiler

/// The passes that bring a frame's picture to the size of a geometry, each with a texture of its own; none for a
/// picture that has this size.
struct ScalingPasses {
  let passes: [ComputePass]
  /// How kernels read the scaled picture.
  let reader: PixelLoad

  init(
    of source: FrameFormat, to geometry: FrameGeometry, reader: PixelLoad, device: Device,
    compiler: ShaderCompiler, policy: FusionPolicy
  ) throws {
    var reader = reader
    passes = try Resample.passes(of: source, geometry: geometry).map { resample in
      let output = try Texture(
        device: device,
        shape: TextureDescriptor(
          width: resample.width, height: resample.height, format: resample.format,
          storage: policy.storage))
      let pass = try resample.pass(
        device: device, compiler: compiler, reader: reader, writer: output.writer,
        slotCount: RenderPipeline.slotCount)
      reader = output.reader
      return pass
    }
    self.reader = reader
  }
}
