public import Frames

/// The place of an image on the output's canvas, and the part of the image that is shown.
///
/// Effects work on the image alone, at its size on the canvas; bars are added after them, unless images of several
/// shapes share the canvas (`wholeCanvas`).
public struct FrameGeometry: Sendable, Equatable {
  /// The output's size in pixels.
  public var canvasWidth: Int
  public var canvasHeight: Int
  /// Position and size of the image on the canvas, in pixels.
  public var x = 0
  public var y = 0
  public var width: Int
  public var height: Int
  /// The part of the upright source that is shown, in source pixels.
  public var sourceX = 0.0
  public var sourceY = 0.0
  public var sourceWidth: Double
  public var sourceHeight: Double
  /// The output's sample aspect ratio.
  public var sampleAspectRatio: Rational
  /// The colour of the bars beside the image: red, green, blue and alpha, 0 to 1 each.
  public var barColor = SIMD4(0.0, 0, 0, 1)
  /// How an image of another shape takes its place on the same canvas.
  public var scale = ScaleMode.fit
  /// How the image is resized, if its size changes.
  public var scaler = Scaler.lanczos

  /// Whether there are bars.
  public var hasBars: Bool { (x, y, width, height) != (0, 0, canvasWidth, canvasHeight) }

  /// A picture that is the whole canvas, in which images are placed with the bars beside them.
  public var wholeCanvas: FrameGeometry {
    var whole = self
    (whole.x, whole.y, whole.width, whole.height) = (0, 0, canvasWidth, canvasHeight)
    return whole
  }

  /// Shows the source unchanged.
  public init(source: FrameFormat) {
    (canvasWidth, canvasHeight) = source.uprightSize
    (width, height) = source.uprightSize
    sourceWidth = Double(width)
    sourceHeight = Double(height)
    sampleAspectRatio = source.uprightSampleAspectRatio
  }

  /// Fits the source into a canvas of the given size and sample aspect ratio.
  ///
  /// A side that is nil follows from the other one and the image's aspect ratio, to the nearest even
  /// number; the image then fills the canvas, because bars of a pixel would only show the rounding.
  public init(
    source: FrameFormat, size: (width: Int?, height: Int?), scale: ScaleMode,
    sampleAspectRatio: Rational = .one
  ) {
    let (width, height) = source.uprightSize
    // Relative to the canvas's pixels.
    let aspect = source.uprightSampleAspectRatio / sampleAspectRatio
    let shape = Double(width) * aspect.doubleValue / Double(height)
    func even(_ length: Double) -> Int { max(Int((length / 2).rounded()) * 2, 2) }
    let canvas: (width: Int, height: Int) =
      switch size {
      case (let width?, let height?): (width, height)
      case (let width?, nil): (width, even(Double(width) / shape))
      case (nil, let height?): (even(Double(height) * shape), height)
      case (nil, nil): (width, height)
      }
    (canvasWidth, canvasHeight) = canvas
    (self.width, self.height) = canvas
    sourceWidth = Double(width)
    sourceHeight = Double(height)
    self.sampleAspectRatio = sampleAspectRatio
    self.scale = scale
    guard (size.width == nil) == (size.height == nil) else { return }
    let canvasShape = Double(canvas.width) / Double(canvas.height)
    switch scale {
    case .stretch: break
    case .fit:
      // A difference of less than half a pixel makes no bar.
      if canvasShape > shape {
        self.width = min(max(Int((Double(canvas.height) * shape).rounded()), 1), canvas.width)
      } else {
        self.height = min(max(Int((Double(canvas.width) / shape).rounded()), 1), canvas.height)
      }
      x = (canvas.width - self.width) / 2
      y = (canvas.height - self.height) / 2
    case .fill:
      if canvasShape > shape {
        sourceHeight = Double(height) * shape / canvasShape
        sourceY = (Double(height) - sourceHeight) / 2
      } else {
        sourceWidth = Double(width) * canvasShape / shape
        sourceX = (Double(width) - sourceWidth) / 2
      }
    }
  }

  /// Places images of another format as this one was placed: by the same rule, beside the same bars.
  ///
  /// `size` is another canvas, in pixels of the same shape.
  public func placing(
    _ format: FrameFormat, on size: (width: Int, height: Int)? = nil
  ) -> FrameGeometry {
    var other = FrameGeometry(
      source: format, size: (size?.width ?? canvasWidth, size?.height ?? canvasHeight),
      scale: scale, sampleAspectRatio: sampleAspectRatio)
    (other.barColor, other.scaler) = (barColor, scaler)
    return other
  }
}
