import CVulkan
package import Frames

/// A picture of RGBA that one kernel writes and the next ones read, or several of one size.
///
/// Between effects it is one of 16-bit floats, which bring every legal code of 8 and 10 bits back
/// exactly, in and out of the RGB gamut (measured over all 4 million codes of each matrix).
package final class Texture {
  /// What the parts of a colour are kept as.
  package enum Format: Sendable, Equatable {
    case half, float
    /// 8 bits, clamped to 0 to 1.
    case byte

    /// What holds a frame's colours: 8 bits a part stay 8 bits, more become halves.
    package init(holding frame: FrameFormat) {
      self = frame.pixelFormat.layout.depth > 8 ? .half : .byte
    }

    var texel: Image.Format {
      switch self {
      case .half: .rgba16Float
      case .float: .rgba32Float
      case .byte: .rgba8Normalized
      }
    }

    /// Of an image that is written.
    var qualifier: String {
      switch self {
      case .half: "rgba16f"
      case .float: "rgba32f"
      case .byte: "rgba8"
      }
    }

    /// A colour as it is stored: which way a driver rounds to 8 bits is its own choice.
    func stored(_ color: String) -> String {
      self == .byte ? "floor(clamp(\(color), 0.0, 1.0) * 255.0 + 0.5) / 255.0" : color
    }
  }

  package let shape: TextureDescriptor
  package var width: Int { shape.width }
  package var height: Int { shape.height }
  /// What readers and writers of it are bound to.
  package let resource: DescriptorSet.Resource
  /// Set when it is kept in an image, which commands must bring into its layout.
  let image: Image?

  package init(device: Device, shape: TextureDescriptor) throws(VulkanError) {
    self.shape = shape
    let (width, height, texel) = (shape.width, shape.height, shape.format.texel)
    switch shape.storage {
    case .images:
      let image = try Image(
        device: device, width: width, height: height, layers: shape.layers, format: texel)
      self.image = image
      resource = .image(image)
    case .buffers:
      let limit = Int(device.physical.properties.limits.maxTexelBufferElements)
      guard shape.layers == 1 || shape.layers * width * height <= limit else {
        throw VulkanError(
          """
          \(shape.layers) pictures of \(width)x\(height), which an effect keeps, are more than \
          shaders can read on the GPU \(device.name) (\(limit) pixels); make the picture smaller, \
          or let the effect keep fewer
          """)
      }
      let byteCount = shape.layers * width * height * texel.byteCount
      let buffer = try Buffer(device: device, byteCount: byteCount, use: .device)
      image = nil
      resource = .texels(
        try TexelView(device: device, buffer: buffer, byteCount: byteCount, format: texel))
    }
  }

  package convenience init(
    device: Device, width: Int, height: Int, storage: TextureStorage
  ) throws(VulkanError) {
    try self.init(
      device: device, shape: TextureDescriptor(width: width, height: height, storage: storage))
  }

  /// How kernels read it.
  package var reader: PixelLoad { shape.reader(from: .always(resource)) }
  /// How kernels write it.
  package var writer: PixelStore { shape.writer(to: self) }

  /// How kernels read a picture between effects that is not there yet.
  package static func reader(
    width: Int, height: Int, storage: TextureStorage
  ) -> PixelLoad {
    TextureDescriptor(width: width, height: height, storage: storage).reader
  }
}
