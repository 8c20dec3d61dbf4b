package import Frames
package import GPU
import ShaderCompiler
import Synchronization

/// A picture that effects read beside their input: decoded once, brought to a GPU once, and shared by
/// all lines and effects that use it.
package final class EffectImage: Sendable {
  private enum Content: Sendable {
    case frame(Frame)
    case texels([Float])
    case given(GivenTexture)
    case sound(AudioTexture)
  }

  /// A picture that somebody else writes.
  private struct GivenTexture: @unchecked Sendable {
    // @unchecked: its handles never change; only the thread that records commands uses it.
    let picture: Texture
  }

  /// When seen upright.
  package let width: Int
  package let height: Int

  /// What messages call it: its path; empty for none.
  let name: String

  /// Of the file when it was read; nil for what is of no file.
  package let stamp: FileStamp?

  /// The words that name the source whose first frame it is, where that moves; nil for what stands still.
  package let film: String?

  private let format: Texture.Format
  private let content: Content
  private let made = Mutex<[Made]>([])

  private struct Made: @unchecked Sendable {
    // @unchecked: written once, before anybody else has it, and only read by kernels.
    let device: Device
    let picture: Texture
  }

  /// A decoded picture: 8 bits a part are kept as 8 bits, more as 16-bit floats.
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

  /// Numbers as they are, four for each texel, row after row from the top.
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

  /// A picture of one layer that the commands of each frame write before the effects read it: another
  /// source's frame, for instance.
  package init(rewritten picture: Texture) {
    precondition(picture.shape.layers == 1)
    film = nil
    name = ""
    stamp = nil
    (width, height) = (picture.width, picture.height)
    format = picture.shape.format
    content = .given(GivenTexture(picture: picture))
  }

  /// A picture of sound, which the CPU writes anew for each frame.
  package init(sound: AudioTexture) {
    film = nil
    name = ""
    stamp = nil
    (width, height) = (sound.shape.width, sound.shape.height)
    format = sound.shape.format
    content = .sound(sound)
  }

  /// What stands for a picture that was not given: one transparent black pixel.
  package static func nothing() -> EffectImage {
    EffectImage(width: 1, height: 1, texels: [0, 0, 0, 0])
  }

  /// Its file was written anew since; one that is not there is about to be, and counts as it was.
  var isOutdated: Bool {
    guard film == nil, let stamp, let now = FileStamp(path: name) else { return false }
    return now != stamp
  }

  /// How it lies on the GPU where pictures are kept in `storage`.
  func shape(_ storage: TextureStorage) -> TextureDescriptor {
    switch content {
    case .given(let given): return given.picture.shape
    case .sound(let sound): return sound.shape
    case .frame, .texels: break
    }
    return TextureDescriptor(width: width, height: height, format: format, storage: storage)
  }

  /// What kernels are bound to; the first call brings it to the GPU.
  ///
  /// - Throws: `VulkanError` where the GPU does not take it.
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
