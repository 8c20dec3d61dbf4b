/// What every frame of a stream has in common: its stored size, layout, colours, and how it is to be
/// shown.
package struct FrameFormat: Hashable, Sendable {
  /// Stored pixels, before `orientation` is applied.
  package var width: Int
  package var height: Int
  package var pixelFormat: PixelFormat
  package var color: ColorDescription
  /// Width of a stored pixel over its height; 1 unless the source says otherwise.
  package var sampleAspectRatio: Rational
  package var orientation: Orientation

  package init(
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

  /// The size when shown upright, in pixels (the pixel aspect is left as it is).
  package var uprightSize: (width: Int, height: Int) {
    orientation.swapsAxes ? (height, width) : (width, height)
  }

  /// The pixel aspect when shown upright.
  package var uprightSampleAspectRatio: Rational {
    orientation.swapsAxes ? sampleAspectRatio.reciprocal : sampleAspectRatio
  }
}
