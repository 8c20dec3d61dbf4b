import Frames
import Testing

@testable import GPU
@testable import Render

extension OnDevice {
  /// Tests of the pattern with which frames of many bits become frames of few.
  @Suite("Dither") struct DitherTests {
    private static let video = ColorDescription(
      matrix: .bt709, range: .limited, primaries: 1, transfer: 1)

    /// A gray slope of ten 8-bit codes over 512 columns.
    private static let slope = CodePicture(.gray16le, width: 512, height: 16) { _, x, _ in
      25_700 + x * 2570 / 512
    }

    private static func longestRun(_ row: some Collection<Int>) -> Int {
      var (longest, run) = (0, 0)
      var last: Int?
      for code in row {
        run = code == last ? run + 1 : 1
        (longest, last) = (max(longest, run), code)
      }
      return longest
    }

    @Test(
      "a slope of 16 bits has no bands in 8 bits: areas of 8x8 pixels have the exact mean",
      arguments: [PixelFormat.rgb24, .rgba, .gbrp, .bgr0])
    func slope(format: PixelFormat) throws {
      let color = ColorDescription(matrix: .bt709, range: .full, primaries: 1, transfer: 13)
      let plain = try OnDevice.run(Self.slope, color, to: format, sinkColor: .sRGB)
      let result = try OnDevice.run(
        Self.slope, color, to: format, sinkColor: .sRGB, dithers: true)
      for block in 0..<64 {
        let xs = block * 8..<block * 8 + 8
        let wanted = xs.reduce(0.0) { $0 + Double(Self.slope.parts[0][$1]) / 257 } / 8
        func mean(_ picture: CodePicture) -> Double {
          let sum = (0..<8).reduce(0) { sum, y in
            sum + xs.reduce(0) { $0 + picture.parts[0][y * 512 + $1] }
          }
          return Double(sum) / 64
        }
        #expect(abs(mean(result) - wanted) < 0.05, "\(block)")
      }
      #expect(Self.longestRun(plain.parts[0].prefix(512)) > 45)
      // A row has eight of the 64 thresholds, up to 22/64 of the 51 columns of a code apart.
      #expect(Self.longestRun(result.parts[0].prefix(512)) <= 24)
      #expect(zip(plain.parts[0], result.parts[0]).allSatisfy { abs($0 - $1) <= 1 })
      // Gray stays gray.
      #expect(result.parts[0] == result.parts[1] && result.parts[1] == result.parts[2])
      if format == .rgba { #expect(result.parts[3].allSatisfy { $0 == 255 }) }
    }

    @Test(
      "luma and chroma of video have the exact mean too",
      arguments: [PixelFormat.yuv420p, .yuv422p, .yuv444p])
    func video(format: PixelFormat) throws {
      // 12 bits between two codes of 8: 3/16, 5/16 and 11/16 above.
      let picture = CodePicture(.yuv444p12le, width: 64, height: 32) { part, _, _ in
        [100 * 16 + 3, 120 * 16 + 5, 140 * 16 + 11][part]
      }
      let result = try OnDevice.run(picture, Self.video, to: format, dithers: true)
      for (part, wanted) in zip(result.parts, [100 + 3.0 / 16, 120 + 5.0 / 16, 140 + 11.0 / 16]) {
        #expect(abs(Double(part.reduce(0, +)) / Double(part.count) - wanted) < 0.02)
        #expect(Set(part).count == 2)
      }
    }

    @Test("frames of 8 bits keep their codes on every way, also through textures")
    func identity() throws {
      let picture = CodePicture(.yuv444p, width: 219, height: 64) { part, x, y in
        part == 0 ? 16 + x : 112 + (x + y * part) % 32
      }
      for policy in OnDevice.ways {
        let result = try OnDevice.run(
          picture, Self.video, to: .yuv444p, policy: policy, dithers: true)
        for (part, own) in zip(result.parts, picture.parts) {
          let other = zip(part, own).filter { $0 != $1 }
          #expect(other.isEmpty, "\(other.count) codes, such as \(other.prefix(4)), \(policy)")
        }
      }
    }

    @Test("10 bits that are codes of 8 bits become these codes")
    func codes() throws {
      let picture = CodePicture(.yuv420p10le, width: 64, height: 32) { part, x, y in
        (part == 0 ? 16 + (x * 3 + y) % 220 : 128) * 4
      }
      let result = try OnDevice.run(picture, Self.video, to: .yuv420p, dithers: true)
      #expect(result.parts[0] == picture.parts[0].map { $0 / 4 })
      #expect(result.parts[1].allSatisfy { $0 == 128 })
    }

    @Test("the pattern is the same in every frame, and has 64 thresholds")
    func pattern() throws {
      let picture = CodePicture(.gray16le, width: 8, height: 8) { _, _, _ in 128 * 257 + 128 }
      let color = ColorDescription(matrix: .bt709, range: .full, primaries: 1, transfer: 13)
      let first = try OnDevice.run(picture, color, to: .rgb24, sinkColor: .sRGB, dithers: true)
      let second = try OnDevice.run(picture, color, to: .rgb24, sinkColor: .sRGB, dithers: true)
      #expect(first == second)
      #expect(first.parts[0].count { $0 == 129 } == 32)
    }

    @Test("16 bits keep their codes through the textures between kernels")
    func deep() throws {
      let picture = CodePicture(.gbrp16le, width: 256, height: 4) { part, x, y in
        (x * 257 + y * 61 + part * 17) % 65536
      }
      for policy in OnDevice.ways {
        let result = try OnDevice.run(picture, .sRGB, to: .gbrp16le, policy: policy)
        #expect(result == picture, "\(policy)")
      }
    }
  }
}
