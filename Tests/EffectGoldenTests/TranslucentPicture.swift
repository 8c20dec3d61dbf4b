import EffectLab

extension RGBAImage {
  /// Returns the reference image with an alpha that differs from pixel to pixel, from 0 to 255.
  static func translucent(width: Int, height: Int) -> RGBAImage {
    let reference = reference(width: width, height: height)
    return RGBAImage(width: width, height: height) { x, y in
      let parts = reference.parts(x: x, y: y)
      return (parts[0], parts[1], parts[2], UInt8((x * 37 + y * 91) % 256))
    }
  }
}
