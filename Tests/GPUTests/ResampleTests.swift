import Frames
import Testing

@testable import GPU

extension OnDevice {
  @Suite("Resampling")
  struct ResampleTests {
    /// Returns red, green, blue and alpha of a frame scaled to another size.
    private static func scaled(
      _ picture: CodePicture, to width: Int, _ height: Int,
      change: (inout FrameGeometry) -> Void = { _ in }
    ) throws -> CodePicture {
      try OnDevice.run(picture, .sRGB, to: .rgba) {
        ($0.canvasWidth, $0.canvasHeight, $0.width, $0.height) = (width, height, width, height)
        change(&$0)
      }
    }

    @Test(
      "a single colour is unchanged, up to the edges",
      arguments: [(40, 24), (13, 7), (200, 100), (20, 24), (40, 12), (1, 1), (3, 90)])
    func constant(width: Int, height: Int) throws {
      let color = [255, 128, 3, 77]
      let picture = CodePicture(.rgba, width: 40, height: 23) { part, _, _ in color[part] }
      let result = try Self.scaled(picture, to: width, height)
      for part in 0..<4 { #expect(Set(result.parts[part]) == [color[part]]) }
    }

    @Test("a ramp stays a ramp", arguments: [(512, 64), (128, 8), (100, 16), (300, 5)])
    func ramp(width: Int, height: Int) throws {
      let picture = CodePicture(.rgba, width: 256, height: 16) { part, x, y in
        [x, 255 - x, y * 15, 255][part]
      }
      let result = try Self.scaled(picture, to: width, height)
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

    @Test("the frame's own size needs no pass, and a crop of the same size does")
    func identity() {
      let source = FrameFormat(width: 33, height: 17, pixelFormat: .rgba, color: .sRGB)
      var geometry = FrameGeometry(source: source)
      func passes() -> Int {
        Resample.passes(sourceWidth: 33, sourceHeight: 17, geometry: geometry).count
      }
      #expect(passes() == 0)
      geometry.sourceX = 1
      #expect(passes() == 1)
      geometry.sourceX = 0
      geometry.height = 16
      #expect(passes() == 1)
      geometry.width = 20
      #expect(passes() == 2)
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

    @Test("a checkerboard reduced to a quarter is gray, also at its edges")
    func checkerboard() throws {
      let picture = CodePicture(.rgba, width: 64, height: 64) { part, x, y in
        part == 3 || (x + y) % 2 == 0 ? 255 : 0
      }
      let result = try Self.scaled(picture, to: 16, 16)
      for y in 0..<16 {
        for x in 0..<16 {
          let isEdge = x == 0 || y == 0 || x == 15 || y == 15
          #expect(abs(result.parts[1][y * 16 + x] - 128) <= (isEdge ? 12 : 1))
        }
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
