import Frames
import Glibc
import Render
import Testing

@testable import GPU

extension OnDevice {
  @Suite("Resampling")
  struct ResampleTests {
    /// Returns red, green, blue and alpha of a frame scaled to another size.
    private static func scaled(
      _ picture: CodePicture, to width: Int, _ height: Int, transfer: UInt8 = 13,
      by scaler: Scaler = .lanczos, policy: FusionPolicy? = nil,
      change: (inout FrameGeometry) -> Void = { _ in }
    ) throws -> CodePicture {
      var color = ColorDescription.sRGB
      color.transfer = transfer
      return try OnDevice.run(picture, color, to: .rgba, policy: policy) {
        ($0.canvasWidth, $0.canvasHeight, $0.width, $0.height) = (width, height, width, height)
        $0.scaler = scaler
        change(&$0)
      }
    }

    @Test(
      "a single colour is unchanged, up to the edges",
      arguments: [(40, 24), (13, 7), (200, 100), (20, 24), (40, 12), (1, 1), (3, 90)])
    func constant(width: Int, height: Int) throws {
      let color = [255, 128, 3, 77]
      let picture = CodePicture(.rgba, width: 40, height: 23) { part, _, _ in color[part] }
      for scaler in Scaler.allCases {
        let result = try Self.scaled(picture, to: width, height, by: scaler)
        for part in 0..<4 { #expect(Set(result.parts[part]) == [color[part]], "\(scaler)") }
      }
    }

    @Test("a ramp of light stays a ramp", arguments: [(512, 64), (128, 8), (100, 16), (300, 5)])
    func ramp(width: Int, height: Int) throws {
      let picture = CodePicture(.rgba, width: 256, height: 16) { part, x, y in
        [x, 255 - x, y * 15, 255][part]
      }
      let result = try Self.scaled(picture, to: width, height, transfer: 8)
      let (stepX, stepY) = (256 / Double(width), 16 / Double(height))
      for y in 0..<height {
        for x in 0..<width {
          // The place in source pixels; near the edges the ramp is clamped.
          let place = (x: (Double(x) + 0.5) * stepX - 0.5, y: (Double(y) + 0.5) * stepY - 0.5)
          let seen = result.parts.map { Double($0[y * width + x]) }
          if place.x > 2 * max(stepX, 1) && place.x < 255 - 2 * max(stepX, 1),
            abs(seen[0] - place.x) > 1 || abs(seen[1] - 255 + place.x) > 1
          {
            Issue.record("\(seen) at \(x), \(y)")
          }
          if place.y > 2 * max(stepY, 1) && place.y < 15 - 2 * max(stepY, 1),
            abs(seen[2] - place.y * 15) > 1
          {
            Issue.record("\(seen) at \(x), \(y)")
          }
        }
      }
    }

    @Test(
      "the frame's own size needs no pass, a crop of whole pixels needs one, and others go through light"
    )
    func identity() {
      let source = FrameFormat(width: 33, height: 17, pixelFormat: .rgba, color: .sRGB)
      var geometry = FrameGeometry(source: source)
      func passes() -> [String] { Resample.passes(of: source, geometry: geometry).map(\.name) }
      #expect(passes().isEmpty)
      geometry.sourceX = 1
      #expect(passes() == ["scale to 33x17 by lanczos"])
      geometry.sourceX = 0
      geometry.height = 16
      #expect(passes() == ["light", "scale to 33x16 by lanczos"])
      (geometry.width, geometry.scaler) = (20, .nearest)
      #expect(passes() == ["scale to 20x17 by nearest", "scale to 20x16 by nearest"])
    }

    @Test("a crop by whole pixels takes exactly those pixels")
    func crop() throws {
      let picture = CodePicture(.rgba, width: 20, height: 12) { part, x, y in
        part == 3 ? 255 : scrambled(part, x, y) % 256
      }
      let result = try Self.scaled(picture, to: 10, 5) {
        ($0.sourceX, $0.sourceY, $0.sourceWidth, $0.sourceHeight) = (4, 6, 10, 5)
      }
      for part in 0..<4 {
        for index in 0..<50 {
          let expected = picture.parts[part][(6 + index / 10) * 20 + 4 + index % 10]
          #expect(result.parts[part][index] == expected)
        }
      }
    }

    @Test(
      "a checkerboard keeps its light: the middle is 0.5 by the transfer's curve, and coded where there is none",
      arguments: [(13, 188), (1, 191), (6, 191), (4, 186), (8, 128), (16, 128), (18, 128)])
    func checkerboard(transfer: UInt8, expected: Int) throws {
      let picture = CodePicture(.rgba, width: 64, height: 64) { part, x, y in
        part == 3 || (x + y) % 2 == 0 ? 255 : 0
      }
      for side in [32, 16, 8] {
        let result = try Self.scaled(picture, to: side, side, transfer: transfer)
        for y in 2..<side - 2 {
          for x in 2..<side - 2 {
            #expect(abs(result.parts[1][y * side + x] - expected) <= 1)
          }
        }
      }
    }

    @Test(
      "lanczos is the sum of its formula, within its nearest texels, on every kind of device",
      arguments: [
        (32, 24), (24, 18), (96, 27), (48, 64), (96, 90), (37, 23), (7, 5), (2, 1), (1, 3),
      ])
    func formula(width: Int, height: Int) throws {
      let picture = CodePicture(.rgba, width: 48, height: 36) { part, x, y in
        let smooth = 120 + 50 * sin(Double(x) / 5 + Double(part)) + 50 * cos(Double(y) / 4)
        let isNoise = Self.repeats(48, width) && Self.repeats(36, height)
        return part == 3 ? 255 : isNoise ? scrambled(part, x, y) % 256 : Int(smooth)
      }
      // Where the weights do not repeat, the next texel may also be a bound.
      let references = (0..<3).map { part in
        [0.0, 1].map { reach in
          LightReference(
            picture.parts[part].map(Double.init), width: 48, height: 36, reach: reach
          ).scaled(to: width, height)
        }
      }
      for policy in OnDevice.ways {
        let result = try Self.scaled(picture, to: width, height, policy: policy)
        for part in 0..<3 {
          for index in 0..<width * height {
            let expected = references[part].map { $0[index] }.sorted()
            let code = Double(result.parts[part][index])
            #expect(code > expected[0] - 1.25 && code < expected[1] + 1.25, "\(policy)")
          }
        }
      }
    }

    /// Whether the weights of a ratio repeat after three or four results.
    private static func repeats(_ from: Int, _ to: Int) -> Bool {
      from * 4 % to == 0 || from * 3 % to == 0
    }

    @Test(
      "an edge gets no halo, whatever the ratio",
      arguments: [(16, 12), (20, 9), (64, 80), (75, 47), (9, 36), (320, 36)])
    func halo(width: Int, height: Int) throws {
      let picture = CodePicture(.rgba, width: 32, height: 36) { part, x, y in
        part == 3 ? 255 : x < 15 || y > 20 ? 60 : 200
      }
      for scaler in [Scaler.lanczos, .bicubic, .mitchell] {
        let result = try Self.scaled(picture, to: width, height, by: scaler)
        #expect(result.parts[0].min() == 60 && result.parts[0].max() == 200, "\(scaler)")
      }
    }

    @Test("what is finer than the result's pixels is gray, and no pattern of its own")
    func aliasing() throws {
      // Waves of 0.13 to 0.37 periods a pixel, across and down; one of 1/16 is the finest that 1/8 of the size can show.
      let picture = CodePicture(.rgba, width: 512, height: 512) { part, x, y in
        let phase = Double(x) * (0.13 + Double(y) * 0.24 / 511) + Double(y) * 0.21
        return part == 3 ? 255 : Int((127.5 + 127.5 * sin(2 * .pi * phase)).rounded())
      }
      let result = try Self.scaled(picture, to: 64, 64, transfer: 8)
      let inside = (4..<60).flatMap { y in (4..<60).map { result.parts[0][y * 64 + $0] } }
      #expect(inside.allSatisfy { abs($0 - 128) <= 3 })
    }

    @Test(
      "nearest copies codes, also of transparent pixels, and area is the mean of what it covers")
    func copies() throws {
      let picture = CodePicture(.rgba, width: 12, height: 6) { part, x, y in
        part == 3 ? (x + y) % 3 * 100 : scrambled(part, x, y) % 256
      }
      let large = try Self.scaled(picture, to: 36, 12, by: .nearest)
      let small = try Self.scaled(picture, to: 4, 3, by: .nearest)
      for part in 0..<4 {
        for index in 0..<36 * 12 {
          let (x, y) = (index % 36 / 3, index / 36 / 2)
          #expect(large.parts[part][index] == picture.parts[part][y * 12 + x])
        }
        for index in 0..<12 {
          let (x, y) = (index % 4 * 3 + 1, index / 4 * 2 + 1)
          #expect(small.parts[part][index] == picture.parts[part][y * 12 + x])
        }
      }
      let opaque = CodePicture(.rgba, width: 12, height: 6) { part, x, y in
        part == 3 ? 255 : (x / 3 + y) * 20
      }
      let mean = try Self.scaled(opaque, to: 4, 3, transfer: 8, by: .area)
      for index in 0..<12 {
        #expect(mean.parts[0][index] == (index % 4 + index / 4 * 2) * 20 + 10)
      }
    }

    @Test("transparent pixels do not change the colour of others")
    func alphaWeighting() throws {
      // Opaque red beside transparent green.
      let picture = CodePicture(.rgba, width: 16, height: 4) { part, x, _ in
        [x < 8 ? 255 : 0, x < 8 ? 0 : 255, 0, x < 8 ? 255 : 0][part]
      }
      for width in [5, 11, 37] {
        let result = try Self.scaled(picture, to: width, 4)
        for index in 0..<width * 4 {
          if result.parts[3][index] > 0 {
            #expect(result.parts[0][index] >= 254 && result.parts[1][index] == 0)
          }
        }
        #expect(result.parts[3][0] == 255 && result.parts[3][width - 1] == 0)
      }
    }

    @Test("an edge in alpha neither brightens nor exceeds the range on an opaque sink")
    func alphaOvershoot() throws {
      let picture = CodePicture(.rgba, width: 16, height: 16) { part, x, y in
        part == 3 ? (x < 8 && y < 8 ? 255 : 0) : 150
      }
      let result = try OnDevice.run(picture, .sRGB, to: .rgb24) {
        ($0.canvasWidth, $0.canvasHeight, $0.width, $0.height) = (37, 41, 37, 41)
      }
      for part in 0..<3 {
        #expect(result.parts[part].max() == 150 && result.parts[part].min() == 0)
      }
    }
  }
}

/// Lanczos with three lobes in the light of sRGB, kept within the middle lobe's texels: computed again from the
/// formulas, in double precision.
private struct LightReference {
  var light: [Double]
  let width: Int
  let height: Int
  /// Source texels beyond the lobe whose values are bounds too.
  let reach: Double

  init(_ codes: [Double], width: Int, height: Int, reach: Double) {
    (self.width, self.height, self.reach) = (width, height, reach)
    light = codes.map {
      let v = $0 / 255
      return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }
  }

  func scaled(to newWidth: Int, _ newHeight: Int) -> [Double] {
    let rows = (0..<height).flatMap { y in
      resized((0..<width).map { light[y * width + $0] }, to: newWidth)
    }
    let columns = (0..<newWidth).map { x in
      resized((0..<height).map { rows[$0 * newWidth + x] }, to: newHeight)
    }
    return (0..<newHeight).flatMap { y in
      columns.map { column in
        let v = column[y]
        return 255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055)
      }
    }
  }

  private func resized(_ line: [Double], to count: Int) -> [Double] {
    guard line.count != count else { return line }
    let step = Double(line.count) / Double(count)
    let stretch = max(step, 1)
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return (0..<count).map { index in
      let center = (Double(index) + 0.5) * step - 0.5
      var (sum, weights, low, high) = (0.0, 0.0, 1.0, 0.0)
      for texel in Int(center - 3 * stretch) - 2...Int(center + 3 * stretch) + 2 {
        let x = abs(Double(texel) - center) / stretch
        guard x < 3 else { continue }
        let value = line[min(max(texel, 0), line.count - 1)]
        let weight = sinc(x) * sinc(x / 3)
        (sum, weights) = (sum + weight * value, weights + weight)
        if x < 1 + reach / stretch - 1e-9 { (low, high) = (min(low, value), max(high, value)) }
      }
      return min(max(sum / weights, low), high)
    }
  }
}
