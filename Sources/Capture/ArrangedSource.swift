import FFmpegHandles
public import Frames

/// How the picture of a source is shown: which part of it, turned and mirrored how, in which shape.
public struct PictureArrangement: Sendable, Equatable {
  /// The part that is shown; nil for all of it.
  public var crop: PictureCrop?
  /// Quarter turns clockwise, after the crop.
  public var quarterTurns = 0
  /// Which sides are swapped, after the turn.
  public var flip: PictureFlip?
  /// Width divided by height of what is shown in the end; nil keeps the shape of the pixels.
  public var aspect: Rational?

  public init() {}

  /// Whether pixels leave their places, so that what a file says of these places (a projection on a sphere, which
  /// half is for which eye) is wrong.
  fileprivate var movesPixels: Bool { crop != nil || quarterTurns != 0 || flip != nil }

  /// Returns the format as it is shown; `name` is the source's in the error of a crop that lies outside.
  func applied(to format: FrameFormat, of name: String) throws(CaptureError) -> FrameFormat {
    var arranged = format
    if case .area(let crop) = crop {
      let (width, height) = format.uprightSize
      guard crop.x + crop.width <= width, crop.y + crop.height <= height else {
        throw CaptureError(
          """
          --crop \(crop.x),\(crop.y),\(crop.width),\(crop.height) lies outside the picture of \(name), which \
          has \(width)x\(height) pixels
          """, isUsageError: true)
      }
      arranged.crop = format.storedArea(of: crop)
    }
    arranged.orientation = arranged.orientation.turned(by: quarterTurns)
    switch flip {
    case .horizontal: arranged.orientation = arranged.orientation.flipped
    case .vertical: arranged.orientation = arranged.orientation.flipped.turned(by: 2)
    case nil: break
    }
    if let aspect {
      let (width, height) = arranged.uprightSize
      let pixel = aspect * Rational(Int64(height), Int64(width))
      arranged.sampleAspectRatio = arranged.orientation.swapsAxes ? pixel.reciprocal : pixel
    }
    return arranged
  }
}

/// Which part of a picture is shown.
public enum PictureCrop: Sendable, Equatable {
  /// This one, in pixels of the picture as the source shows it.
  case area(PixelArea)
  /// All but the black bars of a file, which are looked for when it is opened.
  case withoutBars
}

/// Which sides of a picture are swapped.
public enum PictureFlip: Sendable {
  /// Left and right.
  case horizontal
  /// Top and bottom.
  case vertical
}

extension FrameFormat {
  /// The stored pixels that are shown in an area of the upright picture.
  fileprivate func storedArea(of area: PixelArea) -> PixelArea {
    let map = storedPixel
    func stored(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
      (map.origin.x + x * map.dx.x + y * map.dy.x, map.origin.y + x * map.dx.y + y * map.dy.y)
    }
    let first = stored(area.x, area.y)
    let last = stored(area.x + area.width - 1, area.y + area.height - 1)
    return PixelArea(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
      height: abs(last.y - first.y) + 1)
  }
}

/// Shows the frames of a source cropped, turned and in another shape; their pixels stay where they are.
final class ArrangedSource: MediaSource {
  private let source: any MediaSource
  private let arrangement: PictureArrangement
  /// The last format, and what became of it: formats seldom change.
  private var known: (format: FrameFormat, arranged: FrameFormat)?

  /// What was found out about the arrangement.
  private let notice: Notice?

  /// Takes over an open source.
  init(_ source: any MediaSource, _ arrangement: PictureArrangement, notice: Notice?) {
    (self.source, self.arrangement, self.notice) = (source, arrangement, notice)
  }

  var description: SourceDescription {
    var description = source.description
    if let notice { description.notices.append(notice) }
    if arrangement.movesPixels, let data = description.contents?.sideData {
      description.leftOut += data.map(\.words)
      description.contents?.sideData = []
    }
    return description
  }
  var report: SourceReport { source.report }

  func next() throws(CaptureError) -> MediaSample? {
    guard let sample = try source.next() else { return nil }
    guard case .frame(var frame) = sample else { return sample }
    if let known, known.format == frame.format {
      frame.format = known.arranged
    } else {
      let arranged = try arrangement.applied(to: frame.format, of: description.name)
      known = (frame.format, arranged)
      frame.format = arranged
    }
    return .frame(frame)
  }
}
