import Testing

@testable import Frames

@Suite("The colour tags assumed for untagged frames")
struct ColorDefaultsTests {
  @Test(
    "YCbCr is BT.709 from width 1280 or height above 576, else BT.601",
    arguments: [
      (1280, 720, ColorMatrix.bt709, 1, 1), (1279, 576, .bt470bg, 5, 6), (720, 577, .bt709, 1, 1),
      (720, 576, .bt470bg, 5, 6), (720, 480, .smpte170m, 6, 6), (1280, 2, .bt709, 1, 1),
      (640, 360, .smpte170m, 6, 6), (720, 608, .bt470bg, 5, 6), (3840, 2160, .bt709, 1, 1),
      (1, 1, .smpte170m, 6, 6),
    ] as [(Int, Int, ColorMatrix, UInt8, UInt8)])
  func sizeRule(
    width: Int, height: Int, matrix: ColorMatrix, primaries: UInt8, transfer: UInt8
  ) {
    let color = ColorDescription(
      tags: ColorTags(), pixelFormat: .yuv420p, width: width, height: height)
    #expect(
      color
        == ColorDescription(
          matrix: matrix, range: .limited, primaries: primaries, transfer: transfer,
          chromaSiting: .left))
  }

  @Test("RGB is full-range sRGB, whatever its size and its YCbCr tags")
  func rgb() {
    for format in [PixelFormat.rgba, .gbrp, .rgba64le, .bgr0] {
      let color = ColorDescription(
        tags: ColorTags(matrix: .bt709, range: .limited), pixelFormat: format, width: 64,
        height: 64)
      #expect(color == .sRGB)
    }
  }

  @Test("gray is full range unless tagged, and a matrix tag of RGB on YCbCr is ignored")
  func oddTags() {
    let gray = ColorDescription(tags: ColorTags(), pixelFormat: .gray, width: 64, height: 64)
    #expect(gray.range == .full && gray.matrix == .smpte170m)
    let video = ColorDescription(
      tags: ColorTags(matrix: .rgb, range: .limited), pixelFormat: .gray, width: 1280, height: 720)
    #expect(video.range == .limited && video.matrix == .bt709)
  }

  @Test("tags are kept; full range without a siting has centred chroma")
  func tagged() {
    let tags = ColorTags(
      matrix: .bt2020NonConstant, range: .full, primaries: 9, transfer: 16)
    var color = ColorDescription(tags: tags, pixelFormat: .yuv420p10le, width: 64, height: 64)
    #expect(
      color
        == ColorDescription(
          matrix: .bt2020NonConstant, range: .full, primaries: 9, transfer: 16,
          chromaSiting: .center))
    #expect(color.isHighDynamicRange)
    var sited = tags
    sited.chromaSiting = .topLeft
    color = ColorDescription(tags: sited, pixelFormat: .yuv420p10le, width: 64, height: 64)
    #expect(color.chromaSiting == .topLeft)
  }
}
