import Frames
import Glibc

/// The test image: colour bars, ramps, corner marks that show which way is up, a circling square, and
/// the frame's number and time.
///
/// A lost rotation, a flip, swapped channels, a wrong range or a dropped frame is visible at once.
struct TestPattern: GeneratedImage {
  let pixelFormat = PixelFormat.rgb0
  private let width: Int
  private let height: Int
  private let frameRate: Rational
  /// The constant parts, row by row without padding.
  private let background: [UInt32]

  /// Draws the constant parts once.
  init(width: Int, height: Int, frameRate: Rational) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    var pixels = [UInt32](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        pixels[y * width + x] = TestPattern.standing(x: x, y: y, width: width, height: height)
      }
    }
    background = pixels
  }

  /// Draws frame number `frame` over the old content of `target`.
  func draw(frame: Int, into target: UnsafeMutableRawBufferPointer, stride: Int) {
    background.withUnsafeBytes { source in
      for y in 0..<height {
        let row = y * width * 4
        target[y * stride..<y * stride + width * 4].copyBytes(from: source[row..<row + width * 4])
      }
    }
    let canvas = PatternCanvas(target: target, stride: stride, width: width, height: height)
    drawSquare(frame: frame, on: canvas)
    drawNumbers(frame: frame, on: canvas)
  }

  /// Returns the colour of a pixel of the constant parts.
  ///
  /// The upper two thirds are bars of 75 % white, yellow, cyan, green, magenta, red, blue and black.
  /// Below is a ramp from black to white, and under it are red, green and blue ramps.
  private static func standing(x: Int, y: Int, width: Int, height: Int) -> UInt32 {
    let bars: [(UInt32, UInt32, UInt32)] = [
      (191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0), (191, 0, 191), (191, 0, 0),
      (0, 0, 191), (0, 0, 0),
    ]
    let unit = max(min(width, height) / 12, 1)
    // Corner colours: white, red, green, blue, clockwise from the top left.
    let isLeft = x < unit
    let isRight = x >= width - unit
    if y < unit, isLeft { return rgb(255, 255, 255) }
    if y < unit, isRight { return rgb(255, 0, 0) }
    if y >= height - unit, isRight { return rgb(0, 255, 0) }
    if y >= height - unit, isLeft { return rgb(0, 0, 255) }
    if y * 3 < height * 2 {
      let (r, g, b) = bars[min(x * 8 / width, 7)]
      return rgb(r, g, b)
    }
    let level = UInt32(width > 1 ? x * 255 / (width - 1) : 0)
    switch (y * 3 - height * 2) * 4 / height {
    case 0: return rgb(level, level, level)
    case 1: return rgb(level, 0, 0)
    case 2: return rgb(0, level, 0)
    default: return rgb(0, 0, level)
    }
  }

  /// Draws a white square with a black border; it circles once in 120 frames, in the image's upper half.
  private func drawSquare(frame: Int, on canvas: PatternCanvas) {
    let side = max(min(width, height) / 8, 1)
    // Integer steps along a diamond are the same on every machine; sines might not be.
    let step = frame % 120
    let swing = { (phase: Int) -> Int in
      let p = phase % 120
      return p < 60 ? p - 30 : 90 - p
    }
    let x = width / 2 + swing(step) * (width / 3) / 30 - side / 2
    let y = height / 4 + swing(step + 30) * (height / 7) / 30 - side / 2
    canvas.fill(x: x, y: y, width: side, height: side, color: TestPattern.rgb(0, 0, 0))
    let edge = max(side / 10, 1)
    canvas.fill(
      x: x + edge, y: y + edge, width: side - 2 * edge, height: side - 2 * edge,
      color: TestPattern.rgb(255, 255, 255))
  }

  /// Draws the frame's number and its time in seconds, on black.
  private func drawNumbers(frame: Int, on canvas: PatternCanvas) {
    let scale = max(min(width / 160, height / 60), 1)
    let milliseconds = (Rational(Int64(frame)) / frameRate * Rational(1000)).floor
    let number = zeroPadded(frame, digits: 6)
    let time = "\(milliseconds / 1000).\(zeroPadded(milliseconds % 1000, digits: 3))"
    let text = "\(number) \(time)"
    let textWidth = text.utf8.count * 6 * scale
    let x = (width - textWidth) / 2
    let y = height * 2 / 3 - 11 * scale
    canvas.fill(
      x: x - 2 * scale, y: y - 2 * scale, width: textWidth + 3 * scale, height: 11 * scale,
      color: TestPattern.rgb(0, 0, 0))
    canvas.write(text, x: x, y: y, scale: scale, color: TestPattern.rgb(255, 255, 255))
  }

  /// Returns a pixel of `rgb0` as a little-endian word.
  private static func rgb(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> UInt32 {
    (red | green << 8 | blue << 16).littleEndian
  }
}
