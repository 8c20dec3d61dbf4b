import Synchronization

/// A block of memory that a pool lends; a subclass may be a mapped GPU buffer.
///
/// Its owner is whoever made it; of what a pool has lent, only `WritablePixels` are written.
open class PixelMemory: @unchecked Sendable {
  // @unchecked: the address is fixed for life; the bytes are written only by the current lessee.
  package let baseAddress: UnsafeMutableRawPointer
  package let byteCount: Int

  package init(baseAddress: UnsafeMutableRawPointer, byteCount: Int) {
    self.baseAddress = baseAddress
    self.byteCount = byteCount
  }
}

/// Blocks of one size, lent as pixel buffers and taken back when the last reference to a buffer
/// goes.
///
/// `lease` is called from one thread; buffers may be let go from any thread, and after the pool. The
/// pool never waits: it makes another block when all are out, and what limits the number are the
/// queues downstream. So after the first frames it allocates no more.
package final class PixelBufferPool<Memory: PixelMemory>: Sendable {
  private let free: FreeList<Memory>
  private let make: @Sendable () throws -> Memory

  /// How the planes lie in each block.
  package let layout: BufferLayout

  /// Makes an empty pool of blocks; `make` must return at least `layout.byteCount` bytes.
  package init(layout: BufferLayout, make: @escaping @Sendable () throws -> Memory) {
    free = FreeList()
    self.layout = layout
    self.make = make
  }

  /// A block to fill, which nobody else holds.
  package func lease() throws -> WritablePixels<Memory> {
    let memory = try free.take() ?? make()
    let free = free
    return WritablePixels(memory, layout: layout) { free.put(memory) }
  }
}

/// The blocks of a pool that nobody holds; any thread may take one and put it back.
final class FreeList<Memory: PixelMemory>: Sendable {
  private let blocks = Mutex<[Memory]>([])

  func take() -> Memory? { blocks.withLock { $0.popLast() } }
  func put(_ memory: Memory) { blocks.withLock { $0.append(memory) } }
}
