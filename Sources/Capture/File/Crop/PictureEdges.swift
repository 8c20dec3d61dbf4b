import Frames

/// The edges of a picture that black bars surround, over several frames.
struct PictureEdges {
  /// Bars of fewer pixels are left: many recordings have a dark line at an edge.
  private static let thinnest = 4
  /// A line beside a bar is lit over this part of the frame's side in some frame, or the bar is none.
  private static let straight = 0.3

  private let format: FrameFormat
  private var top: Int
  private var bottom: Int
  private var left: Int
  private var right: Int
  /// The largest part of the line at each edge (top, bottom, left, right) that was not black in a frame.
  private var lit = [0.0, 0, 0, 0]

  /// Begins with nothing but bars.
  init(_ format: FrameFormat) {
    self.format = format
    (top, bottom, left, right) = (format.height, 0, format.width, 0)
  }

  /// Whether there are no bars for certain.
  var isWhole: Bool {
    top < Self.thinnest && left < Self.thinnest && bottom > format.height - Self.thinnest
      && right > format.width - Self.thinnest
  }

  /// Takes in a frame, which can only move edges outwards.
  ///
  /// A frame that is black everywhere moves none.
  mutating func add(_ frame: Frame) {
    guard frame.format == format else { return }
    let brightness = PictureBrightness(frame)
    let (width, height) = (format.width, format.height)
    func row(_ y: Int) -> PictureBrightness.Line {
      brightness.line(x: 0, y: y, across: true, count: width)
    }
    let first = (0..<min(top, height)).first { !row($0).isBlack }
    if let first { (top, lit[0]) = (first, 0) }
    let last = (max(bottom, top)..<max(height, top)).last { !row($0).isBlack }
    if let last { (bottom, lit[1]) = (last + 1, 0) }
    guard top < bottom else { return }
    func column(_ x: Int) -> PictureBrightness.Line {
      brightness.line(x: x, y: top, across: false, count: bottom - top)
    }
    if let first = (0..<min(left, width)).first(where: { !column($0).isBlack }) {
      (left, lit[2]) = (first, 0)
    }
    if let last = (max(right, left)..<max(width, left)).last(where: { !column($0).isBlack }) {
      (right, lit[3]) = (last + 1, 0)
    }
    guard left < right else { return }
    // The line at an edge may be half black from scaling: the next two count too.
    for step in 0..<3 {
      func across(_ y: Int) -> Double { row(min(max(y, 0), height - 1)).lit }
      func down(_ x: Int) -> Double {
        brightness.line(x: min(max(x, 0), width - 1), y: 0, across: false, count: height).lit
      }
      lit[0] = max(lit[0], across(top + step))
      lit[1] = max(lit[1], across(bottom - 1 - step))
      lit[2] = max(lit[2], down(left + step))
      lit[3] = max(lit[3], down(right - 1 - step))
    }
  }

  /// The picture as it is shown, with even edges; nil if there are no bars.
  var picture: PixelArea? {
    guard top < bottom, left < right else { return nil }
    // Black beside a few bright spots is a dark picture, not a bar.
    func bar(_ thickness: Int, _ edge: Int) -> Int {
      thickness >= Self.thinnest && lit[edge] >= Self.straight ? thickness : 0
    }
    let (above, before) = (bar(top, 0), bar(left, 2))
    let below = bar(format.height - bottom, 1)
    let after = bar(format.width - right, 3)
    guard above + below + before + after > 0 else { return nil }
    // A title on black that fills less than a quarter of the picture is a dark picture too.
    let remaining = (format.width - before - after) * (format.height - above - below)
    guard remaining * 4 >= format.width * format.height else { return nil }
    let shown = format.uprightArea(
      of: PixelArea(
        x: before, y: above, width: format.width - before - after,
        height: format.height - above - below))
    let (width, height) = format.uprightSize
    func even(_ begin: Int, _ length: Int, of whole: Int) -> (Int, Int) {
      let first = (begin + 1) / 2 * 2
      // An odd side of the source stays where there is no bar.
      let end = begin + length == whole ? whole : (begin + length) / 2 * 2
      return (first, end - first)
    }
    let across = even(shown.x, shown.width, of: width)
    let down = even(shown.y, shown.height, of: height)
    guard across.1 > 0, down.1 > 0 else { return nil }
    return PixelArea(x: across.0, y: down.0, width: across.1, height: down.1)
  }
}

/// How bright the lines of a frame are.
private struct PictureBrightness {
  /// A row or a column.
  struct Line {
    /// Whether it may be part of a bar: dark on average, and hardly a pixel is bright, as in text or a starry sky.
    let isBlack: Bool
    /// The part of its pixels that are not black.
    let lit: Double
  }

  private let frame: Frame
  private let layout: PixelLayout
  /// The code of black, and the codes of a step of 8 bits.
  private let black: Int
  private let unit: Int

  init(_ frame: Frame) {
    self.frame = frame
    layout = frame.format.pixelFormat.layout
    unit = 1 << (layout.depth - 8)
    black = frame.format.color.range == .limited ? 16 * unit : 0
  }

  /// Measures `count` pixels from (x, y), to the right or down.
  func line(x: Int, y: Int, across: Bool, count: Int) -> Line {
    var (sum, bright, lit) = (0, 0, 0)
    let parts = layout.model == .rgb ? layout.components : [layout.components[0]]
    // Gray of RGB is the mean of the three; of YCbCr it is luma.
    for step in 0..<count {
      var value = 0
      for part in parts { value += code(part, x: across ? x + step : x, y: across ? y : y + step) }
      let above = value / parts.count - black
      sum += above
      if above > 24 * unit { bright += 1 }
      if above > 10 * unit { lit += 1 }
    }
    return Line(
      isBlack: sum <= 6 * unit * count && bright * 200 <= count,
      lit: Double(lit) / Double(max(count, 1)))
  }

  private func code(_ part: PixelLayout.Component, x: Int, y: Int) -> Int {
    let plane = layout.planes[part.plane]
    var channel = part.channel
    var texel = x
    if let second = layout.secondLuma {
      texel = x / 2
      if x % 2 == 1 { channel = second.channel }
    }
    let offset =
      y * frame.pixels.planes[part.plane].stride + texel * plane.bytesPerTexel
      + channel * plane.bytesPerChannel
    let bytes = frame.pixels.bytes(ofPlane: part.plane)
    return plane.bytesPerChannel == 1
      ? Int(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      : Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)) >> layout.shift
  }
}

extension FrameFormat {
  /// The pixels of the upright picture that show an area of the stored pixels.
  fileprivate func uprightArea(of area: PixelArea) -> PixelArea {
    let map = storedPixel
    // The map turns and mirrors only, so its inverse is its transpose.
    func shown(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
      let (x, y) = (x - map.origin.x, y - map.origin.y)
      return (x * map.dx.x + y * map.dx.y, x * map.dy.x + y * map.dy.y)
    }
    let first = shown(area.x, area.y)
    let last = shown(area.x + area.width - 1, area.y + area.height - 1)
    return PixelArea(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
      height: abs(last.y - first.y) + 1)
  }
}
