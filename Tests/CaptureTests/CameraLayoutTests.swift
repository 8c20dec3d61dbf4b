import CFFmpeg
import Frames
import Testing

@testable import Capture
import V4L2Handles

@Suite("A camera's frame in memory")
struct CameraLayoutTests {
  private func planes(
    _ format: PixelFormat, order: [Int]? = nil, isApart: Bool = false, width: Int, height: Int,
    strides: [Int]
  ) -> [[Int]] {
    CameraLayout(
      format, order: order ?? Array(format.layout.planes.indices), isApart: isApart, width: width,
      height: height, strides: strides
    ).planes.map { [$0.memory, $0.offset, $0.stride, $0.rowBytes, $0.rows] }
  }

  @Test("planes lie one after the other with strides in proportion, as V4L2 defines it")
  func contiguous() {
    #expect(
      planes(.nv12, width: 642, height: 362, strides: [704])
        == [[0, 0, 704, 642, 362], [0, 704 * 362, 704, 642, 181]])
    #expect(
      planes(.yuv420p, width: 640, height: 360, strides: [768])
        == [[0, 0, 768, 640, 360], [0, 276_480, 384, 320, 180], [0, 345_600, 384, 320, 180]])
    #expect(
      planes(.nv24, width: 64, height: 2, strides: [80])
        == [[0, 0, 80, 64, 2], [0, 160, 160, 128, 2]])
    #expect(planes(.yuyv422, width: 640, height: 2, strides: [2048]) == [[0, 0, 2048, 1280, 2]])
    // A driver that gives no stride means rows without padding.
    #expect(planes(.gray, width: 33, height: 2, strides: [0]) == [[0, 0, 33, 33, 2]])
  }

  @Test("YV12 has red before blue, which is another order of the same planes")
  func order() {
    let yv12 = planes(.yuv420p, order: [0, 2, 1], width: 4, height: 2, strides: [4])
    #expect(yv12 == [[0, 0, 4, 4, 2], [0, 10, 2, 2, 1], [0, 8, 2, 2, 1]])
  }

  @Test("a row without its last chroma sample repeats the sample before")
  func evenRows() throws {
    // 6 pixels have 3 chroma samples; the driver gives rows of 2.
    let layout = CameraLayout(
      .yuv420p, order: [0, 1, 2], isApart: false, width: 6, height: 2, strides: [6], isEven: true)
    #expect(layout.planes.map(\.stride) == [6, 2, 2])
    #expect(layout.planes.map(\.end).max() == 16)
    let target = BufferLayout(pixelFormat: .yuv420p, width: 6, height: 2)
    let pool = PixelBufferPool(layout: target) { HeapMemory(byteCount: target.byteCount) }
    try (0..<16).map { UInt8($0) }.withUnsafeBytes { bytes in
      let pixels = try #require(try layout.copy([bytes], from: pool))
      let red = pixels.bytes(ofPlane: 2).withUnsafeBytes { Array($0.prefix(3)) }
      #expect(red == [14, 15, 15])
    }
  }

  @Test("multi-planar formats have separate planes, each with its own stride")
  func apart() {
    #expect(
      planes(.nv12, isApart: true, width: 6, height: 4, strides: [8, 16])
        == [[0, 0, 8, 6, 4], [1, 0, 16, 6, 2]])
    #expect(
      planes(.yuv420p, order: [0, 2, 1], isApart: true, width: 4, height: 2, strides: [4, 3, 2])
        == [[0, 0, 4, 4, 2], [2, 0, 2, 2, 1], [1, 0, 3, 2, 1]])
  }

  @Test("a frame is copied without padding, and a buffer that ends early is refused")
  func copy() throws {
    let layout = CameraLayout(
      .yuv420p, order: [0, 2, 1], isApart: false, width: 5, height: 3, strides: [8])
    let target = BufferLayout(pixelFormat: .yuv420p, width: 5, height: 3)
    let pool = PixelBufferPool(layout: target) { HeapMemory(byteCount: target.byteCount) }
    // 3 rows of 8, then 2 rows of 4 of Cr and of Cb.
    let bytes = (0..<40).map { UInt8($0) }
    try bytes.withUnsafeBytes { bytes in
      let pixels = try #require(try layout.copy([bytes], from: pool))
      func row(_ plane: Int, _ row: Int, _ count: Int) -> [UInt8] {
        let start = row * pixels.planes[plane].stride
        return pixels.bytes(ofPlane: plane).withUnsafeBytes { Array($0[start..<start + count]) }
      }
      #expect(row(0, 2, 5) == [16, 17, 18, 19, 20])
      #expect(row(1, 0, 3) == [32, 33, 34] && row(1, 1, 3) == [36, 37, 38])
      #expect(row(2, 0, 3) == [24, 25, 26] && row(2, 1, 3) == [28, 29, 30])
      let whole = try layout.copy([UnsafeRawBufferPointer(rebasing: bytes[..<39])], from: pool)
      #expect(whole != nil)
      let short = try layout.copy([UnsafeRawBufferPointer(rebasing: bytes[..<38])], from: pool)
      #expect(short == nil)
      #expect(try layout.copy([], from: pool) == nil)
    }
  }

  @Test(
    "the colour tags are those of V4L2's fields, and V4L2's defaults where a field is 0",
    arguments: [
      // Input: colorspace, encoding, quantization, transfer. Result: matrix, range, primaries, transfer.
      ("YUYV", [0, 0, 0, 0], [6, 1, 1, 13]), ("YUYV", [8, 0, 0, 0], [6, 1, 1, 13]),
      ("YUYV", [1, 0, 0, 0], [6, 1, 6, 6]), ("YUYV", [3, 0, 0, 0], [1, 1, 1, 1]),
      ("YUYV", [3, 1, 1, 2], [6, 2, 1, 13]), ("YUYV", [7, 0, 0, 0], [6, 2, 1, 13]),
      ("YUYV", [10, 0, 0, 7], [9, 1, 9, 16]), ("YUYV", [2, 0, 0, 0], [7, 1, 7, 7]),
      ("YUYV", [12, 0, 0, 0], [1, 1, 11, 17]), ("YUYV", [8, 4, 0, 0], [1, 1, 1, 13]),
      ("GREY", [8, 0, 0, 0], [6, 2, 1, 13]), ("RGB3", [8, 0, 0, 0], [0, 2, 1, 13]),
      ("RGB3", [3, 0, 2, 0], [0, 1, 1, 1]),
    ] as [(String, [UInt32], [UInt8])])
  func colors(_ format: String, _ fields: [UInt32], _ expected: [UInt8]) throws {
    let source = try #require(CameraFormat.codes(named: format).first.flatMap(CameraFormat.of))
    let color = try ColorDescription(
      CameraColorFields(
        colorspace: fields[0], encoding: fields[1], quantization: fields[2], transfer: fields[3]),
      format: source, overrides: ColorTags(), name: "a camera")
    #expect(
      [color.matrix.rawValue, color.range.rawValue, color.primaries, color.transfer] == expected)
    #expect(color.chromaSiting == .center)
  }

  @Test("constant luminance is refused, unless the user gives a matrix")
  func constantLuminance() throws {
    let source = try #require(CameraFormat.of(FourCC("YUYV")))
    let fields = CameraColorFields(colorspace: 10, encoding: 7)
    #expect(throws: CaptureError.self) {
      try ColorDescription(fields, format: source, overrides: ColorTags(), name: "a camera")
    }
    let reported = try ColorDescription(
      fields, format: source, overrides: ColorTags(matrix: .bt709), name: "a camera")
    #expect(reported.matrix == .bt709)
  }
}
