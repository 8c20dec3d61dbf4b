import CVulkan
public import Frames

/// An RGBA texture, or several of one size, that one kernel writes and the next ones read.
///
/// Between effects it has 16-bit floats, which preserve every legal code of 8 and 10 bits exactly, in
/// and out of the RGB gamut (measured over all 4 million codes of each matrix).
public final class Texture {
  /// The number type of the colour components.
  public enum Format: Sendable, Equatable {
    case half, float
    /// 8 bits, clamped to 0 to 1.
    case byte
    /// The codes of `byte` in floats: what is not a number stays so, for a check of shaders.
    case byteInFloat

    /// The format for a frame's colours: `byte` for 8 bits per component, `half` for more.
    public init(holding frame: FrameFormat) {
      self = frame.pixelFormat.layout.depth > 8 ? .half : .byte
    }

    var texel: Image.Format {
      switch self {
      case .half: .rgba16Float
      case .float, .byteInFloat: .rgba32Float
      case .byte: .rgba8Normalized
      }
    }

    /// The GLSL format qualifier of an image that is written.
    var qualifier: String {
      switch self {
      case .half: "rgba16f"
      case .float, .byteInFloat: "rgba32f"
      case .byte: "rgba8"
      }
    }

    /// GLSL for the colour of texel `i` in an array of 32-bit words.
    func fromWords(_ words: String) -> String {
      switch self {
      case .half: "vec4(unpackHalf2x16(\(words)[2 * i]), unpackHalf2x16(\(words)[2 * i + 1]))"
      case .float, .byteInFloat:
        "uintBitsToFloat(uvec4(\((0..<4).map { "\(words)[4 * i + \($0)]" }.joined(separator: ", "))))"
      case .byte: "unpackUnorm4x8(\(words)[i])"
      }
    }

    /// GLSL for a colour as it is stored: it rounds to 8 bits itself, because drivers round differently.
    func stored(_ color: String) -> String {
      switch self {
      case .byte, .byteInFloat: "floor(clamp(\(color), 0.0, 1.0) * 255.0 + 0.5) / 255.0"
      case .half, .float: color
      }
    }
  }

  public let shape: TextureDescriptor
  public var width: Int { shape.width }
  public var height: Int { shape.height }
  /// The resource for kernels that read or write it.
  public let resource: DescriptorSet.Resource
  /// The image, if the storage is an image; commands must transition it into its layout.
  let image: Image?

  public init(device: Device, shape: TextureDescriptor) throws(VulkanError) {
    self.shape = shape
    let (width, height, texel) = (shape.width, shape.height, shape.format.texel)
    switch shape.storage {
    case .images:
      let image = try Image(
        device: device, width: width, height: height, layers: shape.layers, format: texel)
      self.image = image
      resource = .image(image)
    case .buffers:
      let limit = device.facts.maxTexels
      guard shape.layers == 1 || shape.layers * width * height <= limit else {
        throw VulkanError(
          """
          \(shape.layers) frames of \(width)x\(height), which an effect keeps, are more than \
          shaders can read on the GPU \(device.name) (\(limit) pixels); make the frame smaller, \
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

  public convenience init(
    device: Device, width: Int, height: Int, storage: TextureStorage
  ) throws(VulkanError) {
    try self.init(
      device: device, shape: TextureDescriptor(width: width, height: height, storage: storage))
  }

  /// How kernels read it.
  public var reader: PixelLoad { shape.reader(from: .always(resource)) }
  /// How kernels write it.
  public var writer: PixelStore { shape.writer(to: self) }
}
