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

  @Test("a block is used again after its buffer is released")
  func reuse() throws {
    let made = Log()
    let pool = Self.pool(noting: made)
    for _ in 0..<100 {
      let first = try pool.lease()
      let second = try pool.lease()
      let isOther = first.memory !== second.memory
      #expect(isOther)
      withExtendedLifetime((first.freeze(), second.freeze())) {}
    }
    #expect(made.numbers.count == 2)
  }

  @Test("the planes are placed as the layout says")
  func placing() throws {
    var writable = try Self.pool(noting: Log()).lease()
    let base = writable.memory.baseAddress
    writable.withBytes(ofPlane: 0) { $0[0] = 42 }
    var span = writable.span
    span.storeBytes(of: 43, toByteOffset: Self.layout.planes[1].offset, as: UInt8.self)
    let pixels = writable.freeze()
    for (index, place) in Self.layout.planes.enumerated() {
      let plane = pixels.planes[index]
      let address = pixels.bytes(ofPlane: index).withUnsafeBytes { $0.baseAddress }
      #expect(address == UnsafeRawPointer(base + place.offset))
      #expect(plane.stride == place.stride && plane.byteCount == place.byteCount)
      #expect(Int(bitPattern: address) % 64 == 0)
    }
    #expect(pixels.bytes(ofPlane: 0).unsafeLoad(as: UInt8.self) == 42)
    #expect(pixels.bytes(ofPlane: 1).unsafeLoad(as: UInt8.self) == 43)
  }

  @Test("a block that was never frozen goes back to the pool")
  func notFrozen() throws {
    let made = Log()
    let pool = Self.pool(noting: made)
    for _ in 0..<5 { _ = try pool.lease() }
    #expect(made.numbers.count == 1)
  }

  @Test("a block goes back to the pool from another thread")
  func otherThread() throws {
    let made = Log()
    let pool = Self.pool(noting: made)
    let queue = BoundedQueue<PixelBuffer>(capacity: 1)
    let receiver = try WorkerThread(name: "receiver") { while queue.receive() != nil {} }
    for _ in 0..<500 { queue.send(try pool.lease().freeze()) }
    queue.close()
    receiver.join()
    // One is being sent, one is queued, one is with the receiver, one is on its way back.
    #expect(made.numbers.count <= 4)
  }

  @Test("buffers may outlive their pool")
  func outlived() throws {
    var pool: PixelBufferPool<HeapMemory>? = Self.pool(noting: Log())
    weak var memory: HeapMemory?
    var pixels: PixelBuffer?
    do {
      var lent = try #require(pool).lease()
      lent.withBytes(ofPlane: 0) { $0[0] = 7 }
      memory = lent.memory
      pixels = lent.freeze()
    }
    pool = nil
    #expect(memory != nil)
    #expect(pixels?.bytes(ofPlane: 0).unsafeLoad(as: UInt8.self) == 7)
    pixels = nil
    #expect(memory == nil)
  }

  @Test("an allocation error is thrown, and the pool works again after it")
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
