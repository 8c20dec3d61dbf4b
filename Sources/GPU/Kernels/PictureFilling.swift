public import Frames
public import ShaderCompiler

extension Texture {
  /// Makes a texture of a frame, upright and in RGB, and waits until it is filled.
  ///
  /// - Throws: `VulkanError` if the GPU does not support the size.
  public convenience init(
    device: Device, compiler: ShaderCompiler, frame: Frame, format: Format,
    storage: TextureStorage
  ) throws {
    let upload = try Upload(
      device: device, format: frame.format, storage: storage, packsWords: false, slotCount: 1,
      toneMaps: true)
    upload.fill(slot: 0, from: frame.pixels)
    let (width, height) = (upload.reader.width, upload.reader.height)
    try self.init(
      device: device,
      shape: TextureDescriptor(width: width, height: height, format: format, storage: storage))
    try fill(
      device: device, compiler: compiler, reader: upload.reader
    ) { upload.record(slot: 0, into: $0) }
  }

  /// Makes a float texture from numbers without conversion, four per texel, row after row.
  public convenience init(
    device: Device, compiler: ShaderCompiler, width: Int, height: Int, texels: [Float],
    storage: TextureStorage
  ) throws {
    precondition(texels.count == 4 * width * height, "four numbers a texel")
    let written = TextureDescriptor(written: width, height, format: .float, on: device)
    let (staging, staged) = try written.mapped(on: device)
    texels.withUnsafeBytes { staging.bytes.copyMemory(from: $0) }
    try self.init(
      device: device,
      shape: TextureDescriptor(width: width, height: height, format: .float, storage: storage))
    try fill(device: device, compiler: compiler, reader: written.reader(from: .always(staged))) {
      _ in
    }
  }

  /// Runs a kernel once that copies what `reader` reads to the texture.
  private func fill(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad,
    prepare: (CommandBuffer) -> Void
  ) throws {
    let kernel = KernelSource.conversion(from: reader, to: writer).assembled()
    let pass = try ComputePass(
      device: device, spirv: compiler.compile(kernel, name: "image"), kernel: kernel, slotCount: 1)
    let commands = try CommandBuffer(device: device)
    try commands.begin()
    prepare(commands)
    pass.record(slot: 0, into: commands)
    try commands.submit()
    try commands.drain()
  }
}

extension TextureDescriptor {
  /// A buffer with a texture of this shape that the CPU can write, and the resource for kernels that
  /// read it; the shape must be one of a texture that the CPU writes.
  public func mapped(
    on device: Device
  ) throws(VulkanError) -> (buffer: Buffer, resource: DescriptorSet.Resource) {
    precondition(storage == .buffers && layers == 1)
    let byteCount = width * height * format.texel.byteCount
    let buffer = try Buffer(device: device, byteCount: byteCount, use: .upload)
    if isInWords { return (buffer, .buffer(buffer)) }
    let view = try TexelView(
      device: device, buffer: buffer, byteCount: byteCount, format: format.texel)
    return (buffer, .texels(view))
  }
}
