public import Frames

/// What the pixels of a source hold, so that an output can keep it.
public struct PixelContents: Hashable, Sendable {
  /// The components: gray only if nothing of the picture has a colour.
  public var model: PixelLayout.Model
  /// Bits per component.
  public var depth: Int
  /// Luma pixels for each chroma sample, horizontally and vertically; 1 where there is no chroma.
  public var chromaX: Int
  public var chromaY: Int

  /// What holds all of some formats, at least one; effects or bars may add colours to a gray picture.
  public init(_ formats: [PixelFormat], addsColor: Bool = false) {
    let layouts = formats.map(\.layout)
    let models = Set(layouts.map(\.model))
    depth = layouts.map(\.depth).max() ?? 8
    let colored = layouts.filter { $0.model != .gray }
    model =
      models.contains(.rgb)
      ? .rgb : models.contains(.yCbCr) || addsColor && colored.isEmpty ? .yCbCr : .gray
    chromaX = colored.map(\.chromaSubsampling.x).min() ?? 1
    chromaY = colored.map(\.chromaSubsampling.y).min() ?? 1
  }

  /// How much is lost in a format, and then how much it stores for nothing; the lowest is the best.
  private func cost(of format: PixelFormat, hasAlpha: Bool) -> Int {
    let layout = format.layout
    let (x, y) = layout.chromaSubsampling
    var cost = 0
    if model != .gray, layout.model == .gray { cost += 1_000_000 }
    if hasAlpha, layout.alpha == nil { cost += 100_000 }
    cost += max(depth - layout.depth, 0) * 5_000
    if model != .gray, layout.model != .gray, layout.model != model { cost += 2_000 }
    if model != .gray { cost += (max(x / chromaX, 1) * max(y / chromaY, 1) - 1) * 300 }
    // What follows costs room only.
    if model == .gray, layout.model != .gray { cost += layout.model == .yCbCr ? 100 : 110 }
    if !hasAlpha, layout.alpha != nil { cost += 50 }
    if layout.isPacked422 || layout.planes.count == 2 { cost += 1 }
    let finer = max(chromaX / x, 1) * max(chromaY / y, 1) - 1
    return cost + max(layout.depth - depth, 0) * 2 + (model == .gray ? 4 / (x * y) : finer * 2)
  }

  /// Returns the format that loses least, and of those that lose the same the smallest; nil if there are none.
  func nearest(of formats: [PixelFormat], hasAlpha: Bool) -> PixelFormat? {
    formats.min { cost(of: $0, hasAlpha: hasAlpha) < cost(of: $1, hasAlpha: hasAlpha) }
  }
}
