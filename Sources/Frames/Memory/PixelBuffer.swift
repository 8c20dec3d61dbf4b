/// The pixels of one frame: a run of bytes for each plane, and the promise that they stay put until
/// the last reference goes.
///
/// Whoever holds the buffer may read it from any thread; it is written only before it is handed on.
/// When the last reference goes, `release` runs, on whatever thread that is: it gives memory back to
/// its pool or a decoder's frame back to the decoder.
package final class PixelBuffer: Sendable {
  /// Where a plane lies.
  package struct Plane: @unchecked Sendable {
    // @unchecked: the pointer is only read through `bytes(ofPlane:)`, and stays valid for the
    // buffer's life.
    package let baseAddress: UnsafeMutableRawPointer
    /// Bytes from a row to the next.
    package let stride: Int
    /// Bytes that may be read from `baseAddress`.
    package let byteCount: Int

    package init(baseAddress: UnsafeMutableRawPointer, stride: Int, byteCount: Int) {
      self.baseAddress = baseAddress
      self.stride = stride
      self.byteCount = byteCount
    }
  }

  package let planes: [Plane]
  private let release: @Sendable () -> Void

  package init(planes: [Plane], release: @escaping @Sendable () -> Void) {
    self.planes = planes
    self.release = release
  }

  deinit { release() }

  /// The bytes of a plane, first row first.
  @_lifetime(borrow self)
  package func bytes(ofPlane index: Int) -> RawSpan {
    let plane = planes[index]
    let span = RawSpan(
      _unsafeStart: UnsafeRawPointer(plane.baseAddress), byteCount: plane.byteCount)
    return _overrideLifetime(span, borrowing: self)
  }
}
