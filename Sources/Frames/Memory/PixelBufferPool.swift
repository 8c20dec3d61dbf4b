import Synchronization

/// A block of memory that a pool lends; a subclass may be a mapped GPU buffer.
///
/// Whoever made the block owns it; of lent memory, only `WritablePixels` are written.
open class PixelMemory: @unchecked Sendable {
  // @unchecked: the address never changes; only the current borrower writes the bytes.
  public let baseAddress: UnsafeMutableRawPointer
  public let byteCount: Int
  /// Under which other devices open the block, as a DMA-BUF of Linux; nil if they cannot.
  open var descriptor: Int32? { nil }

  public init(baseAddress: UnsafeMutableRawPointer, byteCount: Int) {
    self.baseAddress = baseAddress
    self.byteCount = byteCount
  }
}

/// Blocks of one size, lent as pixel buffers and taken back when the last reference to a buffer is
/// released.
///
/// One thread calls `lease`; any thread may release buffers, even after the pool is gone. The pool never
/// waits: it makes another block if all are in use, and the queues downstream limit their number. So
/// after the first frames it allocates nothing.
public final class PixelBufferPool<Memory: PixelMemory>: Sendable {
  private let free: FreeList<Memory>
  private let make: @Sendable () throws -> Memory

  /// The layout of the planes in each block.
  public let layout: BufferLayout

  /// Makes an empty pool; `make` must return blocks of at least `layout.byteCount` bytes.
  public init(layout: BufferLayout, make: @escaping @Sendable () throws -> Memory) {
    free = FreeList()
    self.layout = layout
    self.make = make
  }

  /// Lends a block to fill, which nobody else holds.
  public func lease() throws -> WritablePixels<Memory> {
    let memory = try free.take() ?? make()
    let free = free
    return WritablePixels(memory, layout: layout) { free.put(memory) }
  }
}

/// The unused blocks of a pool; any thread may take one and put it back.
final class FreeList<Memory: PixelMemory>: Sendable {
  private let blocks = Mutex<[Memory]>([])

  func take() -> Memory? { blocks.withLock { $0.popLast() } }
  func put(_ memory: Memory) { blocks.withLock { $0.append(memory) } }
}
