import EffectLab
import Frames
import Glibc
import Testing

extension EffectsOnDevice {
  @Suite("gaussianBlur")
  struct GaussianBlurTests {
    /// Computes the blur by its definition, in double precision and at full size, to 4 standard
    /// deviations.
    private static func reference(_ picture: RGBAImage, amount: Double) -> RGBAImage {
      let sigma = max(amount * Double(min(picture.width, picture.height)) / 2.5, 0.01)
      let reach = Int((4 * sigma).rounded(.up))
      let weights = (-reach...reach).map { exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
      let total = weights.reduce(0, +)
      let (width, height) = (picture.width, picture.height)
      var light = (0..<width * height).map { index in
        (0..<3).map { channel in
          let code = Double(picture.bytes[4 * index + channel]) / 255
          return code * code
        }
      }
      for (across, down) in [(1, 0), (0, 1)] {
        let before = light
        for index in light.indices {
          var sum = [0.0, 0, 0]
          for (step, weight) in zip(-reach...reach, weights) {
            let x = min(max(index % width + across * step, 0), width - 1)
            let y = min(max(index / width + down * step, 0), height - 1)
            for channel in 0..<3 { sum[channel] += weight / total * before[y * width + x][channel] }
          }
          light[index] = sum
        }
      }
      return RGBAImage(width: width, height: height) { x, y in
        let codes = light[y * width + x].map { UInt8(($0.squareRoot() * 255).rounded()) }
        return (codes[0], codes[1], codes[2], 255)
      }
    }

    @Test(
      "gaussianBlur is a Gaussian in linear light, and nearly one where it works at a smaller size",
      arguments: [(31, 60, 0.09, 1), (3, 5, 0.5, 1), (41, 310, 0.5, 5), (310, 41, 0.27, 5)])
    func definition(width: Int, height: Int, amount: Double, limit: Int) throws {
      // Without the edge of single bright pixels, which would repeat outside.
      let reference = RGBAImage.reference(width: width + 2, height: height + 2)
      let opaque = RGBAImage(width: width, height: height) { x, y in
        let parts = reference.parts(x: x + 1, y: y + 1)
        return (parts[0], parts[1], parts[2], 255)
      }
      let result = try EffectRenderer.render(
        opaque, ["gaussianBlur:amount=\(amount)"], time: .zero)
      expect(result, is: Self.reference(opaque, amount: amount), within: limit)
    }

    @Test("amount 0 changes nothing, also under its older name")
    func nothing() throws {
      let picture = RGBAImage.reference(width: 53, height: 39)
      let result = try EffectRenderer.render(picture, ["gaussianBlur:radius=0"], time: .zero)
      expect(result, is: picture, within: 1)
    }
  }
}
