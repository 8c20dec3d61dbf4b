import Synchronization

/// What it takes to make a progressive picture of one field of an interlaced frame: the field, and the frames before
/// and after.
///
/// The pixels of the frame that has it are still woven. Any thread may hold it; the thread that deinterlaces stores the
/// picture here, so that a frame that is shown twice is made once.
public final class InterlacedFields: Sendable {
  /// The frames before and after, in the same format; nil if there is none, or no interlaced one before.
  public let previous: PixelBuffer?
  public let next: PixelBuffer?
  public let order: FieldOrder
  /// Whether the picture is that of the field that is shown second.
  public let showsSecond: Bool
  private let picture = Mutex<PixelBuffer?>(nil)

  public init(
    previous: PixelBuffer?, next: PixelBuffer?, order: FieldOrder, showsSecond: Bool = false
  ) {
    (self.previous, self.next) = (previous, next)
    (self.order, self.showsSecond) = (order, showsSecond)
  }

  /// The progressive picture; nil until it was made.
  public var progressive: PixelBuffer? {
    get { picture.withLock { $0 } }
    set { picture.withLock { $0 = newValue } }
  }

  /// The first line of the frame that belongs to the field: 0 or 1.
  public var firstLine: Int { (order == .topFirst) != showsSecond ? 0 : 1 }
}
