public import Frames
public import GPU
import ShaderCompiler
import Synchronization

/// An image that effects read besides their input: decoded once, uploaded to a GPU once, and shared by
/// all pipelines and effects that use it.
public final class EffectImage: Sendable {
  private enum Content: Sendable {
    case frame(Frame)
    case texels([Float])
    case given(GivenTexture)
    case audio(AudioTexture)
    /// Nil in a kernel that never runs.
    case text(TextTexture?)
    case subtitles(SubtitleTexture)
  }

  /// A texture that other code writes.
  private struct GivenTexture: @unchecked Sendable {
    // @unchecked: the handles never change; only the thread that records commands uses them.
    let texture: Texture
  }

  /// The size in pixels when the image is upright.
  public let width: Int
  public let height: Int
  /// The width of its pixels in parts of their height; 1 for square pixels.
  let pixelAspect: Double

  /// The path, for messages; empty if there is none.
  let name: String

  /// The stamp of the file when it was read; nil if there is no file.
  public let stamp: FileStamp?

  /// The words that name the video whose first frame this is; nil for a still image.
  public let movingInput: String?

  private let format: Texture.Format
  private let content: Content
  private let made = Mutex<[Made]>([])

  private struct Made: @unchecked Sendable {
    // @unchecked: written once before it is shared; kernels only read it.
    let device: Device
    let texture: Texture
  }

  private init(
    _ content: Content, width: Int, height: Int, format: Texture.Format, pixelAspect: Double = 1,
    name: String = "", stamp: FileStamp? = nil, movingInput: String? = nil
  ) {
    (self.content, self.width, self.height, self.format) = (content, width, height, format)
    (self.pixelAspect, self.name) = (pixelAspect, name)
    (self.stamp, self.movingInput) = (stamp, movingInput)
  }

  private convenience init(
    _ content: Content, _ shape: TextureDescriptor, pixelAspect: Double = 1
  ) {
    self.init(
      content, width: shape.width, height: shape.height, format: shape.format,
      pixelAspect: pixelAspect)
  }

  /// Holds a decoded frame: 8-bit channels stay 8 bits, deeper ones become 16-bit floats.
  public convenience init(
    _ frame: Frame, name: String = "", stamp: FileStamp? = nil, movingInput: String? = nil
  ) {
    let (width, height) = frame.format.uprightSize
    self.init(
      .frame(frame), width: width, height: height, format: .init(holding: frame.format),
      pixelAspect: frame.format.uprightSampleAspectRatio.doubleValue, name: name, stamp: stamp,
      movingInput: movingInput)
  }

  /// Holds numbers unchanged, four per texel, row by row from the top.
  public convenience init(
    width: Int, height: Int, texels: [Float], name: String = "", stamp: FileStamp? = nil
  ) {
    precondition(texels.count == 4 * width * height, "four numbers a texel")
    self.init(
      .texels(texels), width: width, height: height, format: .float, name: name, stamp: stamp)
  }

  /// Holds a texture of one layer that each frame's commands write before the effects read it, for
  /// example another source's frame, whose pixels have this width in parts of their height.
  public convenience init(rewritten texture: Texture, pixelAspect: Double = 1) {
    precondition(texture.shape.layers == 1)
    self.init(.given(GivenTexture(texture: texture)), texture.shape, pixelAspect: pixelAspect)
  }

  /// Holds an audio texture, which the CPU writes for each frame.
  public convenience init(audio: AudioTexture) { self.init(.audio(audio), audio.shape) }

  /// Holds words that the CPU draws when they change; nil stands for a texture in a kernel that never runs.
  convenience init(text: TextTexture?) { self.init(.text(text), TextTexture.shape(of: text)) }

  /// Holds subtitles that the CPU draws when they change.
  convenience init(subtitles: SubtitleTexture) {
    self.init(.subtitles(subtitles), subtitles.shape)
  }

  /// The texture of a text, or nil in a kernel that never runs; nil for any other image.
  var text: TextTexture?? {
    if case .text(let text) = content { return .some(text) }
    return nil
  }

  /// Returns the stand-in for an image that was not given: one transparent black pixel.
  public static func nothing() -> EffectImage {
    EffectImage(width: 1, height: 1, texels: [0, 0, 0, 0])
  }

  /// True if the file was rewritten after it was read; a missing file is about to be replaced, and
  /// counts as unchanged.
  var isOutdated: Bool {
    guard movingInput == nil, let stamp, let now = FileStamp.ofFile(name) else { return false }
    return now != stamp
  }

  /// Returns how the image is stored on the GPU, for textures kept in `storage`.
  func shape(_ storage: TextureStorage) -> TextureDescriptor {
    switch content {
    case .given(let given): given.texture.shape
    case .audio(let audio): audio.shape
    case .text(let text): TextTexture.shape(of: text)
    case .subtitles(let subtitles): subtitles.shape
    case .frame, .texels:
      TextureDescriptor(width: width, height: height, format: format, storage: storage)
    }
  }

  /// Returns the resource that kernels bind; the first call uploads the image to the GPU.
  ///
  /// - Throws: `VulkanError` if the GPU refuses the image.
  func bound(
    device: Device, compiler: ShaderCompiler, storage: TextureStorage
  ) throws -> KernelResource.Bound {
    switch content {
    case .given(let given): .always(given.texture.resource)
    case .audio(let audio): .slots(audio.slots.map(\.resource))
    case .text(let text): text.map { .slots($0.slots.map(\.resource)) } ?? .nothing
    case .subtitles(let subtitles): .slots(subtitles.slots.map(\.resource))
    case .frame, .texels:
      .always(try texture(device: device, compiler: compiler, storage: storage).resource)
    }
  }

  private func texture(
    device: Device, compiler: ShaderCompiler, storage: TextureStorage
  ) throws -> Texture {
    try made.withLock { made in
      if let known = made.first(where: {
        $0.device === device && $0.texture.shape.storage == storage
      }) {
        return known.texture
      }
      let texture =
        switch content {
        case .frame(let frame):
          try Texture(
            device: device, compiler: compiler, frame: frame, format: format, storage: storage)
        case .texels(let texels):
          try Texture(
            device: device, compiler: compiler, width: width, height: height, texels: texels,
            storage: storage)
        case .given, .audio, .text, .subtitles: preconditionFailure("other code makes this texture")
        }
      made.append(Made(device: device, texture: texture))
      return texture
    }
  }
}
