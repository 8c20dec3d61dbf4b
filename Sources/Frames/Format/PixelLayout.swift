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
  public private(set) var isBigEndian = false

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
  static func planar(
    subsampling: (Int, Int), alpha: Bool = false, depth: Int = 8
  ) -> PixelLayout {
    let bytes = depth > 8 ? 2 : 1
    let luma = Plane(channels: 1, bytesPerChannel: bytes, subsamplingX: 1, subsamplingY: 1)
    let chroma = Plane(
      channels: 1, bytesPerChannel: bytes, subsamplingX: subsampling.0,
      subsamplingY: subsampling.1)
    return PixelLayout(
      model: .yCbCr, planes: [luma, chroma, chroma] + (alpha ? [luma] : []),
      components: (0..<3).map { Component(plane: $0, channel: 0) },
      alpha: alpha ? Component(plane: 3, channel: 0) : nil, secondLuma: nil, depth: depth, shift: 0)
  }

  static func semiPlanar(
    subsampling: (Int, Int), redFirst: Bool = false, depth: Int = 8, shift: Int = 0
  ) -> PixelLayout {
    let bytes = depth > 8 ? 2 : 1
    return PixelLayout(
      model: .yCbCr,
      planes: [
        Plane(channels: 1, bytesPerChannel: bytes, subsamplingX: 1, subsamplingY: 1),
        Plane(
          channels: 2, bytesPerChannel: bytes, subsamplingX: subsampling.0,
          subsamplingY: subsampling.1),
      ],
      components: [
        Component(plane: 0, channel: 0), Component(plane: 1, channel: redFirst ? 1 : 0),
        Component(plane: 1, channel: redFirst ? 0 : 1),
      ],
      alpha: nil, secondLuma: nil, depth: depth, shift: shift)
  }

  static func packed422(luma: (Int, Int), blue: Int, red: Int) -> PixelLayout {
    PixelLayout(
      model: .yCbCr,
      planes: [Plane(channels: 4, bytesPerChannel: 1, subsamplingX: 2, subsamplingY: 1)],
      components: [luma.0, blue, red].map { Component(plane: 0, channel: $0) },
      alpha: nil, secondLuma: Component(plane: 0, channel: luma.1), depth: 8, shift: 0)
  }

  static func packedRGB(
    red: Int, green: Int, blue: Int, alpha: Int?, depth: Int = 8, isBigEndian: Bool = false
  ) -> PixelLayout {
    var layout = PixelLayout(
      model: .rgb,
      planes: [
        Plane(channels: 4, bytesPerChannel: depth > 8 ? 2 : 1, subsamplingX: 1, subsamplingY: 1)
      ],
      components: [red, green, blue].map { Component(plane: 0, channel: $0) },
      alpha: alpha.map { Component(plane: 0, channel: $0) }, secondLuma: nil, depth: depth,
      shift: 0)
    layout.isBigEndian = isBigEndian
    return layout
  }

  /// FFmpeg's plane order of planar RGB is green, blue, red.
  static func planarRGB(alpha: Bool = false, depth: Int = 8) -> PixelLayout {
    let plane = Plane(
      channels: 1, bytesPerChannel: depth > 8 ? 2 : 1, subsamplingX: 1, subsamplingY: 1)
    return PixelLayout(
      model: .rgb, planes: Array(repeating: plane, count: alpha ? 4 : 3),
      components: [2, 0, 1].map { Component(plane: $0, channel: 0) },
      alpha: alpha ? Component(plane: 3, channel: 0) : nil, secondLuma: nil, depth: depth, shift: 0)
  }

  static func gray(depth: Int = 8, isBigEndian: Bool = false) -> PixelLayout {
    var layout = PixelLayout(
      model: .gray,
      planes: [
        Plane(channels: 1, bytesPerChannel: depth > 8 ? 2 : 1, subsamplingX: 1, subsamplingY: 1)
      ],
      components: [Component(plane: 0, channel: 0)], alpha: nil, secondLuma: nil, depth: depth,
      shift: 0)
    layout.isBigEndian = isBigEndian
    return layout
  }

  /// Red, green and blue without a fourth channel; 16 bits have the higher byte first.
  static func packedRGBWithoutPadding(depth: Int = 8) -> PixelLayout {
    var layout = PixelLayout(
      model: .rgb,
      planes: [
        Plane(channels: 3, bytesPerChannel: depth > 8 ? 2 : 1, subsamplingX: 1, subsamplingY: 1)
      ],
      components: (0..<3).map { Component(plane: 0, channel: $0) }, alpha: nil, secondLuma: nil,
      depth: depth, shift: 0)
    layout.isBigEndian = depth > 8
    return layout
  }
}
