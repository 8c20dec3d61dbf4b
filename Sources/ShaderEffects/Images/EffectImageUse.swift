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
    device: Device, compiler: ShaderCompiler, storage: PictureStorage, slotCount: Int
  ) throws -> [[(BindingKind, BindingSet.Resource)]] {
    var slots: [[(BindingKind, BindingSet.Resource)]] = Array(repeating: [], count: slotCount)
    for use in images {
      do {
        let resources = try use.image.resources(
          device: device, compiler: compiler, storage: storage, slotCount: slotCount)
        let kind = use.image.shape(storage).readBinding
        for (slot, resource) in resources.enumerated() { slots[slot].append((kind, resource)) }
      } catch let error as VulkanError {
        let lead = use.image.name.isEmpty ? "" : "\(use.image.name): "
        throw EffectError.image(of: file, use.name, "\(lead)\(error)")
      }
    }
    return slots
  }
}
