import Glibc

/// A block of the process's own memory, aligned for SIMD, which a pool may lend.
public final class HeapMemory: PixelMemory, @unchecked Sendable {
  // @unchecked: for the same reason as PixelMemory.

  /// Allocates `byteCount` bytes at an address that is a multiple of 64.
  public init(byteCount: Int) {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: 64)
    super.init(baseAddress: bytes, byteCount: byteCount)
  }

  deinit { baseAddress.deallocate() }
}
