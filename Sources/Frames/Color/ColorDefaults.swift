/// What a source says of its colours: each part may be missing.
package struct ColorTags: Hashable, Sendable {
  package var matrix: ColorMatrix?
  package var range: ColorRange?
  package var primaries: UInt8?
  package var transfer: UInt8?
  package var chromaSiting: ChromaSiting?

  package init(
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
  /// Fills in what the tags leave open by the rules of the "Colour and time" chapter of the
  /// manual: BT.709 from width 1280 or height above 576, else BT.601; primaries and transfer those of
  /// the matrix's own standard (`ColorMatrix.primaries`), 1/13 for RGB; limited range unless the pixel
  /// format says full (RGB and gray do); chroma left, or centred for full range (MPEG and JPEG
  /// practice).
  package init(tags: ColorTags, pixelFormat: PixelFormat, width: Int, height: Int) {
    let model = pixelFormat.layout.model
    let isRGB = model == .rgb
    let matrix =
      tags.matrix.flatMap { $0 == .rgb ? nil : $0 } ?? .assumed(width: width, height: height)
    let range = isRGB ? .full : tags.range ?? (model == .gray ? .full : .limited)
    self.init(
      matrix: isRGB ? .rgb : matrix,
      range: range,
      primaries: tags.primaries ?? (isRGB ? 1 : matrix.primaries),
      transfer: tags.transfer ?? (isRGB ? 13 : matrix.transfer),
      chromaSiting: tags.chromaSiting ?? (range == .full && !isRGB ? .center : .left))
  }
}
