import Frames

extension ColorDescription {
  /// Creates the colours of an output from its source: the same matrix, primaries, transfer and siting.
  ///
  /// Values that RGB does not have are chosen: the matrix by the output's size in pixels (for YCgCo too, which players do
  /// not support), limited range (which players expect), chroma siting left. Rotating an image would rotate its siting too,
  /// so the siting becomes left. Without a requested range, the source keeps its own, and a guessed one becomes limited.
  init(
    outputOf source: FrameFormat, range: ColorRange?, isGuessed: Bool, width: Int, height: Int
  ) {
    self = source.color
    let layout = source.pixelFormat.layout
    if matrix == .rgb || matrix == .yCgCo { matrix = .assumed(width: width, height: height) }
    self.range = range ?? (layout.model == .yCbCr && !isGuessed ? source.color.range : .limited)
    let (x, y) = layout.chromaSubsampling
    if x == 1 && y == 1 || source.orientation != .upright { chromaSiting = .left }
  }
}
