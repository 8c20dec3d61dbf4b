/// The colour tags of a source; each may be missing.
public struct ColorTags: Hashable, Sendable {
  public var matrix: ColorMatrix?
  public var range: ColorRange?
  public var primaries: UInt8?
  public var transfer: UInt8?
  public var chromaSiting: ChromaSiting?

  public init(
    matrix: ColorMatrix? = nil, range: ColorRange? = nil, primaries: UInt8? = nil,
    transfer: UInt8? = nil, chromaSiting: ChromaSiting? = nil
  ) {
    self.matrix = matrix
    self.range = range
    self.primaries = primaries
    self.transfer = transfer
    self.chromaSiting = chromaSiting
  }
}

extension ColorDescription {
  /// Fills in missing tags by the rules of the "Colour and time" chapter of the manual.
  ///
  /// The matrix is BT.709 from width 1280 or height above 576, else BT.601. Primaries and transfer are
  /// those of the matrix's own standard (`ColorMatrix.primaries`), 1/13 for RGB. The range is limited
  /// unless the pixel format means full range (RGB and gray). Chroma is left, or centred for full range
  /// (MPEG and JPEG practice).
  public init(tags: ColorTags, pixelFormat: PixelFormat, width: Int, height: Int) {
    let model = pixelFormat.layout.model
    let isRGB = model == .rgb
    let matrix =
      tags.matrix.flatMap { $0 == .rgb ? nil : $0 } ?? .assumed(width: width, height: height)
    let range = isRGB ? .full : tags.range ?? .assumed(isGray: model == .gray)
    self.init(
      matrix: isRGB ? .rgb : matrix,
      range: range,
      primaries: tags.primaries ?? (isRGB ? 1 : matrix.primaries),
      transfer: tags.transfer ?? (isRGB ? 13 : matrix.transfer),
      chromaSiting: tags.chromaSiting ?? (range == .full && !isRGB ? .center : .left))
  }
}
