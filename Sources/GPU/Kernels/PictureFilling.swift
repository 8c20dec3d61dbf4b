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
    let staging = try written.mapped(on: device)
    texels.withUnsafeBytes { staging.buffer.bytes.copyMemory(from: $0) }
    try self.init(
      device: device,
      shape: TextureDescriptor(width: width, height: height, format: .float, storage: storage))
    let reader = written.reader(from: .always(staging.resource))
    try fill(device: device, compiler: compiler, reader: reader) { _ in }
  }

  /// Runs a kernel once that copies what `reader` reads to the texture.
  private func fill(
    device: Device, compiler: ShaderCompiler, reader: PixelLoad,
    prepare: (CommandBuffer) -> Void
  ) throws {
    let pass = try ComputePass(
      device: device, compiler: compiler, .conversion(from: reader, to: writer), name: "image",
      slotCount: 1)
    let commands = try CommandBuffer(device: device)
    try commands.begin()
    prepare(commands)
    pass.record(slot: 0, into: commands)
    try commands.submit()
    try commands.drain()
  }
}

/// A texture that the CPU writes.
public struct MappedTexture: @unchecked Sendable {
  // @unchecked: the handles never change; one thread writes the bytes, while no commands read them.
  public let buffer: Buffer
  /// What kernels read.
  public let resource: DescriptorSet.Resource
}

extension TextureDescriptor {
  /// Makes a texture of this shape, which must be one of a texture that the CPU writes.
  public func mapped(on device: Device) throws(VulkanError) -> MappedTexture {
    precondition(storage == .buffers && layers == 1)
    let byteCount = width * height * format.texel.byteCount
    let buffer = try Buffer(device: device, byteCount: byteCount, use: .upload)
    if isInWords { return MappedTexture(buffer: buffer, resource: .buffer(buffer)) }
    let view = try TexelView(
      device: device, buffer: buffer, byteCount: byteCount, format: format.texel)
    return MappedTexture(buffer: buffer, resource: .texels(view))
  }

  /// Makes one such texture for each frame in flight.
  public func mapped(on device: Device, slotCount: Int) throws(VulkanError) -> [MappedTexture] {
    try (0..<slotCount).map { _ throws(VulkanError) in try mapped(on: device) }
  }
}
