import GPU

/// An image and the name under which one effect uses it.
struct BoundImage: Sendable {
  /// The name of the input or of the import.
  let name: String
  var image: EffectImage

  /// Returns the name of the function that gives the width of an image's pixels in parts of their height.
  static func aspectName(_ name: String) -> String { name + "PixelAspect" }

  /// Returns the functions that read the image under a name; `id` keeps them apart from others in the
  /// kernel.
  func fragment(
    as name: String, id: String, from bound: KernelResource.Bound, storage: TextureStorage
  ) -> KernelFragment {
    let read = "kf_image\(id)"
    let shape = image.shape(storage)
    var fragment = shape.reading(read, from: bound)
    fragment.glsl += "\n"
    let pixel = "\(read)(0, clamp(p, ivec2(0), size - 1))"
    if let text = image.text {
      fragment.glsl += TextTexture.glsl(name, read: read, of: text, pixel: pixel)
    } else {
      fragment.glsl += ImageReading.glsl(
        name, width: shape.width, height: shape.height, pixel: pixel)
      fragment.glsl += "\nfloat \(Self.aspectName(name))() { return float(\(image.pixelAspect)); }"
    }
    return fragment
  }
}
