package import Frames
package import GPU
import ShaderCompiler
import Synchronization

/// An image that effects read besides their input: decoded once, uploaded to a GPU once, and shared by
/// all pipelines and effects that use it.
package final class EffectImage: Sendable {
  private enum Content: Sendable {
    case frame(Frame)
    case texels([Float])
    case given(GivenTexture)
    case sound(AudioTexture)
  }

  /// A texture that other code writes.
  private struct GivenTexture: @unchecked Sendable {
    // @unchecked: the handles never change; only the thread that records commands uses them.
    let picture: Texture
  }

  /// The size in pixels when the image is upright.
  package let width: Int
  package let height: Int

  /// The path, for messages; empty if there is none.
  let name: String

  /// The stamp of the file when it was read; nil if there is no file.
  package let stamp: FileStamp?

  /// The words that name the video whose first frame this is; nil for a still image.
  package let film: String?

  private let format: Texture.Format
  private let content: Content
  private let made = Mutex<[Made]>([])

  private struct Made: @unchecked Sendable {
    // @unchecked: written once before it is shared; kernels only read it.
    let device: Device
    let picture: Texture
  }

  /// Holds a decoded frame: 8-bit channels stay 8 bits, deeper ones become 16-bit floats.
  package init(
    _ frame: Frame, name: String = "", stamp: FileStamp? = nil, film: String? = nil
  ) {
    self.film = film
    self.name = name
    self.stamp = stamp
    (width, height) = frame.format.uprightSize
    format = Texture.Format(holding: frame.format)
    content = .frame(frame)
  }

  /// Holds numbers unchanged, four per texel, row by row from the top.
  package init(
    width: Int, height: Int, texels: [Float], name: String = "", stamp: FileStamp? = nil
  ) {
    self.name = name
    self.stamp = stamp
    precondition(texels.count == 4 * width * height, "four numbers a texel")
    film = nil
    (self.width, self.height) = (width, height)
    format = .float
    content = .texels(texels)
  }

  /// Holds a texture of one layer that each frame's commands write before the effects read it, for
  /// example another source's frame.
  package init(rewritten picture: Texture) {
    precondition(picture.shape.layers == 1)
    film = nil
    name = ""
    stamp = nil
    (width, height) = (picture.width, picture.height)
    format = picture.shape.format
    content = .given(GivenTexture(picture: picture))
  }

  /// Holds an audio texture, which the CPU writes for each frame.
  package init(sound: AudioTexture) {
    film = nil
    name = ""
    stamp = nil
    (width, height) = (sound.shape.width, sound.shape.height)
    format = sound.shape.format
    content = .sound(sound)
  }

  /// Returns the stand-in for an image that was not given: one transparent black pixel.
  package static func nothing() -> EffectImage {
    EffectImage(width: 1, height: 1, texels: [0, 0, 0, 0])
  }

  /// True if the file was rewritten after it was read; a missing file is about to be replaced, and
  /// counts as unchanged.
  var isOutdated: Bool {
    guard film == nil, let stamp, let now = FileStamp(path: name) else { return false }
    return now != stamp
  }

  /// Returns how the image is stored on the GPU, for textures kept in `storage`.
  func shape(_ storage: TextureStorage) -> TextureDescriptor {
    switch content {
    case .given(let given): return given.picture.shape
    case .sound(let sound): return sound.shape
    case .frame, .texels: break
    }
    return TextureDescriptor(width: width, height: height, format: format, storage: storage)
  }

  /// Returns the resource that kernels bind; the first call uploads the image to the GPU.
  ///
  /// - Throws: `VulkanError` if the GPU refuses the image.
  func bound(
    device: Device, compiler: ShaderCompiler, storage: TextureStorage
  ) throws -> KernelResource.Bound {
    switch content {
    case .given(let given): .always(given.picture.resource)
    case .sound(let sound): .slots(sound.slots.map(\.resource))
    case .frame, .texels:
      .always(try picture(device: device, compiler: compiler, storage: storage).resource)
    }
  }

  private func picture(
    device: Device, compiler: ShaderCompiler, storage: TextureStorage
  ) throws -> Texture {
    try made.withLock { made in
      if let known = made.first(where: {
        $0.device === device && $0.picture.shape.storage == storage
      }) {
        return known.picture
      }
      let picture =
        switch content {
        case .frame(let frame):
          try Texture(
            device: device, compiler: compiler, frame: frame, format: format, storage: storage)
        case .texels(let texels):
          try Texture(
            device: device, compiler: compiler, width: width, height: height, texels: texels,
            storage: storage)
        case .given, .sound: preconditionFailure("somebody else makes it")
        }
      made.append(Made(device: device, picture: picture))
      return picture
    }
  }
}
