public import Frames

/// How a window shows its frames.
public struct WindowView: Sendable, Equatable {
  public var scale = ScaleMode.fit
  /// The share of the picture's width, from the left, that shows the frames before the effects; nil to show
  /// only the finished frames.
  public var split: Double?
  /// A line at the lower edge that shows how far a player has come; nil for none.
  public var progress: WindowProgress?

  public init() {}
}

/// The line that shows how far a player has come; all shares are from 0 to 1.
public struct WindowProgress: Sendable, Equatable {
  public var place: Double
  /// The stretch that repeats.
  public var stretch: ClosedRange<Double>?

  public init(place: Double, stretch: ClosedRange<Double>? = nil) {
    (self.place, self.stretch) = (place, stretch)
  }

  /// The line in a window, in pixels: its left end, its upper edge, its length and its height.
  public static func line(in window: (width: Int, height: Int)) -> (
    x: Int, y: Int, width: Int, height: Int
  ) {
    let height = max(window.height / 90, 4)
    let margin = min(4 * height, window.width / 8)
    return (margin, max(window.height - 4 * height, 0), window.width - 2 * margin, height)
  }
}

/// Text or other marks over the picture: pixels with 8 bits for each of R, G, B and alpha, multiplied by
/// alpha, in rows without padding.
public struct WindowPanel: Sendable {
  /// The upper left corner in the window, in pixels.
  public var x: Int
  public var y: Int
  public let width: Int
  public let height: Int
  public let pixels: [UInt32]

  public init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height, "a panel has all its pixels")
    (self.x, self.y, self.width, self.height, self.pixels) = (x, y, width, height, pixels)
  }
}
