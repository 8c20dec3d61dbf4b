import CVulkan
package import Frames
package import ShaderCompiler

/// Stage four of the line: a picture becomes the sink's planes, in a pooled buffer that the CPU
/// reads without another copy.
package final class Readback {
  /// The frames it makes.
  package let format: FrameFormat

  private let packer: PlanePacker
  private let pool: PixelBufferPool<Buffer>
  private let bindings: [BindingSet]

  /// Compiles the kernel for the sink's format and the picture's place on the canvas.
  package init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, geometry: PictureGeometry,
    slotCount: Int
  ) throws {
    self.format = format
    packer = PlanePacker(
      format: format, canvas: (geometry.canvasWidth, geometry.canvasHeight),
      place: (geometry.x, geometry.y, geometry.width, geometry.height))
    let kernel = try ComputeKernel(
      device: device,
      spirv: compiler.compile(
        source: packer.source, name: "readback \(format.pixelFormat.rawValue)"),
      bindings: [.sampledImage, .storageBuffer])
    bindings = try (0..<slotCount).map { _ in try BindingSet(kernel: kernel, [nil, nil]) }
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    // What lies beyond the range that shaders reach would be lost without a word.
    let reach = Int(device.physical.properties.limits.maxStorageBufferRange)
    guard layout.byteCount <= reach else {
      throw VulkanError(
        """
        an output of \(format.width)x\(format.height) is more than shaders can write on the GPU \
        \(device.name) (\(reach >> 20) MiB); make it smaller with --size
        """)
    }
    pool = PixelBufferPool(layout: layout) {
      try Buffer(device: device, byteCount: layout.byteCount, use: .readback)
    }
  }

  /// A frame's buffer on its way: filled once the commands have run.
  package struct Pending {
    let memory: Buffer
    let pixels: PixelBuffer
  }

  /// Records the packing of a picture into a buffer of the pool.
  package func record(
    slot: Int, picture: Image, into commands: Commands
  ) throws -> Pending {
    let (memory, pixels) = try pool.lease()
    bindings[slot].bind(.image(picture), at: 0)
    bindings[slot].bind(.buffer(memory), at: 1)
    let (width, height) = packer.invocations
    commands.dispatch(bindings[slot], width: width, height: height)
    commands.dispatchBeforeHost()
    return Pending(memory: memory, pixels: pixels)
  }

  /// The pixels, after the wait for the commands.
  package func pixels(of pending: Pending) throws(VulkanError) -> PixelBuffer {
    try pending.memory.invalidate()
    return pending.pixels
  }
}
