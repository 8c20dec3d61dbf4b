/// A moving test frame with all hues, ramps, fine detail, noise and hard edges, so that almost every
/// effect changes it.
enum TrialFrame {
  /// The size in pixels; odd, so that errors with odd sizes show.
  static let (width, height) = (193, 109)

  /// Returns a frame: the frame before it moved by two pixels, with other noise.
  static func image(_ index: Int) -> RGBAImage {
    var noise = UInt32(truncatingIfNeeded: index) &* 0x9E37_79B9 | 1
    return RGBAImage(width: width, height: height) { x, y in
      // Marsaglia's xorshift gives the same noise on every machine.
      noise ^= noise << 13
      noise ^= noise >> 17
      noise ^= noise << 5
      let (red, green, blue) = color(
        (x + 2 * index) % width, y, noise: UInt8(truncatingIfNeeded: noise >> 24))
      return (red, green, blue, 255)
    }
  }

  /// Returns the colour of a pixel in one of four bands: hues, ramps to black and white, a checked
  /// pattern with bars, noise.
  private static func color(_ x: Int, _ y: Int, noise: UInt8) -> (UInt8, UInt8, UInt8) {
    let ramp = UInt8(x * 255 / (width - 1))
    switch y * 4 / height {
    case 0:
      let sector = x * 6 / width
      let rise = UInt8((x * 6 % width) * 255 / width)
      return [
        (255, rise, 0), (255 - rise, 255, 0), (0, 255, rise), (0, 255 - rise, 255),
        (rise, 0, 255), (255, 0, 255 - rise),
      ][sector]
    case 1: return (ramp, ramp, UInt8(y * 255 / (height - 1)))
    case 2:
      if x / 12 % 2 == 0 { return (x + y) % 2 == 0 ? (0, 0, 0) : (255, 255, 255) }
      return (200, 120, 90)
    default: return (noise, 255 - noise, noise / 2 + ramp / 2)
    }
  }
}
