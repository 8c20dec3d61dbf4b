import Synchronization

/// The pixels of one frame: the bytes of each plane, at a fixed address until the last reference is
/// released.
///
/// Any thread that holds the buffer may read it; nobody writes it. The thread that releases the last
/// reference runs `release`, which returns memory to its pool or a decoder's frame to the decoder. Pixels that lie
/// in a device's memory are copied from there when somebody first asks for their bytes.
public final class PixelBuffer: Sendable {
  /// The place of a plane in memory.
  public struct Plane: @unchecked Sendable {
    // @unchecked: the pointer is only read through `bytes(ofPlane:)`, and stays valid as long as the
    // buffer lives.
    fileprivate let baseAddress: UnsafeRawPointer
    /// Bytes from the start of one row to the next.
    public let stride: Int
    /// Number of readable bytes.
    public let byteCount: Int

    /// Describes a plane in the caller's memory, which stays valid until `release` runs.
    public init(baseAddress: UnsafeRawPointer, stride: Int, byteCount: Int) {
      self.baseAddress = baseAddress
      self.stride = stride
      self.byteCount = byteCount
    }
  }

  /// The same pixels in the memory of a device; nil if they are in the processor's memory alone.
  public let shared: SharedPicture?
  private let own: [Plane]
  private let release: @Sendable () -> Void
  /// Copies the pixels from the device; nil if they are here.
  private let fetch: (@Sendable () -> PixelBuffer)?
  private let fetched = Mutex<PixelBuffer?>(nil)

  /// Describes pixels in the processor's memory, and where a device has the same ones, if it has.
  public init(
    planes: [Plane], shared: SharedPicture? = nil, release: @escaping @Sendable () -> Void
  ) {
    (own, self.shared, fetch) = (planes, shared, nil)
    self.release = release
  }

  /// Describes pixels that only a device has; `fetch` copies them, at most once, on the first thread that asks for the bytes.
  public init(shared: SharedPicture, fetch: @escaping @Sendable () -> PixelBuffer) {
    (own, self.shared, self.fetch) = ([], shared, fetch)
    release = {}
  }

  deinit { release() }

  /// The planes in the processor's memory.
  public var planes: [Plane] {
    guard let fetch else { return own }
    return fetched.withLock { fetched in
      if let fetched { return fetched.planes }
      let made = fetch()
      fetched = made
      return made.planes
    }
  }

  /// Whether the processor's memory has the pixels.
  public var isHere: Bool { fetch == nil || fetched.withLock { $0 != nil } }

  /// The bytes of a plane, first row first.
  @_lifetime(borrow self)
  public func bytes(ofPlane index: Int) -> RawSpan {
    let plane = planes[index]
    let span = RawSpan(_unsafeStart: plane.baseAddress, byteCount: plane.byteCount)
    return _overrideLifetime(span, borrowing: self)
  }
}

/// Pixels that their only owner is writing; nobody else can read or write them.
///
/// If they are released without `freeze`, the memory goes back to its pool.
public struct WritablePixels<Memory: PixelMemory>: ~Copyable {
  /// The memory of the planes, for callers that let a device write it.
  public let memory: Memory
  /// The layout of the planes in that memory.
  public let layout: BufferLayout
  private let buffer: PixelBuffer

  init(_ memory: Memory, layout: BufferLayout, release: @escaping @Sendable () -> Void) {
    (self.memory, self.layout) = (memory, layout)
    buffer = PixelBuffer(
      planes: layout.planes.map {
        PixelBuffer.Plane(
          baseAddress: memory.baseAddress + $0.offset, stride: $0.stride, byteCount: $0.byteCount)
      },
      shared: memory.descriptor.map { SharedPicture(memory, $0, layout) }, release: release)
  }

  /// Bytes from the start of one row of a plane to the next.
  public func stride(ofPlane index: Int) -> Int { layout.planes[index].stride }

  /// The bytes of a plane, first row first.
  public mutating func withBytes<Result, Failure: Error>(
    ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = layout.planes[index]
    return try body(
      UnsafeMutableRawBufferPointer(
        start: memory.baseAddress + place.offset, count: place.byteCount))
  }

  /// All bytes of the block as a span.
  public var span: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      let span = MutableRawSpan(
        _unsafeStart: memory.baseAddress, byteCount: layout.byteCount)
      return _overrideLifetime(span, mutating: &self)
    }
  }

  /// Ends the writing; the returned pixels are read-only.
  public consuming func freeze() -> PixelBuffer { buffer }
}
