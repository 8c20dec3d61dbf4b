import Frames
import TestSupport
import Testing

import EffectLab

extension EffectsOnDevice {
  @Suite("lut")
  struct TableTests {
    private static func picture() -> RGBAImage { .translucent(width: 53, height: 39) }

    /// A table whose entries are noise, so that no two corners are equal.
    private struct Noise {
      let size: Int
      var low = [0.0, 0, 0]
      var high = [1.0, 1, 1]

      func entry(_ place: [Int], _ part: Int) -> Double {
        let number = ((place[2] * size + place[1]) * size + place[0]) * 3 + part
        return Double((number * 7919 + 13) % 1000) / 1000
      }

      var text: String {
        var lines = ["TITLE \"noise\"", "LUT_3D_SIZE \(size)"]
        lines.append("DOMAIN_MIN \(low[0]) \(low[1]) \(low[2])")
        lines.append("DOMAIN_MAX \(high[0]) \(high[1]) \(high[2])")
        for blue in 0..<size {
          for green in 0..<size {
            for red in 0..<size {
              let parts = (0..<3).map { "\(entry([red, green, blue], $0))" }
              lines.append(parts.joined(separator: " "))
            }
          }
        }
        return lines.joined(separator: "\n")
      }

      /// Looks up a colour by the definition: from the low corner to the high one, along the longest
      /// axis first.
      func look(_ color: [Double]) -> [Double] {
        let place = (0..<3).map { part in
          min(max((color[part] - low[part]) / (high[part] - low[part]), 0), 1) * Double(size - 1)
        }
        var corner = place.map { min(Int($0), size - 2) }
        let rest = (0..<3).map { place[$0] - Double(corner[$0]) }
        let order = [0, 1, 2].sorted { rest[$0] > rest[$1] }
        var result = (0..<3).map { entry(corner, $0) }
        for axis in order {
          let before = corner
          corner[axis] += 1
          for part in 0..<3 {
            result[part] += rest[axis] * (entry(corner, part) - entry(before, part))
          }
        }
        return result
      }
    }

    @Test(
      "A 3D table equals its definition, tetrahedron by tetrahedron",
      arguments: [
        Noise(size: 2), Noise(size: 5), Noise(size: 17),
        Noise(size: 4, low: [0.1, 0, -0.5], high: [0.7, 2, 1]),
      ] as [Noise])
    private func cube(noise: Noise) throws {
      let folder = try TemporaryFolder()
      let path = try folder.write(noise.text.utf8, to: "noise.CUBE")
      let picture = Self.picture()
      let result = try EffectRenderer.render(picture, ["lut:file=\(path)"], time: .zero)
      let expected = RGBAImage(width: 53, height: 39) { x, y in
        let parts = picture.parts(x: x, y: y)
        let look = noise.look(parts[0..<3].map { Double($0) / 255 })
        let codes = look.map { UInt8(min(max($0 * 255, 0), 255).rounded()) }
        return (codes[0], codes[1], codes[2], parts[3])
      }
      expect(result, is: expected, within: 1)
    }

    @Test("A 3D table of identity changes nothing, whatever its size", arguments: [2, 33, 65])
    func identity(size: Int) throws {
      let folder = try TemporaryFolder()
      var text = "LUT_3D_SIZE \(size)\n"
      for blue in 0..<size {
        for green in 0..<size {
          for red in 0..<size {
            let parts = [red, green, blue].map { "\(Double($0) / Double(size - 1))" }
            text += parts.joined(separator: " ") + "\n"
          }
        }
      }
      let path = try folder.write(text.utf8, to: "same.cube")
      let result = try EffectRenderer.render(Self.picture(), ["lut:file=\(path)"], time: .zero)
      expect(result, is: Self.picture(), within: size == 65 ? 1 : 0)
    }

    @Test("A 1D table has its own curve for each component")
    func curves() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("LUT_1D_SIZE 3\n1 0 0\n0.5 0 1\n0 1 0".utf8, to: "curves.cube")
      let picture = Self.picture()
      let result = try EffectRenderer.render(picture, ["lut:file=\(path)"], time: .zero)
      let expected = RGBAImage(width: 53, height: 39) { x, y in
        let parts = picture.parts(x: x, y: y).map(Double.init)
        let green = max(parts[1] * 2 - 255, 0)
        let blue = parts[2] <= 127.5 ? parts[2] * 2 : 510 - parts[2] * 2
        return (
          UInt8(255 - parts[0]), UInt8(green), UInt8(blue), UInt8(parts[3])
        )
      }
      expect(result, is: expected, within: 1)
    }

    @Test("Without a table, or with an image in its place, nothing changes")
    func none() throws {
      let folder = try TemporaryFolder()
      try PlainImage.write(Self.picture(), to: folder.file("picture.png"))
      for parameters in ["", ":file=\(folder.file("picture.png"))"] {
        let result = try EffectRenderer.render(Self.picture(), ["lut" + parameters], time: .zero)
        expect(result, is: Self.picture())
      }
    }
  }

  @Suite("Keyframes that decide a size")
  struct KeyframedSizeTests {
    @Test("A blur with a changing radius is at each time the blur of that radius")
    func blur() throws {
      let picture = RGBAImage.reference(width: 101, height: 161)
      let times = [Rational.zero, Rational(2, 5), .one, Rational(8, 5), Rational(2)]
      let moving = try EffectRenderer.render(
        picture, ["gaussianBlur:amount=0@0..0.4@2"], times: times)
      for (time, result) in zip(times, moving) {
        let still = try EffectRenderer.render(
          picture, ["gaussianBlur:amount=\(0.2 * time.doubleValue)"], time: time)
        expect(result, is: still, within: 1, "at \(time) s")
      }
    }
  }

  @Suite("chromaKey over an image")
  struct ChromaKeyTests {
    @Test("The image fills the frame from its centre, over the colour where it is transparent")
    func fill() throws {
      let folder = try TemporaryFolder()
      // Twice as wide as the frame, so a quarter is cropped at each side.
      try PlainImage.write(
        RGBAImage(width: 32, height: 8) { x, _ in
          x < 8 || x >= 24 ? (255, 0, 0, 255) : x < 16 ? (0, 0, 200, 255) : (9, 9, 9, 0)
        }, to: folder.file("back.png"))
      let screen = RGBAImage(width: 64, height: 32) { _, _ in (0, 176, 64, 255) }
      let result = try EffectRenderer.render(
        screen, ["chromaKey:background=\(folder.file("back.png")),color=00ff00"], time: .zero)
      #expect(result.parts(x: 1, y: 1)[2] > 150 && result.parts(x: 1, y: 1)[0] < 100)
      #expect(result.parts(x: 16, y: 20) == [0, 0, 200, 255])
      #expect(result.parts(x: 48, y: 12) == [0, 255, 0, 255])
    }
  }
}
