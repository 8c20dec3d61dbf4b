/// How pixels lie in memory: planes of texels, and the plane and channel of each colour component.
public struct PixelLayout: Hashable, Sendable {
  /// What the components mean: (Y, Cb, Cr), (R, G, B) or Y alone.
  public enum Model: Hashable, Sendable { case yCbCr, rgb, gray }

  /// One rectangle of texels.
  public struct Plane: Hashable, Sendable {
    /// Interleaved channels in a texel: 1, 2 or 4 (3 only in results).
    public let channels: Int
    /// Bytes per channel: 1 or 2.
    public let bytesPerChannel: Int
    /// Luma pixels that a texel covers, horizontally and vertically.
    public let subsamplingX: Int
    public let subsamplingY: Int

    public var bytesPerTexel: Int { channels * bytesPerChannel }

    /// Texels per row of an image of `width` pixels, rounded up.
    public func width(_ width: Int) -> Int { (width + subsamplingX - 1) / subsamplingX }

    /// Rows of texels in an image of `height` pixels, rounded up.
    public func height(_ height: Int) -> Int { (height + subsamplingY - 1) / subsamplingY }
  }

  /// The location of one colour component: its plane, and its channel in a texel.
  public struct Component: Hashable, Sendable {
    public let plane: Int
    public let channel: Int
  }

  public let model: Model
  public let planes: [Plane]
  /// The colour components in the model's order: one for gray, three otherwise.
  ///
  /// In `packed422` the first is the luma of the left pixel; `secondLuma` is that of the right pixel.
  public let components: [Component]
  public let alpha: Component?
  public let secondLuma: Component?
  /// Bits per component: 8, 10, 12 or 16.
  public let depth: Int
  /// Zero bits below the value in its 16-bit word (6 in P010).
  public let shift: Int
  /// The higher of a channel's two bytes comes first.
  public let isBigEndian: Bool

  /// Luma pixels for each chroma sample, horizontally and vertically.
  public var chromaSubsampling: (x: Int, y: Int) {
    guard model == .yCbCr else { return (1, 1) }
    let plane = planes[components[1].plane]
    return (plane.subsamplingX, plane.subsamplingY)
  }

  /// The largest code: 255, 1023, ...
  public var maximumCode: Int { (1 << depth) - 1 }

  /// Two pixels share a texel, which holds one luma for each.
  public var isPacked422: Bool { secondLuma != nil }
}

extension PixelLayout {
  private init(
    _ model: Model, _ planes: [Plane], _ components: [Component], alpha: Component? = nil,
    secondLuma: Component? = nil, depth: Int = 8, shift: Int = 0, isBigEndian: Bool = false
  ) {
    (self.model, self.planes, self.components) = (model, planes, components)
    (self.alpha, self.secondLuma, self.depth) = (alpha, secondLuma, depth)
    (self.shift, self.isBigEndian) = (shift, isBigEndian)
  }

  static func planar(
    subsampling: (Int, Int), alpha: Bool = false, depth: Int = 8
  ) -> PixelLayout {
    let luma = Plane(depth: depth)
    let chroma = Plane(depth: depth, subsampling: subsampling)
    return PixelLayout(
      .yCbCr, [luma, chroma, chroma] + (alpha ? [luma] : []),
      (0..<3).map { Component(plane: $0, channel: 0) },
      alpha: alpha ? Component(plane: 3, channel: 0) : nil, depth: depth)
  }

  static func semiPlanar(
    subsampling: (Int, Int), redFirst: Bool = false, depth: Int = 8, shift: Int = 0
  ) -> PixelLayout {
    PixelLayout(
      .yCbCr, [Plane(depth: depth), Plane(channels: 2, depth: depth, subsampling: subsampling)],
      [
        Component(plane: 0, channel: 0), Component(plane: 1, channel: redFirst ? 1 : 0),
        Component(plane: 1, channel: redFirst ? 0 : 1),
      ], depth: depth, shift: shift)
  }

  static func packed422(luma: (Int, Int), blue: Int, red: Int) -> PixelLayout {
    PixelLayout(
      .yCbCr, [Plane(channels: 4, subsampling: (2, 1))],
      [luma.0, blue, red].map { Component(plane: 0, channel: $0) },
      secondLuma: Component(plane: 0, channel: luma.1))
  }

  static func packedRGB(
    red: Int, green: Int, blue: Int, alpha: Int? = nil, channels: Int = 4, depth: Int = 8,
    isBigEndian: Bool = false
  ) -> PixelLayout {
    PixelLayout(
      .rgb, [Plane(channels: channels, depth: depth)],
      [red, green, blue].map { Component(plane: 0, channel: $0) },
      alpha: alpha.map { Component(plane: 0, channel: $0) }, depth: depth, isBigEndian: isBigEndian)
  }

  /// FFmpeg's plane order of planar RGB is green, blue, red.
  static func planarRGB(alpha: Bool = false, depth: Int = 8) -> PixelLayout {
    PixelLayout(
      .rgb, Array(repeating: Plane(depth: depth), count: alpha ? 4 : 3),
      [2, 0, 1].map { Component(plane: $0, channel: 0) },
      alpha: alpha ? Component(plane: 3, channel: 0) : nil, depth: depth)
  }

  static func gray(depth: Int = 8, isBigEndian: Bool = false) -> PixelLayout {
    PixelLayout(
      .gray, [Plane(depth: depth)], [Component(plane: 0, channel: 0)], depth: depth,
      isBigEndian: isBigEndian)
  }
}

extension PixelLayout.Plane {
  fileprivate init(channels: Int = 1, depth: Int = 8, subsampling: (x: Int, y: Int) = (1, 1)) {
    self.init(
      channels: channels, bytesPerChannel: depth > 8 ? 2 : 1, subsamplingX: subsampling.x,
      subsamplingY: subsampling.y)
  }
}
