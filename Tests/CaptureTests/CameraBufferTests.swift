import CV4L2
import Frames
import Glibc
import TestSupport
import Testing

@testable import Capture
import V4L2Handles

@Suite("A camera's buffer")
struct CameraBufferTests {
  /// A simulated driver's memory: two planes with rows of 64 bytes.
  private final class Driver {
    let memory: MappedBuffers
    let returns = CameraBuffer.Returns()
    let path: String
    private let folder: TemporaryFolder
    private let file: Int32

    static let page = Int(getpagesize())

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path + "/buffers"
      file = open(path, O_RDWR | O_CREAT, 0o600)
      try #require(file >= 0 && ftruncate(file, off_t(2 * Driver.page)) == 0)
      memory = try MappedBuffers(
        [
          [
            .init(offset: 0, byteCount: Driver.page),
            .init(offset: Driver.page, byteCount: Driver.page / 2),
          ]
        ], descriptor: file)
      for (index, plane) in memory.planes[0].enumerated() {
        for place in plane.indices { plane[place] = UInt8(10 + index) }
      }
    }

    deinit { close(file) }

    /// Overwrites the memory, as a driver does with a buffer that was given back.
    func overwrite() throws {
      let bytes = [UInt8](repeating: 99, count: 2 * Driver.page)
      try #require(pwrite(file, bytes, bytes.count, 0) == bytes.count)
    }

    func buffer(mayBeKept: Bool = true, bytesUsed: [Int]? = nil) -> CameraBuffer {
      var filled = v4l2_buffer()
      filled.sequence = 7
      var planes = memory.planes[0].enumerated().map { index, plane in
        var filled = v4l2_plane()
        filled.bytesused = UInt32(bytesUsed?[index] ?? plane.count)
        return filled
      }
      return planes.withUnsafeMutableBufferPointer {
        CameraBuffer(
          filled, planes: $0, memory: memory, mayBeKept: mayBeKept, returns: returns)
      }
    }

    /// The layout of an NV12 frame that fills the buffer.
    func layout() -> CameraLayout {
      CameraLayout(
        .nv12, order: [0, 1], isApart: true, width: 64, height: Driver.page / 64,
        strides: [64, 64])
    }
  }

  @Test("a frame uses the driver's buffer, which goes back to the driver when the frame is freed")
  func inPlace() throws {
    let driver = try Driver()
    var buffer: CameraBuffer? = driver.buffer()
    #expect(buffer?.sequence == 7)
    var pixels = buffer.flatMap { driver.layout().pixels(in: $0) }
    buffer = nil
    #expect(driver.returns.takeAll().isEmpty)
    for (index, memory) in driver.memory.planes[0].enumerated() {
      let plane = try #require(pixels?.planes[index])
      let address = pixels?.bytes(ofPlane: index).withUnsafeBytes { $0.baseAddress }
      #expect(address == memory.baseAddress.map { UnsafeRawPointer($0) } && plane.stride == 64)
      #expect(plane.byteCount == memory.count)
    }
    pixels = nil
    #expect(driver.returns.takeAll() == [0])
    #expect(driver.returns.takeAll().isEmpty)
  }

  @Test("a frame stays readable after the device is closed, and so do some bytes behind its end")
  func outlives() throws {
    let driver = try Driver()
    let pixels = try #require(driver.layout().pixels(in: driver.buffer()))
    func isMapped() throws -> Bool {
      String(decoding: try readFile("/proc/self/maps"), as: UTF8.self).contains(driver.path)
    }
    #expect(try isMapped())
    driver.memory.detach(keeping: [true])
    #expect(try !isMapped())
    try driver.overwrite()
    let count = pixels.planes[0].byteCount
    let address = pixels.bytes(ofPlane: 0).withUnsafeBytes { $0.baseAddress }
    let luma = try #require(address)
    #expect(luma.load(fromByteOffset: count - 1, as: UInt8.self) == 10)
    #expect(luma.load(fromByteOffset: count + 63, as: UInt8.self) == 0)
  }

  @Test(
    "a buffer that is scarce, short or has unaligned rows is not used in place")
  func copied() throws {
    let driver = try Driver()
    #expect(driver.layout().pixels(in: driver.buffer(mayBeKept: false)) == nil)
    let short = driver.buffer(bytesUsed: [Driver.page, Driver.page / 2 - 1])
    #expect(driver.layout().pixels(in: short) == nil)
    let odd = CameraLayout(
      .nv12, order: [0, 1], isApart: true, width: 40, height: 16, strides: [40, 40])
    #expect(odd.pixels(in: driver.buffer()) == nil)
  }
}
