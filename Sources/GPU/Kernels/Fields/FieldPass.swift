public import Frames
public import ShaderCompiler

/// Makes progressive pictures of interlaced frames of one format: it keeps one field, and computes the lines of the other from it
/// and from the frames before and after.
///
/// One thread uses it; one picture is made at a time.
public final class FieldPass {
  /// The format of the frames that it takes, and of the pictures.
  public let format: FrameFormat

  private let layout: BufferLayout
  private let invocations: (width: Int, height: Int)
  private let inner: DescriptorSet
  private let end: DescriptorSet
  private let choice: Buffer
  private let pool: PixelBufferPool<Buffer>
  private var held: [Held] = []
  private let makeHeld: () throws -> Held

  /// A frame in memory that the GPU reads, so that of following frames each is copied once.
  private final class Held {
    let memory: Buffer
    /// What the kernels read.
    let resource: DescriptorSet.Resource
    var pixels: PixelBuffer?
    /// The number of the last picture that needed it.
    var used = 0

    init(device: Device, byteCount: Int, inImage: Bool) throws(VulkanError) {
      let width = FieldKernel.imageWidth
      let rowBytes = width * Image.Format.rgba32.byteCount
      let rows = (byteCount + rowBytes - 1) / rowBytes
      memory = try Buffer(
        device: device, byteCount: inImage ? rows * rowBytes : byteCount, use: .upload)
      resource =
        inImage
        ? .image(try Image(device: device, width: width, height: rows, format: .rgba32))
        : .texels(
          try TexelView(device: device, buffer: memory, byteCount: byteCount, format: .rgba32))
    }

    /// Records the commands that kernels need before they can read the filled memory.
    func record(into commands: CommandBuffer) {
      guard case .image(let image) = resource else { return }
      commands.beginCopies(to: [image])
      commands.copy(memory, offset: 0, rowTexels: image.width, to: image)
      commands.endCopies(to: [image])
    }
  }

  /// Number of pictures so far.
  private var count = 0

  /// A picture that is being made: to be read when the commands have run.
  public struct Pending {
    fileprivate let memory: Buffer
    fileprivate let pixels: PixelBuffer
  }

  /// Compiles the kernels, and makes their memory.
  public init(device: Device, compiler: ShaderCompiler, format: FrameFormat) throws {
    self.format = format
    let kernel = FieldKernel(format: format, isAtEnd: false, maxTexels: device.facts.maxTexels)
    let (layout, inImage) = (kernel.layout, kernel.readsImages)
    (self.layout, invocations) = (layout, kernel.invocations)
    let choice = try Buffer(device: device, byteCount: 16, use: .upload)
    self.choice = choice
    func set(_ kernel: FieldKernel, name: String) throws -> DescriptorSet {
      let spirv = try compiler.compile(source: kernel.glsl, name: name, label: name)
      return try DescriptorSet(
        kernel: device.kernel(spirv, bindings: kernel.bindings),
        [nil, nil, nil, nil, nil, nil, .buffer(choice)])
    }
    inner = try set(kernel, name: "fields")
    end = try set(
      FieldKernel(format: format, isAtEnd: true, maxTexels: device.facts.maxTexels),
      name: "fields-end")
    pool = PixelBufferPool(layout: layout) {
      try Buffer(device: device, byteCount: layout.byteCount, use: .readback)
    }
    makeHeld = {
      try Held(device: device, byteCount: layout.byteCount, inImage: inImage)
    }
  }

  /// Records commands that do nothing, so that the driver must compile the kernels.
  public func compile(into commands: CommandBuffer) throws {
    let frame = try makeHeld()
    held.append(frame)
    frame.record(into: commands)
    let memory = try pool.lease().memory
    for set in [inner, end] {
      for binding in 0..<5 { set.bind(frame.resource, at: binding) }
      set.bind(.buffer(memory), at: 5)
      commands.dispatch(set, width: 0, height: 0)
    }
  }

  /// Records the commands that make the picture of a field; the ones before must have run.
  ///
  /// `pixels(of:)` gives the picture after the wait.
  ///
  /// - Throws: Missing GPU resources.
  public func record(
    _ pixels: PixelBuffer, _ fields: InterlacedFields, into commands: CommandBuffer
  ) throws -> Pending {
    count += 1
    let (previous, next) = (fields.previous ?? pixels, fields.next ?? pixels)
    // The frame whose other field is just before or after this one: at an end of the file there is only its own.
    let beside = fields.showsSecond ? fields.next : fields.previous
    let other = beside ?? pixels
    let set = beside == nil ? end : inner
    let (before, after) = fields.showsSecond ? (pixels, other) : (other, pixels)
    for (binding, frame) in [pixels, previous, next, before, after].enumerated() {
      set.bind(try resource(of: frame, commands), at: binding)
    }
    choice.bytes.storeBytes(of: Int32(fields.firstLine), as: Int32.self)
    let isAlone = fields.previous == nil && fields.next == nil
    choice.bytes.storeBytes(of: isAlone ? 1 : 0, toByteOffset: 4, as: Int32.self)
    let lent = try pool.lease()
    let memory = lent.memory
    set.bind(.buffer(memory), at: 5)
    commands.dispatch(set, width: invocations.width, height: invocations.height)
    commands.dispatchBeforeHost()
    // The GPU writes it, and nobody gets the pixels before `pixels(of:)`.
    return Pending(memory: memory, pixels: lent.freeze())
  }

  /// The picture; to be called after the wait for the commands.
  public func pixels(of pending: Pending) throws(VulkanError) -> PixelBuffer {
    try pending.memory.invalidate()
    return pending.pixels
  }

  /// Returns a frame in memory that the GPU reads; copies it there unless it is there already.
  private func resource(
    of pixels: PixelBuffer, _ commands: CommandBuffer
  ) throws -> DescriptorSet.Resource {
    if let frame = held.first(where: { $0.pixels === pixels }) {
      frame.used = count
      return frame.resource
    }
    if held.count < 3 { held.append(try makeHeld()) }
    // Of three frames at most two are needed beside this one.
    guard let frame = held.min(by: { $0.used < $1.used }) else {
      preconditionFailure("a frame is held")
    }
    layout.fill(frame.memory.bytes, from: pixels, of: format)
    frame.record(into: commands)
    (frame.pixels, frame.used) = (pixels, count)
    return frame.resource
  }
}

extension BufferLayout {
  /// Copies the planes of a frame to memory in this layout.
  func fill(
    _ target: UnsafeMutableRawBufferPointer, from pixels: PixelBuffer, of format: FrameFormat
  ) {
    for (index, place) in planes.enumerated() {
      let source = pixels.planes[index].stride
      let plane = format.pixelFormat.layout.planes[index]
      let rowBytes = plane.width(format.width) * plane.bytesPerTexel
      pixels.bytes(ofPlane: index).withUnsafeBytes { bytes in
        if source == place.stride {
          // The last row may end after its pixels, without the padding.
          let count = min(bytes.count, place.byteCount)
          target[place.offset..<place.offset + count].copyBytes(from: bytes.prefix(count))
        } else {
          for row in 0..<place.rows {
            let start = place.offset + row * place.stride
            target[start..<start + rowBytes].copyBytes(
              from: bytes[row * source..<row * source + rowBytes])
          }
        }
      }
    }
  }
}
