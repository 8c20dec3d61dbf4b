import Frames
import Testing

@testable import GPU

extension OnDevice {
  @Suite("Upload and readback without effects")
  struct IdentityTests {
    static let standards: [ColorDescription] = [
      ColorMatrix.smpte170m, .bt709, .bt2020NonConstant, .smpte240m, .fcc,
    ].flatMap { matrix in
      [ColorRange.limited, .full].map {
        ColorDescription(matrix: matrix, range: $0, primaries: 1, transfer: 1)
      }
    }

    @Test(
      "8-bit RGB is unchanged bit for bit, in every component order",
      arguments: [
        PixelFormat.rgba, .bgra, .argb, .abgr, .rgb0, .bgr0, .gbrp, .gbrap,
      ])
    func rgb(format: PixelFormat) throws {
      // Every code of every component, and alpha that is not opaque.
      let picture = CodePicture(format, width: 256, height: 3) { part, x, y in
        (x * [1, 255, 3, 5][part] + y * 37 + part) & 255
      }
      let result = try OnDevice.run(picture, .sRGB, to: .rgba)
      #expect(Array(result.parts[0..<3]) == Array(picture.parts[0..<3]))
      #expect(
        result.parts[3]
          == (picture.parts.count > 3 ? picture.parts[3] : Array(repeating: 255, count: 768)))
      if picture.parts.count == 3 {
        #expect(try OnDevice.run(picture, .sRGB, to: .rgb24).parts == picture.parts)
      }
    }

    @Test(
      "8-bit RGB gets into every component order bit for bit",
      arguments: [PixelFormat.bgra, .argb, .abgr, .rgb0, .bgr0, .gbrp, .gbrap])
    func orders(sink: PixelFormat) throws {
      let picture = CodePicture(.rgba, width: 61, height: 5) { part, x, y in
        part == 3 ? 255 : scrambled(part, x, y) & 255
      }
      let result = try OnDevice.run(picture, .sRGB, to: sink)
      #expect(result.parts == Array(picture.parts.prefix(result.parts.count)))
    }

    @Test("a transparent pixel does not colour the chroma that it shares with an opaque one")
    func chromaBesideTransparency() throws {
      // Opaque red beside transparent green, and a whole block that is transparent.
      let picture = CodePicture(.rgba, width: 8, height: 2) { part, x, _ in
        x < 3 ? [255, 0, 0, 255][part] : [0, 255, 0, 0][part]
      }
      let opaque = CodePicture(.rgba, width: 8, height: 2) { part, _, _ in [255, 0, 0, 255][part] }
      let color = ColorDescription(
        matrix: .bt709, range: .limited, primaries: 1, transfer: 1, chromaSiting: .center)
      let result = try OnDevice.run(picture, .sRGB, to: .yuva420p, sinkColor: color)
      let red = try OnDevice.run(opaque, .sRGB, to: .yuva420p, sinkColor: color)
      #expect(Array(result.parts[1][0..<2]) == Array(red.parts[1][0..<2]))
      #expect(Array(result.parts[2][0..<2]) == Array(red.parts[2][0..<2]))
      #expect(Array(result.parts[3][0..<4]) == [255, 255, 255, 0])
    }

    @Test("8-bit gray is unchanged bit for bit")
    func gray() throws {
      var color = ColorDescription.sRGB
      let picture = CodePicture(.gray, width: 256, height: 2) { _, x, _ in x }
      let result = try OnDevice.run(picture, color, to: .rgb24)
      #expect(result.parts == Array(repeating: picture.parts[0], count: 3))
      color.range = .limited
      color.matrix = .bt709
      let video = try OnDevice.run(picture, color, to: .yuv420p)
      #expect(video.parts[0] == picture.parts[0])
      #expect(Set(video.parts[1] + video.parts[2]) == [128])
    }

    @Test("4:4:4 YCbCr is unchanged bit for bit, in and out of the RGB gamut", arguments: standards)
    func yuv444(color: ColorDescription) throws {
      // All 256 luma codes with 18 x 18 chroma codes over the whole range.
      let levels = (0..<18).map { $0 * 15 }
      let picture = CodePicture(.yuv444p, width: 256, height: 324) { part, x, y in
        [x, levels[y / 18], levels[y % 18]][part]
      }
      let result = try OnDevice.run(picture, color, to: .yuv444p)
      #expect(result.parts == picture.parts)
    }

    @Test(
      "luma is unchanged bit for bit, and chroma matches the reference",
      arguments: [
        PixelFormat.yuv420p, .yuv422p, .yuv444p, .yuva420p, .yuva422p, .yuva444p, .nv12, .nv21,
        .nv16, .nv24, .nv42, .yuyv422, .uyvy422, .yvyu422, .yuv410p, .yuv411p, .yuv440p,
      ])
    func subsampled(format: PixelFormat) throws {
      let color = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      // Random codes near the middle: mostly out of the gamut, some in it.
      let picture = CodePicture(format, width: 42, height: 18) { part, x, y in
        part == 3 ? 255 : 40 + scrambled(part, x, y) % 176
      }
      let sink: PixelFormat =
        switch format.layout.chromaSubsampling {
        case (2, 2): .yuv420p
        case (2, 1): .yuv422p
        default: .yuv444p
        }
      let result = try OnDevice.run(picture, color, to: sink)
      #expect(result.parts[0] == picture.parts[0])
      if format.layout.chromaSubsampling == (1, 1) {
        #expect(result.parts[1...] == picture.parts[1...2])
      }
      try OnDevice.expectReference(picture, color, to: sink)
    }

    @Test(
      "every chroma siting is distinct",
      arguments: [
        ChromaSiting.left, .center, .topLeft, .top, .bottomLeft, .bottom,
      ])
    func siting(siting: ChromaSiting) throws {
      let color = ColorDescription(
        matrix: .smpte170m, range: .full, primaries: 6, transfer: 6, chromaSiting: siting)
      for (format, sink) in [
        (PixelFormat.yuv420p, PixelFormat.yuv444p), (.yuv420p, .yuv420p), (.yuv410p, .yuv444p),
        (.yuyv422, .yuv444p), (.yuv440p, .yuv444p), (.yuv444p, .yuv420p), (.yuv444p, .yuv422p),
      ] {
        let picture = CodePicture(format, width: 22, height: 14) { part, x, y in
          part == 0 ? 128 : 64 + scrambled(part, x, y) % 128
        }
        try OnDevice.expectReference(picture, color, to: sink)
      }
    }

    @Test(
      "a source of more than 8 bits is rounded once",
      arguments: [
        PixelFormat.yuv420p10le, .yuv422p10le, .yuv444p10le, .yuva444p10le, .yuv420p12le,
        .yuv422p12le, .yuv444p12le, .yuva444p12le, .yuv420p16le, .yuv422p16le, .yuv444p16le,
        .yuva444p16le, .p010le, .p016le, .gbrp10le, .gbrp12le, .gbrp16le, .gbrap16le, .gray10le,
        .gray12le, .gray16le, .rgba64le,
      ])
    func deep(format: PixelFormat) throws {
      let layout = format.layout
      let picture = CodePicture(format, width: 70, height: 10) { part, x, y in
        scrambled(part, x, y) % (layout.maximumCode + 1)
      }
      let isRGB = layout.model == .rgb
      let color =
        isRGB
        ? ColorDescription.sRGB
        : ColorDescription(
          matrix: .bt2020NonConstant, range: .limited, primaries: 9, transfer: 14)
      try OnDevice.expectReference(picture, color, to: .rgba)
      if !isRGB { try OnDevice.expectReference(picture, color, to: .yuv420p) }
    }

    @Test(
      "planes with both parts of chroma hold the samples of planes apart",
      arguments: [PixelFormat.nv12, .p010le], [ChromaSiting.left, .center, .topLeft])
    func together(sink: PixelFormat, siting: ChromaSiting) throws {
      let color = ColorDescription(
        matrix: .bt709, range: .limited, primaries: 1, transfer: 1, chromaSiting: siting)
      let planar = try #require(sink.planar)
      for (width, height) in [(2, 2), (62, 34), (71, 19)] {
        let picture = CodePicture(.rgba64le, width: width, height: height) { part, x, y in
          part == 3 ? 0xFFFF : scrambled(part, x, y) & 0xFFFF
        }
        for dithers in [false, true] {
          let result = try OnDevice.run(
            picture, .sRGB, to: sink, sinkColor: color, dithers: dithers)
          let expected = try OnDevice.run(
            picture, .sRGB, to: planar, sinkColor: color, dithers: dithers)
          #expect(result.parts == expected.parts, "\(width)x\(height), dithered: \(dithers)")
        }
      }
      let bars = try OnDevice.run(
        CodePicture(.rgba, width: 40, height: 20) { part, x, y in 100 + x * part + y }, .sRGB,
        to: sink,
        sinkColor: color
      ) { ($0.width, $0.x) = (30, 4) }
      let expected = try OnDevice.run(
        CodePicture(.rgba, width: 40, height: 20) { part, x, y in 100 + x * part + y }, .sRGB,
        to: planar,
        sinkColor: color
      ) { ($0.width, $0.x) = (30, 4) }
      #expect(bars.parts == expected.parts && Set(bars.parts[1]).count > 1)
    }

    @Test("an opaque sink has alpha over black")
    func alphaOverBlack() throws {
      let picture = CodePicture(.rgba, width: 256, height: 2) { part, x, y in
        part == 3 ? x : [200, 255, 90][part]
      }
      try OnDevice.expectReference(picture, .sRGB, to: .rgb24)
      let video = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
      try OnDevice.expectReference(picture, .sRGB, to: .yuv444p, sinkColor: video)
    }
  }
}
