import GPU

/// A picture as one effect uses it: under a name.
struct BoundImage: Sendable {
  /// Of the input, or of the import.
  let name: String
  var image: EffectImage

  /// The functions of a name that read it; `id` tells it from others of the same kernel.
  func fragment(
    as name: String, id: String, from bound: KernelResource.Bound, storage: TextureStorage
  ) -> KernelFragment {
    let read = "kf_image\(id)"
    let shape = image.shape(storage)
    var fragment = shape.reading(read, from: bound)
    fragment.glsl += "\n"
    fragment.glsl += ImageReading.glsl(
      name, width: shape.width, height: shape.height,
      pixel: "\(read)(0, clamp(p, ivec2(0), size - 1))")
    return fragment
  }
}
