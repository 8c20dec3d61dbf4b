import Glibc
import Synchronization

/// A picture in the memory of a device, which other devices and drivers open without a copy: DMA-BUFs of Linux.
///
/// Any thread that holds it may read it; nobody writes it. The thread that releases the last reference runs `release`, after which the descriptors
/// may be closed.
public final class SharedPicture: Sendable {
  /// Where a plane lies.
  public struct Plane: Sendable, Equatable {
    /// The descriptor of a block of memory, which the picture's maker keeps open.
    public var descriptor: Int32
    /// Number of bytes of the whole block.
    public var byteCount: Int
    /// The order of the texels in the block, by the numbers of the kernel's drm_fourcc.h.
    public var modifier: UInt64
    /// The texels, then what some orders store beside them, such as tables of compressed blocks.
    public var parts: [Part]

    public init(descriptor: Int32, byteCount: Int, modifier: UInt64, parts: [Part]) {
      (self.descriptor, self.byteCount) = (descriptor, byteCount)
      (self.modifier, self.parts) = (modifier, parts)
    }
  }

  /// Where a part of a plane begins, in bytes from the start of the block, and the bytes from one row to the next.
  public struct Part: Sendable, Equatable {
    public var offset: Int
    public var stride: Int

    public init(offset: Int, stride: Int) { (self.offset, self.stride) = (offset, stride) }
  }

  /// The order in which row follows row, as in the processor's memory (DRM_FORMAT_MOD_LINEAR).
  public static let rowByRow: UInt64 = 0

  public let planes: [Plane]
  private let release: @Sendable () -> Void

  /// Describes a picture in blocks of memory that stay open until `release` runs.
  public init(planes: [Plane], release: @escaping @Sendable () -> Void) {
    self.planes = planes
    self.release = release
  }

  deinit { release() }

  /// Waits until the device that fills the picture has done so; false if that takes longer than the limit in seconds.
  ///
  /// The kernel lets a reader of a DMA-BUF wait for its writers with `poll` (Linux, "Buffer Sharing and
  /// Synchronization", implicit fence poll support).
  public func waitUntilFilled(limit: Rational) -> Bool {
    let milliseconds = Int32(clamping: limit.ticks(timeBase: Rational(1, 1000)))
    for descriptor in Set(planes.map(\.descriptor)) {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var result = poll(&wait, 1, milliseconds)
      while result < 0, errno == EINTR { result = poll(&wait, 1, milliseconds) }
      guard result == 1, wait.revents & Int16(POLLIN) != 0 else { return false }
    }
    return true
  }
}

extension SharedPicture {
  /// Describes pixels in a block of the processor's memory that other devices can open.
  convenience init(_ memory: PixelMemory, _ descriptor: Int32, _ layout: BufferLayout) {
    self.init(
      planes: layout.planes.map { plane in
        Plane(
          descriptor: descriptor, byteCount: memory.byteCount, modifier: Self.rowByRow,
          parts: [Part(offset: plane.offset, stride: plane.stride)])
      }
    ) { withExtendedLifetime(memory) {} }
  }
}

/// Whether pictures stay in the memory of the device that made them, for all who make and read them.
///
/// They stay there until the first one fails; from then on the processor copies them. Any thread may use it.
public final class PictureSharing: Sendable {
  /// The most pictures that stay there at once: decoders have a fixed number of them, and need the others themselves.
  public static let limit = 12

  private let refusal: Mutex<String?>
  private let taken = Atomic<Int>(0)

  /// Lets pictures stay there, unless it gets the reason why they cannot, as a part of a sentence.
  public init(refusal: String? = nil) { self.refusal = Mutex(refusal) }

  /// Why pictures do not stay there, as a part of a sentence; nil if they do.
  public var reason: String? { refusal.withLock { $0 } }

  /// Lets the processor copy all later pictures; the first reason is kept.
  public func stop(because reason: String) {
    refusal.withLock { $0 = $0 ?? reason }
  }

  /// Reserves a slot for a picture, which `giveBack` frees; false if all are taken or pictures do not stay there.
  public func take() -> Bool {
    guard reason == nil else { return false }
    guard taken.add(1, ordering: .relaxed).newValue <= Self.limit else {
      giveBack()
      return false
    }
    return true
  }

  /// Frees the slot of a picture that nobody reads any more.
  public func giveBack() { taken.subtract(1, ordering: .relaxed) }
}
