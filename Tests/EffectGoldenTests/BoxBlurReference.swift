import EffectLab

/// The box blur computed on the CPU in double precision.
///
/// Each component is its mean in the square of `side` pixels around a pixel, with the edge pixels repeated outside.
struct BoxBlurReference {
  let side: Double

  /// The square that the effect takes in a picture of this size.
  init(amount: Double, width: Int, height: Int) {
    side = max(2 * amount * Double(min(width, height)), 1)
  }

  init(side: Double) {
    self.side = side
  }

  func apply(to picture: RGBAImage) -> RGBAImage {
    let reach = Int((side / 2).rounded(.up))
    let weights = (-reach...reach).map {
      min(max(side / 2 + 0.5 - Double(abs($0)), 0), 1) / side
    }
    return RGBAImage(width: picture.width, height: picture.height) { x, y in
      func mean(_ channel: Int) -> UInt8 {
        // Plain loops: in a debug build sequences take ten times as long.
        var sum = 0.0
        var row = 0
        while row < weights.count {
          var column = 0
          while column < weights.count {
            let value = picture.channel(channel, x: x - reach + column, y: y - reach + row)
            sum += weights[row] * weights[column] * Double(value)
            column += 1
          }
          row += 1
        }
        return UInt8(sum.rounded())
      }
      return (mean(0), mean(1), mean(2), mean(3))
    }
  }
}
