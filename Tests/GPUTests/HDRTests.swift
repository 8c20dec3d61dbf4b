import Foundation
import Frames
import Testing

@testable import GPU
@testable import Render

extension OnDevice {
  /// Tests of the map from HDR to SDR, against formulas that the test computes itself.
  @Suite("HDR to SDR") struct HDRTests {
    private static let sdr = ColorDescription(matrix: .rgb, range: .full, primaries: 1, transfer: 1)

    private static func hdr(
      _ transfer: UInt8, matrix: ColorMatrix = .bt2020NonConstant, peak: Int? = nil
    ) -> ColorDescription {
      var color = ColorDescription(
        matrix: matrix, range: matrix == .rgb ? .full : .limited, primaries: 9, transfer: transfer)
      if let peak {
        color.hdr = HDRMetadata(content: .init(largest: peak, largestMean: 0))
      }
      return color
    }

    /// Colours as coded values: grays of 0.1 to 10000 cd/m², and primaries, secondaries and pale colours at some levels.
    private static let colors: [[Double]] = {
      let grays = (0...255).map { [Double](repeating: Double($0) / 255, count: 3) }
      let levels = [0.1, 1, 10, 50, 100, 203, 400, 1000, 4000, 10_000].map(HDRReference.pqCode)
      let hues: [[Double]] = [
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0.9, 0.8],
        [0.5, 0.7, 1],
      ]
      return grays + levels.flatMap { level in hues.map { hue in hue.map { $0 * level } } }
    }()

    /// The colours as an image of 16-bit RGB.
    private static let picture = CodePicture(.gbrp16le, width: colors.count, height: 1) {
      part, x, _ in
      Int((colors[x][part] * 65535).rounded())
    }

    private func mapped(
      _ color: ColorDescription, policy: FusionPolicy? = nil
    ) throws -> [[Double]] {
      let result = try OnDevice.run(
        Self.picture, color, to: .gbrp16le, sinkColor: Self.sdr, policy: policy)
      return (0..<result.width).map { x in result.parts.map { Double($0[x]) / 65535 } }
    }

    @Test(
      "every colour is the one of the formulas within a tenth of an 8-bit code",
      arguments: [
        (16, nil, 1000), (16, 100, 203), (16, 600, 600), (16, 1000, 1000), (16, 4000, 4000),
        (16, 10_000, 10_000), (18, nil, 1000),
      ] as [(UInt8, Int?, Double)])
    func formulas(transfer: UInt8, stated: Int?, peak: Double) throws {
      let color = Self.hdr(transfer, matrix: .rgb, peak: stated)
      for policy in [FusionPolicy.plain] + OnDevice.ways.suffix(1) {
        let results = try mapped(color, policy: policy)
        for (result, source) in zip(results, Self.colors) {
          let rounded = source.map { ($0 * 65535).rounded() / 65535 }
          let wanted = HDRReference.standard(rounded, isPQ: transfer == 16, peak: peak)
          let worst = zip(result, wanted).map { abs($0 - $1) }.max() ?? 1
          #expect(worst * 255 < 0.1, "\(source) becomes \(result) and not \(wanted), \(policy)")
        }
      }
    }

    @Test("grays stay gray, rise without a step back, and reach white at the peak and not before")
    func grays() throws {
      let results = try mapped(Self.hdr(16, matrix: .rgb)).prefix(256)
      for (before, after) in zip(results, results.dropFirst()) {
        #expect(after[1] >= before[1])
        #expect(abs(after[0] - after[1]) < 1e-3 && abs(after[2] - after[1]) < 1e-3, "\(after)")
      }
      let white = try #require(results.firstIndex { $0[1] > 0.9995 })
      #expect(abs(Double(white) / 255 - HDRReference.pqCode(1000)) < 0.03)
    }

    @Test("what is dark enough keeps its light: 50 cd/m² are 50/203 of white, up to a peak of 1000")
    func dark() throws {
      let code = HDRReference.pqCode(50)
      for peak in [203, 600, 1000] {
        let picture = CodePicture(.gbrp16le, width: 4, height: 1) { _, _, _ in
          Int((code * 65535).rounded())
        }
        let result = try OnDevice.run(
          picture, Self.hdr(16, matrix: .rgb, peak: peak), to: .gbrp16le, sinkColor: Self.sdr)
        let light = pow(Double(result.parts[0][0]) / 65535, 2.4)
        #expect(abs(light - 50.0 / 203) < 1e-3, "\(peak)")
      }
    }

    @Test("the light of HLG's reference white is that of PQ's")
    func referenceWhite() throws {
      func gray(_ value: Double, _ transfer: UInt8) throws -> Double {
        let picture = CodePicture(.gbrp16le, width: 4, height: 1) { _, _, _ in
          Int((value * 65535).rounded())
        }
        return Double(
          try OnDevice.run(
            picture, Self.hdr(transfer, matrix: .rgb), to: .gbrp16le, sinkColor: Self.sdr
          ).parts[1][0]) / 65535
      }
      // BT.2408-5 table 1: 75 % of HLG and 58 % of PQ.
      #expect(abs(try gray(0.75, 18) - gray(HDRReference.pqCode(203), 16)) * 255 < 0.5)
    }

    @Test("colours move toward their gray in a straight line of light, so no hue breaks")
    func hues() throws {
      let results = try mapped(Self.hdr(16, matrix: .rgb)).dropFirst(256)
      for (result, source) in zip(results, Self.colors.dropFirst(256)) {
        let wanted = HDRReference.light(source, isPQ: true, peak: 1000)
        let light = result.map { pow($0, 2.4) }
        let (gray, own) = (HDRReference.luma(wanted), HDRReference.luma(light))
        #expect(abs(gray - own) < 0.002, "\(source)")
        let (a, b) = (wanted.map { $0 - gray }, light.map { $0 - own })
        // The angle between the two directions.
        let (dot, lengths) = (
          zip(a, b).reduce(0) { $0 + $1.0 * $1.1 },
          (a.reduce(0) { $0 + $1 * $1 } * b.reduce(0) { $0 + $1 * $1 }).squareRoot()
        )
        if lengths > 1e-6 { #expect(dot / lengths > 0.999, "\(source) becomes \(light)") }
      }
    }

    @Test(
      "every way to the GPU maps YCbCr alike, also 8 bits that are packed in words",
      arguments: [PixelFormat.yuv420p, .yuv420p10le, .p010le, .yuv444p12le, .yuyv422])
    func layouts(format: PixelFormat) throws {
      let depth = format.layout.depth
      let picture = CodePicture(format, width: 32, height: 16) { part, x, y in
        let code = part == 0 ? 16 + (x * 7 + y * 3) % 220 : 100 + (x + 2 * y * part) % 56
        return code << (depth - 8)
      }
      var sink = Self.hdr(16).standardRange
      sink.range = .limited
      #expect(sink.matrix == .bt709 && sink.primaries == 1 && sink.transfer == 1)
      let results = try OnDevice.ways.map {
        try OnDevice.run(picture, Self.hdr(16), to: .yuv444p, sinkColor: sink, policy: $0)
      }
      for result in results.dropFirst() {
        for (part, first) in zip(result.parts, results[0].parts) {
          #expect(zip(part, first).allSatisfy { abs($0 - $1) <= 1 })
        }
      }
      #expect(Set(results[0].parts[0]).count > 20)
    }

    @Test("an output that has the source's HDR gets the same codes")
    func kept() throws {
      let picture = CodePicture(.yuv420p10le, width: 32, height: 16) { part, x, y in
        part == 0 ? 64 + (x * 29 + y * 13) % 876 : 480 + (x * 5 + y * part) % 64
      }
      for policy in OnDevice.ways {
        let result = try OnDevice.run(picture, Self.hdr(16), to: .yuv420p10le, policy: policy)
        let other = zip(result.parts[0], picture.parts[0]).filter { $0 != $1 }
        #expect(other.isEmpty, "\(other.count) codes, such as \(other.prefix(4)), \(policy)")
      }
    }

    @Test("HDR that is scaled is mapped before, and filtered in light")
    func scaled() throws {
      // Columns of black and of 100 cd/m²: their mean is 50.
      let code = Int((HDRReference.pqCode(100) * 65535).rounded())
      let picture = CodePicture(.gbrp16le, width: 64, height: 64) { _, x, _ in x % 2 * code }
      let result = try OnDevice.run(
        picture, Self.hdr(16, matrix: .rgb), to: .gbrp16le, sinkColor: Self.sdr
      ) { geometry in
        geometry = FrameGeometry(
          source: FrameFormat(
            width: 64, height: 64, pixelFormat: .gbrp16le, color: Self.hdr(16, matrix: .rgb)),
          size: (16, 16), scale: .stretch)
        geometry.scaler = .area
      }
      let wanted = HDRReference.standard(
        [Double](repeating: HDRReference.pqCode(100), count: 3), isPQ: true, peak: 1000)[0]
      let light = pow(Double(result.parts[0][8 * 16 + 8]) / 65535, 2.4)
      #expect(abs(light - pow(wanted, 2.4) / 2) < 0.003)
    }
  }
}
