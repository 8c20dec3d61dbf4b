/// The properties that all frames of a stream share: stored size, pixel format, colours, and how to
/// show them.
package struct FrameFormat: Hashable, Sendable {
  /// Size of the stored image in pixels, before `orientation` is applied.
  package var width: Int
  package var height: Int
  package var pixelFormat: PixelFormat
  package var color: ColorDescription
  /// Width of a stored pixel divided by its height; 1 unless the source states another.
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

  /// The size in pixels when shown upright; the sample aspect ratio is not applied.
  package var uprightSize: (width: Int, height: Int) {
    orientation.swapsAxes ? (height, width) : (width, height)
  }

  /// The sample aspect ratio when shown upright.
  package var uprightSampleAspectRatio: Rational {
    orientation.swapsAxes ? sampleAspectRatio.reciprocal : sampleAspectRatio
  }
}
