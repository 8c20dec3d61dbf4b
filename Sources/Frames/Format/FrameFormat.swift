/// A rectangle of whole pixels.
public struct PixelArea: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// The properties that all frames of a stream share: stored size, pixel format, colours, and how to
/// show them.
public struct FrameFormat: Hashable, Sendable {
  /// Size of the stored image in pixels, before `orientation` is applied.
  public var width: Int
  public var height: Int
  public var pixelFormat: PixelFormat
  public var color: ColorDescription
  /// Width of a stored pixel divided by its height; 1 unless the source states another.
  public var sampleAspectRatio: Rational
  public var orientation: Orientation
  /// The part of the stored image that is shown, in stored pixels; nil for all of it.
  public var crop: PixelArea?

  public init(
    width: Int, height: Int, pixelFormat: PixelFormat, color: ColorDescription,
    sampleAspectRatio: Rational = .one, orientation: Orientation = .upright
  ) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.color = color
    self.sampleAspectRatio = sampleAspectRatio
    self.orientation = orientation
  }

  /// The part of the stored image that is shown, in stored pixels.
  public var shownArea: PixelArea {
    crop ?? PixelArea(x: 0, y: 0, width: width, height: height)
  }

  /// The size in pixels when shown upright; the sample aspect ratio is not applied.
  public var uprightSize: (width: Int, height: Int) {
    let shown = shownArea
    return orientation.swapsAxes ? (shown.height, shown.width) : (shown.width, shown.height)
  }

  /// The stored pixel that is shown at (x, y), as an affine map: stored = origin + x * dx + y * dy.
  public var storedPixel: Orientation.PixelMap {
    let shown = shownArea
    var map = orientation.storedPixel(width: shown.width, height: shown.height)
    map.origin.x += shown.x
    map.origin.y += shown.y
    return map
  }

  /// The sample aspect ratio when shown upright.
  public var uprightSampleAspectRatio: Rational {
    orientation.swapsAxes ? sampleAspectRatio.reciprocal : sampleAspectRatio
  }
}
