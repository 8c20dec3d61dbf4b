import Frames
import GPU
import ShaderCompiler

/// A picture as one effect uses it: under a name.
struct EffectImageUse: Sendable {
  /// Of the input, or of the import.
  let name: String
  var image: EffectImage

  /// The functions of a name that read it; `id` tells it from others of the same kernel.
  func glsl(as name: String, id: String, binding: Int, storage: PictureStorage) -> String {
    let read = "kf_image\(id)"
    let shape = image.shape(storage)
    return """
      \(shape.reading(read, binding: binding))
      \(PictureReading.glsl(
        name, width: shape.width, height: shape.height,
        pixel: "\(read)(0, clamp(p, ivec2(0), size - 1))"))
      """
  }
}

extension EffectShader {
  /// For each slot, what the effect's images are bound to, in their order.
  func imageBindings(
    device: Device, compiler: ShaderCompiler, storage: PictureStorage
  ) throws -> [(BindingKind, BindingSet.Resource)] {
    try images.map { use in
      do {
        let picture = try use.image.picture(device: device, compiler: compiler, storage: storage)
        return (picture.shape.readBinding, picture.resource)
      } catch let error as VulkanError {
        throw EffectError.image(of: file, use.name, "\(error)")
      }
    }
  }
}
