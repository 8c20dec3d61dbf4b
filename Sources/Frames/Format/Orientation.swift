/// How to turn a stored image upright: one of the eight combinations of mirroring and quarter turns.
public struct Orientation: Hashable, Sendable {
  /// Quarter turns clockwise, 0 to 3, applied after the mirroring.
  public let quarterTurns: Int
  /// Whether left and right are swapped, before the turn.
  public let mirrored: Bool

  public static let upright = Orientation(quarterTurns: 0, mirrored: false)

  public init(quarterTurns: Int, mirrored: Bool) {
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
    self.mirrored = mirrored
  }

  /// An affine map of whole pixels: origin + x * dx + y * dy.
  public typealias PixelMap = (
    origin: (x: Int, y: Int), dx: (x: Int, y: Int), dy: (x: Int, y: Int)
  )

  /// Returns this orientation, followed by quarter turns clockwise.
  public func turned(by turns: Int) -> Orientation {
    Orientation(quarterTurns: quarterTurns + turns, mirrored: mirrored)
  }

  /// This orientation, followed by swapping left and right of what it shows.
  public var flipped: Orientation {
    // A turn behind a swap is the swap behind the opposite turn.
    Orientation(quarterTurns: -quarterTurns, mirrored: !mirrored)
  }

  /// Whether the turn swaps width and height.
  public var swapsAxes: Bool { quarterTurns % 2 == 1 }

  /// The stored pixel that is shown at (x, y), as an affine map: stored = origin + x * dx + y * dy,
  /// for a stored image of the given size.
  public func storedPixel(width: Int, height: Int) -> PixelMap {
    // First the turn is undone, then the mirroring.
    let (right, bottom) = (width - 1, height - 1)
    var map: PixelMap =
      switch quarterTurns {
      case 1: ((0, bottom), (0, -1), (1, 0))
      case 2: ((right, bottom), (-1, 0), (0, -1))
      case 3: ((right, 0), (0, 1), (-1, 0))
      default: ((0, 0), (1, 0), (0, 1))
      }
    if mirrored {
      map.origin.x = right - map.origin.x
      map.dx.x = -map.dx.x
      map.dy.x = -map.dy.x
    }
    return map
  }
}
