import EffectLab

/// The box blur computed on the CPU in integers: each component is its mean in the square of `radius`
/// pixels on each side, with the edge pixels repeated outside.
struct BoxBlurReference {
  let radius: Int

  func apply(to picture: RGBAImage) -> RGBAImage {
    let side = 2 * radius + 1
    return RGBAImage(width: picture.width, height: picture.height) { x, y in
      func mean(_ channel: Int) -> UInt8 {
        var sum = 0
        for row in y - radius...y + radius {
          for column in x - radius...x + radius {
            sum += Int(picture.channel(channel, x: column, y: row))
          }
        }
        return UInt8((sum + side * side / 2) / (side * side))
      }
      return (mean(0), mean(1), mean(2), mean(3))
    }
  }
}
