import Frames
import Testing

@testable import GPU

extension OnDevice {
  @Suite("The places of pixels")
  struct PlacementTests {
    static let video = ColorDescription(
      matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
    static let orientations = (0..<8).map { Orientation(quarterTurns: $0 % 4, mirrored: $0 > 3) }

    private static func noise(_ format: PixelFormat, _ width: Int, _ height: Int) -> CodePicture {
      CodePicture(format, width: width, height: height) { part, x, y in
        60 + scrambled(part, x, y) % 130
      }
    }

    @Test("each of the eight orientations is turned upright", arguments: orientations)
    func turned(orientation: Orientation) throws {
      try OnDevice.expectReference(
        Self.noise(.rgba, 7, 5), .sRGB, to: .rgba, orientation: orientation)
      for format in [PixelFormat.yuv420p, .nv12, .uyvy422, .yuv444p] {
        try OnDevice.expectReference(
          Self.noise(format, 23, 13), Self.video, to: .yuv444p, orientation: orientation)
      }
    }

    @Test(
      "odd sizes are complete, and 4:2:0 repeats the last column and row",
      arguments: [(1, 1), (3, 5), (2, 2), (17, 1), (1, 17), (641, 31), (641, 361)])
    func oddSizes(width: Int, height: Int) throws {
      for format in [PixelFormat.yuv420p, .nv12, .yuyv422, .yuv410p, .gray] where width < 100 {
        let picture = Self.noise(format, width, height)
        for sink in [PixelFormat.yuv420p, .yuv422p, .yuv444p, .rgb24] {
          try OnDevice.expectReference(picture, Self.video, to: sink)
        }
      }
      if (width, height) == (641, 31) {
        try OnDevice.expectReference(
          Self.noise(.yuv420p, width, height), Self.video, to: .yuv420p)
      }
      let result = try OnDevice.run(
        Self.noise(.yuv420p, width, height), Self.video, to: .yuv420p)
      #expect(result.width % 2 == 0 && result.height % 2 == 0)
      #expect(result.width - width == width % 2 && result.height - height == height % 2)
      let luma = result.parts[0]
      let repeats = luma.indices.allSatisfy { index in
        let (x, y) = (index % result.width, index / result.width)
        return luma[index] == luma[min(y, height - 1) * result.width + min(x, width - 1)]
      }
      #expect(repeats)
    }

    @Test("rows may have padding", arguments: [0, 1, 6, 64, 100])
    func strides(padding: Int) throws {
      for format in [PixelFormat.yuv420p, .nv12, .rgba, .p010le, .yuyv422] {
        let picture = Self.noise(format, 37, 6)
        let color = format == .rgba ? ColorDescription.sRGB : Self.video
        try OnDevice.expectReference(picture, color, to: .rgb24, padding: padding)
      }
    }

    @Test("a source with the pipeline's own stride is accepted too")
    func ownStride() throws {
      // 37 pixels of 1 byte with a stride of 64.
      try OnDevice.expectReference(
        Self.noise(.gray, 37, 6), .sRGB, to: .rgb24, padding: 64 - 37)
    }

    @Test("a frame smaller than the canvas has black around it")
    func bars() throws {
      let picture = CodePicture(.rgba, width: 5, height: 3) { part, _, _ in
        [250, 130, 70, 255][part]
      }
      for sink in [PixelFormat.rgba, .rgb24] {
        let result = try OnDevice.run(picture, .sRGB, to: sink) {
          ($0.canvasWidth, $0.canvasHeight, $0.x, $0.y) = (11, 8, 4, 2)
        }
        for y in 0..<8 {
          for x in 0..<11 {
            let isInside = 4..<9 ~= x && 2..<5 ~= y
            let wanted = isInside ? [250, 130, 70, 255] : [0, 0, 0, 255]
            let seen = result.parts.map { $0[y * 11 + x] }
            #expect(seen == Array(wanted.prefix(seen.count)))
          }
        }
      }
      let video = try OnDevice.run(picture, .sRGB, to: .yuv420p, sinkColor: Self.video) {
        ($0.canvasWidth, $0.canvasHeight, $0.x, $0.y) = (12, 8, 4, 2)
      }
      #expect(video.parts[0][0] == 16 && video.parts[1][0] == 128 && video.parts[2][0] == 128)
      #expect(video.parts[0][2 * 12 + 4] > 100)
    }
  }
}
