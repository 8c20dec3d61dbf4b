import Frames

/// A picture of RGBA in 16-bit floats that one kernel writes and the next ones read.
///
/// 16 bits of float bring every legal code of 8 and 10 bits back exactly, in and out of the RGB
/// gamut (measured over all 4 million codes of each matrix).
package final class Picture {
  package let width: Int
  package let height: Int
  let storage: PictureStorage
  /// What the readers and the writer of it are bound to.
  package let resource: BindingSet.Resource
  /// Set when it is kept in an image, which commands must bring into its layout.
  let image: Image?

  package init(
    device: Device, width: Int, height: Int, storage: PictureStorage
  ) throws(VulkanError) {
    self.width = width
    self.height = height
    self.storage = storage
    switch storage {
    case .images:
      let image = try Image(device: device, width: width, height: height, format: .rgba16Float)
      self.image = image
      resource = .image(image)
    case .buffers:
      let byteCount = width * height * Image.Format.rgba16Float.byteCount
      let buffer = try Buffer(device: device, byteCount: byteCount, use: .device)
      image = nil
      resource = .texels(
        try TexelView(
          device: device, buffer: buffer, byteCount: byteCount, format: .rgba16Float))
    }
  }

  /// How kernels read such a picture.
  package static func reader(
    width: Int, height: Int, storage: PictureStorage
  ) -> PictureReader {
    PictureReader(
      width: width, height: height,
      bindings: [storage == .images ? .sampledImage : .texelBuffer], isDear: false,
      name: "picture"
    ) { binding in
      switch storage {
      case .images:
        """
        layout(set = 0, binding = \(binding)) uniform sampler2D kf_picture;
        vec4 kf_read(ivec2 p) { return texelFetch(kf_picture, p, 0); }
        """
      case .buffers:
        """
        layout(set = 0, binding = \(binding)) uniform samplerBuffer kf_picture;
        vec4 kf_read(ivec2 p) { return texelFetch(kf_picture, p.y * \(width) + p.x); }
        """
      }
    }
  }
}
