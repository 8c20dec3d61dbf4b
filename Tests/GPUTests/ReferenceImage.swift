import Frames

/// The expected result of the GPU, computed in double precision from the standards' formulas and the
/// definition of chroma siting; slow, simple, and without code of the kernels.
struct ReferenceImage {
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of each pixel.
  private(set) var colors: [SIMD4<Double>]

  subscript(x: Int, y: Int) -> SIMD4<Double> {
    colors[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
  }

  /// Converts an upright frame to RGB.
  init(_ picture: CodePicture, _ color: ColorDescription) {
    let layout = picture.pixelFormat.layout
    let maximum = Double((1 << layout.depth) - 1)
    let scale = Double(1 << (layout.depth - 8))
    let isLimited = color.range == .limited
    func luma(_ code: Double) -> Double {
      isLimited ? (code - 16 * scale) / (219 * scale) : code / maximum
    }
    func chroma(_ code: Double) -> Double {
      (code - 128 * scale) / (isLimited ? 224 * scale : maximum)
    }
    width = picture.width
    height = picture.height
    colors = []
    for y in 0..<height {
      for x in 0..<width {
        func code(_ part: Int) -> Double { Double(picture.parts[part][y * picture.width + x]) }
        let alpha = layout.alpha == nil ? 1 : code(picture.parts.count - 1) / maximum
        switch layout.model {
        case .rgb:
          colors.append(SIMD4(code(0), code(1), code(2), 0) / maximum + SIMD4(0, 0, 0, alpha))
        case .gray:
          let value = luma(code(0))
          colors.append(SIMD4(value, value, value, alpha))
        case .yCbCr:
          let (red, blue) = lumaWeights(color.matrix)
          let level = luma(code(0))
          let cb = chroma(upsampled(picture, 1, x, y, color.chromaSiting))
          let cr = chroma(upsampled(picture, 2, x, y, color.chromaSiting))
          let r = level + 2 * (1 - red) * cr
          let b = level + 2 * (1 - blue) * cb
          colors.append(
            SIMD4(r, (level - red * r - blue * b) / (1 - red - blue), b, alpha))
        }
      }
    }
  }

  private init(width: Int, height: Int, colors: [SIMD4<Double>]) {
    (self.width, self.height, self.colors) = (width, height, colors)
  }

  /// Returns the image mirrored, then rotated clockwise by quarter turns.
  func turned(_ orientation: Orientation) -> ReferenceImage {
    var picture = self
    if orientation.mirrored {
      picture.colors = (0..<width * height).map { self[width - 1 - $0 % width, $0 / width] }
    }
    for _ in 0..<orientation.quarterTurns {
      let old = picture
      let (wide, high) = (old.height, old.width)
      picture = ReferenceImage(
        width: wide, height: high,
        colors: (0..<wide * high).map { old[$0 / wide, old.height - 1 - $0 % wide] })
    }
    return picture
  }

  /// Returns the 8-bit codes of a sink before rounding, each component at its own size.
  ///
  /// The canvas is `width` x `height` pixels; outside the image its last column and row are repeated.
  func codes(
    _ pixelFormat: PixelFormat, _ color: ColorDescription, width: Int, height: Int
  ) -> [[Double]] {
    let layout = pixelFormat.layout
    guard layout.model == .yCbCr else {
      return (0..<(layout.alpha == nil ? 3 : 4)).map { part in
        (0..<width * height).map {
          let c = self[$0 % width, $0 / width]
          return 255 * (layout.alpha == nil ? c[part] * c[3] : c[part])
        }
      }
    }
    let (red, blue) = lumaWeights(color.matrix)
    let isLimited = color.range == .limited
    func components(_ x: Int, _ y: Int) -> [Double] {
      let c = self[x, y]
      let (r, g, b) = (c[0] * c[3], c[1] * c[3], c[2] * c[3])
      let luma = red * r + (1 - red - blue) * g + blue * b
      let (cb, cr) = ((b - luma) / (2 * (1 - blue)), (r - luma) / (2 * (1 - red)))
      return isLimited
        ? [16 + 219 * luma, 128 + 224 * cb, 128 + 224 * cr]
        : [255 * luma, 128 + 255 * cb, 128 + 255 * cr]
    }
    return (0..<3).map { part in
      let size = CodePicture.size(ofPart: part, pixelFormat, width, height)
      let (factorX, factorY) = part == 0 ? (1, 1) : layout.chromaSubsampling
      let across = downsampling(factorX, place(color.chromaSiting).x)
      let down = downsampling(factorY, place(color.chromaSiting).y)
      return (0..<size.width * size.height).map { index in
        let (x, y) = (index % size.width * factorX, index / size.width * factorY)
        var sum = 0.0
        for (dy, weightY) in down {
          for (dx, weightX) in across {
            // Reads are clamped to the canvas.
            let column = min(max(x + dx, 0), width - 1)
            let row = min(max(y + dy, 0), height - 1)
            sum += weightX * weightY * components(column, row)[part]
          }
        }
        return sum
      }
    }
  }
}

/// Returns the luma weights of ITU-R BT.601, BT.709, BT.2020, SMPTE 240M and the FCC, typed in
/// separately.
private func lumaWeights(_ matrix: ColorMatrix) -> (red: Double, blue: Double) {
  switch matrix {
  case .rgb, .yCgCo, .bt709: (0.2126, 0.0722)
  case .fcc: (0.3, 0.11)
  case .bt470bg, .smpte170m: (0.299, 0.114)
  case .smpte240m: (0.212, 0.087)
  case .bt2020NonConstant: (0.2627, 0.0593)
  }
}

/// Returns the place of a chroma sample between the first and the last luma sample (H.273 figure 1).
private func place(_ siting: ChromaSiting) -> (x: Double, y: Double) {
  switch siting {
  case .left: (0, 0.5)
  case .center: (0.5, 0.5)
  case .topLeft: (0, 0)
  case .top: (0.5, 0)
  case .bottomLeft: (0, 1)
  case .bottom: (0.5, 1)
  }
}

/// Returns a chroma component's code at a luma pixel: linear between the samples, which are `factor`
/// pixels apart from their place in the first group on, and constant outside.
private func upsampled(
  _ picture: CodePicture, _ part: Int, _ x: Int, _ y: Int, _ siting: ChromaSiting
) -> Double {
  let size = picture.size(ofPart: part)
  let factor = picture.pixelFormat.layout.chromaSubsampling
  func weights(_ pixel: Int, _ factor: Int, _ place: Double, _ count: Int) -> [(Int, Double)] {
    // Samples further away have no weight; the outermost ones may be used for this pixel.
    (max(pixel / factor - 2, 0)...min(pixel / factor + 2, count - 1)).compactMap { sample in
      let position = Double(sample * factor) + place * Double(factor - 1)
      var distance = abs(Double(pixel) - position) / Double(factor)
      let isBeyond =
        sample == 0 && Double(pixel) < position || sample == count - 1 && Double(pixel) > position
      if isBeyond { distance = 0 }
      return distance < 1 ? (sample, 1 - distance) : nil
    }
  }
  var sum = 0.0
  for (row, weightY) in weights(y, factor.y, place(siting).y, size.height) {
    for (column, weightX) in weights(x, factor.x, place(siting).x, size.width) {
      sum += weightX * weightY * Double(picture.parts[part][row * size.width + column])
    }
  }
  return sum
}

/// Returns a triangle filter as wide as a chroma sample around a luma sample, or the mean of two luma
/// samples.
private func downsampling(_ factor: Int, _ place: Double) -> [(Int, Double)] {
  guard factor == 2 else { return [(0, 1)] }
  if place == 0.5 { return [(0, 0.5), (1, 0.5)] }
  let center = Int(place)
  return [(center - 1, 0.25), (center, 0.5), (center + 1, 0.25)]
}
