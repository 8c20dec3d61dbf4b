package import Frames
package import ShaderCompiler

/// Stage two of the line: a frame's planes become GPU textures, and those a picture of unclamped
/// RGBA in 16-bit floats, upright.
///
/// 16 bits of float bring every legal code of 8 and 10 bits back exactly, in and out of the RGB
/// gamut (measured over all 4 million codes of each matrix).
package final class Upload {
  /// The frames it takes.
  package let format: FrameFormat
  /// The size of the pictures it makes.
  package let width: Int
  package let height: Int

  private let reader: PlaneReader
  private let layout: BufferLayout
  private let slots: [Slot]

  /// What one frame in flight owns.
  private struct Slot {
    let staging: Buffer
    let planes: [Image]
    let picture: Image
    let bindings: BindingSet
  }

  /// Compiles the kernel for the format and makes the memory for `slotCount` frames in flight.
  package init(
    device: Device, compiler: ShaderCompiler, format: FrameFormat, slotCount: Int
  ) throws {
    self.format = format
    (width, height) = format.uprightSize
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    self.layout = layout
    let planeLayouts = format.pixelFormat.layout.planes
    reader = PlaneReader(format: format)
    let kernel = try ComputeKernel(
      device: device,
      spirv: compiler.compile(
        source: reader.source, name: "upload \(format.pixelFormat.rawValue)"),
      bindings: Array(repeating: .sampledImage, count: planeLayouts.count) + [.storageImage])
    let size = (width, height)
    slots = try (0..<slotCount).map { _ in
      let planes = try planeLayouts.map { plane in
        guard let texels = Image.Format(plane) else {
          throw VulkanError("frames of \(format.pixelFormat.rawValue) cannot go to the GPU")
        }
        return try Image(
          device: device, width: plane.width(format.width), height: plane.height(format.height),
          format: texels)
      }
      let picture = try Image(
        device: device, width: size.0, height: size.1, format: .rgba16Float)
      return Slot(
        staging: try Buffer(device: device, byteCount: layout.byteCount, use: .upload),
        planes: planes, picture: picture,
        bindings: try BindingSet(kernel: kernel, (planes + [picture]).map { .image($0) }))
    }
  }

  /// Copies the frame's planes to where the GPU reads them, the one copy that the CPU makes; they
  /// may be let go afterwards.
  package func fill(slot: Int, from pixels: PixelBuffer) {
    let target = slots[slot].staging.bytes
    for (index, place) in layout.planes.enumerated() {
      let source = pixels.planes[index].stride
      let plane = format.pixelFormat.layout.planes[index]
      let rowBytes = plane.width(format.width) * plane.bytesPerTexel
      pixels.bytes(ofPlane: index).withUnsafeBytes { bytes in
        if source == place.stride {
          // The last row may end where its pixels do, without the padding.
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

  /// Records the way from the filled planes to the picture, which the commands after may read.
  package func record(slot: Int, into commands: Commands) -> Image {
    let slot = slots[slot]
    commands.beginCopies(to: slot.planes)
    for (index, place) in layout.planes.enumerated() {
      let texel = format.pixelFormat.layout.planes[index].bytesPerTexel
      commands.copy(
        slot.staging, offset: place.offset, rowTexels: place.stride / texel,
        to: slot.planes[index])
    }
    commands.endCopies(to: slot.planes)
    commands.makeReady(slot.picture)
    let (columns, rows) = reader.invocations
    commands.dispatch(slot.bindings, width: columns, height: rows)
    commands.dispatchBeforeDispatch()
    return slot.picture
  }
}
