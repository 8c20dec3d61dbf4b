import Testing

@testable import Frames

@Suite("A pool of pixel buffers")
struct PixelBufferPoolTests {
  private static let layout = BufferLayout(pixelFormat: .yuv420p, width: 66, height: 6)

  private static func pool(noting made: Log) -> PixelBufferPool<HeapMemory> {
    PixelBufferPool(layout: layout) {
      made.add(layout.byteCount)
      return HeapMemory(byteCount: layout.byteCount)
    }
  }

  @Test("lends the same block again once its buffer is let go")
  func reuse() throws {
    let made = Log()
    let pool = Self.pool(noting: made)
    for _ in 0..<100 {
      let first = try pool.lease()
      let second = try pool.lease()
      #expect(first.memory !== second.memory)
      withExtendedLifetime((first.pixels, second.pixels)) {}
    }
    #expect(made.numbers.count == 2)
  }

  @Test("places the planes as the layout says")
  func placing() throws {
    let (memory, pixels) = try Self.pool(noting: Log()).lease()
    for (plane, place) in zip(pixels.planes, Self.layout.planes) {
      #expect(plane.baseAddress == memory.baseAddress + place.offset)
      #expect(plane.stride == place.stride && plane.byteCount == place.byteCount)
      #expect(Int(bitPattern: plane.baseAddress) % 64 == 0)
    }
    memory.baseAddress.storeBytes(of: 42, as: UInt8.self)
    #expect(pixels.bytes(ofPlane: 0).unsafeLoad(as: UInt8.self) == 42)
  }

  @Test("takes a block back from another thread")
  func otherThread() throws {
    let made = Log()
    let pool = Self.pool(noting: made)
    let queue = BoundedQueue<PixelBuffer>(capacity: 1)
    let receiver = try WorkerThread(name: "receiver") { while queue.receive() != nil {} }
    for _ in 0..<500 { queue.send(try pool.lease().pixels) }
    queue.close()
    receiver.join()
    // One being sent, one in the queue, one with the receiver, one on its way back.
    #expect(made.numbers.count <= 4)
  }

  @Test("is outlived by its buffers")
  func outlived() throws {
    var pool: PixelBufferPool<HeapMemory>? = Self.pool(noting: Log())
    weak var memory: HeapMemory?
    var pixels: PixelBuffer?
    if let lent = try pool?.lease() {
      lent.memory.baseAddress.storeBytes(of: 7, as: UInt8.self)
      (memory, pixels) = (lent.memory, lent.pixels)
    }
    pool = nil
    #expect(memory != nil)
    #expect(pixels?.bytes(ofPlane: 0).unsafeLoad(as: UInt8.self) == 7)
    pixels = nil
    #expect(memory == nil)
  }

  @Test("hands on the error when no block can be made, and works again after it")
  func failing() throws {
    struct NoMemory: Error {}
    let fails = Flag(true)
    let pool = PixelBufferPool<HeapMemory>(layout: Self.layout) {
      if fails.value { throw NoMemory() }
      return HeapMemory(byteCount: Self.layout.byteCount)
    }
    #expect(throws: NoMemory.self) { _ = try pool.lease() }
    fails.value = false
    _ = try pool.lease()
  }
}
