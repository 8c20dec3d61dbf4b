import Glibc

/// A block of memory with a descriptor, as the driver of a device gives it.
package final class SharedBlock: Sendable {
  package let descriptor: Int32
  package let byteCount: Int

  /// - Parameter bytes: What the block holds.
  /// - Throws: If there is no memory for it.
  package init(_ bytes: [UInt8]) throws {
    var path = Array("/dev/shm/kfrec-shared-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    byteCount = bytes.count
    guard descriptor >= 0 else { throw TestSupportError("no block of memory") }
    unlink(path)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TestSupportError("the block of memory is too small")
    }
  }

  deinit { close(descriptor) }
}
