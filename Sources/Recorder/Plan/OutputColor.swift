import Frames

extension ColorDescription {
  /// The colours of an output made from a source with these: the same matrix, primaries, transfer
  /// and siting.
  ///
  /// What RGB does not have is chosen: the matrix by the output's size (for YCgCo too, which players
  /// do not know), limited range (what players expect), chroma to the left. A turned picture's siting would be turned too, so it is made left.
  ///
  /// - Parameters:
  ///   - source: The source's frames.
  ///   - range: The range asked for; nil keeps a file's, and a camera's becomes limited.
  ///   - isCamera: The source is a camera.
  ///   - width: The output's width.
  ///   - height: The output's height.
  init(
    outputOf source: FrameFormat, range: ColorRange?, isCamera: Bool, width: Int, height: Int
  ) {
    self = source.color
    let layout = source.pixelFormat.layout
    if matrix == .rgb || matrix == .yCgCo { matrix = .assumed(width: width, height: height) }
    self.range = range ?? (layout.model == .yCbCr && !isCamera ? source.color.range : .limited)
    let (x, y) = layout.chromaSubsampling
    if x == 1 && y == 1 || source.orientation != .upright { chromaSiting = .left }
  }
}
