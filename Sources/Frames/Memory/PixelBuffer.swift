/// The pixels of one frame: a run of bytes for each plane, and the promise that they stay put until
/// the last reference goes.
///
/// Whoever holds the buffer may read it from any thread; nobody writes it. When the last reference goes,
/// `release` runs, on whatever thread that is: it gives memory back to its pool or a decoder's frame back
/// to the decoder.
package final class PixelBuffer: Sendable {
  /// Where a plane lies.
  package struct Plane: @unchecked Sendable {
    // @unchecked: the pointer is only read through `bytes(ofPlane:)`, and stays valid for the
    // buffer's life.
    fileprivate let baseAddress: UnsafeRawPointer
    /// Bytes from a row to the next.
    package let stride: Int
    /// Bytes that may be read.
    package let byteCount: Int

    /// A plane in memory that the caller owns: it stays where it is until `release` runs.
    package init(baseAddress: UnsafeRawPointer, stride: Int, byteCount: Int) {
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
    let span = RawSpan(_unsafeStart: plane.baseAddress, byteCount: plane.byteCount)
    return _overrideLifetime(span, borrowing: self)
  }
}

/// Pixels that are being written, by the one who has them; nobody else can read or write them.
///
/// Let go without `freeze`, the memory goes back to its pool.
package struct WritablePixels<Memory: PixelMemory>: ~Copyable {
  /// What the planes lie in, for those who have a device write it.
  package let memory: Memory
  /// How the planes lie in it.
  package let layout: BufferLayout
  private let buffer: PixelBuffer

  init(_ memory: Memory, layout: BufferLayout, release: @escaping @Sendable () -> Void) {
    (self.memory, self.layout) = (memory, layout)
    buffer = PixelBuffer(
      planes: layout.planes.map {
        PixelBuffer.Plane(
          baseAddress: memory.baseAddress + $0.offset, stride: $0.stride, byteCount: $0.byteCount)
      },
      release: release)
  }

  /// Bytes from a row of a plane to the next.
  package func stride(ofPlane index: Int) -> Int { layout.planes[index].stride }

  /// The bytes of a plane, first row first.
  package mutating func withBytes<Result, Failure: Error>(
    ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = layout.planes[index]
    return try body(
      UnsafeMutableRawBufferPointer(
        start: memory.baseAddress + place.offset, count: place.byteCount))
  }

  /// The same as a span.
  package var span: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      let span = MutableRawSpan(
        _unsafeStart: memory.baseAddress, byteCount: layout.byteCount)
      return _overrideLifetime(span, mutating: &self)
    }
  }

  /// Ends the writing: from now on the pixels are read only.
  package consuming func freeze() -> PixelBuffer { buffer }
}
