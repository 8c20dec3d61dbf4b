import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// Renders the images of golden cases: the same frames every time, through one effect, at given times.
///
/// Used by one thread.
final class GoldenRenderer {
  /// The usual frame size; odd sides, so that the last work group of a row and of a column is not full.
  static let usualSize = (width: 53, height: 39)
  /// The frame rate before the first time, in frames per second.
  static let rate: Int64 = 25

  private let device: Device
  private let compiler: ShaderCompiler
  private let files: ImageFiles

  init(device: Device, compiler: ShaderCompiler, files: ImageFiles) {
    self.device = device
    self.compiler = compiler
    self.files = files
  }

  /// Renders the images to compare, in the order of their times; without an effect, the frames as they are.
  ///
  /// - Throws: `UnfinishedFrame` if the effect is too slow; the device cannot be used afterwards.
  func render(
    _ effect: EffectInstance?, _ test: GoldenCase
  ) throws -> [RGBAImage] {
    let golden = test.golden
    guard let first = golden.times.first, let last = golden.times.last else { return [] }
    let lead = (0..<golden.leadUp).map { first - Rational(Int64(golden.leadUp - $0), Self.rate) }
    let times = lead + golden.times
    let frames = try frames(test, times: times, last: last)
    guard let format = frames.first?.format else { return [] }
    let geometry =
      golden.size.map { size in
        FrameGeometry(source: format, size: (size.width, size.height), scale: .fill)
      } ?? FrameGeometry(source: format)
    let (width, height) = (geometry.canvasWidth, geometry.canvasHeight)
    let (device, compiler) = (device, compiler)
    let pipeline = try DriverWork(limit: device.frameLimit).run(
      effects: [effect].compactMap { $0?.name }, device: device
    ) {
      try RenderPipeline(
        device: device, compiler: compiler, source: format, geometry: geometry,
        effects: [effect].compactMap(\.self),
        sink: FrameFormat(width: width, height: height, pixelFormat: .rgba, color: .sRGB))
    }
    let clocks = times.indices.map { index in
      EffectClock(
        time: times[index], timeDelta: index == 0 ? .zero : times[index] - times[index - 1],
        frameIndex: index, frameRate: Rational(Self.rate), creationTime: nil)
    }
    let results = try pipeline.render(zip(frames, clocks).map { (frame: $0, clock: $1) })
      .map { RGBAImage($0.pixels, width: width, height: height) }
    return golden.comparesAll ? Array(results.suffix(golden.times.count)) : results.suffix(1)
  }

  /// The picture that a transition leads to, if a case names none: unlike the test cards everywhere.
  static func nextPicture() throws -> EffectImage {
    let card = RGBAImage.reference(width: usualSize.width, height: usualSize.height)
    let image = RGBAImage(width: card.width, height: card.height) { x, y in
      let parts = card.parts(x: card.width - 1 - x, y: card.height - 1 - y)
      return (255 - parts[0], 255 - parts[1], 255 - parts[2], 255)
    }
    return EffectImage(try image.frame(at: .zero))
  }

  private func frames(
    _ test: GoldenCase, times: [Rational], last: Rational
  ) throws -> [Frame] {
    let golden = test.golden
    let (width, height) = golden.size ?? Self.usualSize
    func frames(_ image: (Rational) throws -> RGBAImage) throws -> [Frame] {
      try times.map { try image($0).frame(at: $0) }
    }
    switch golden.frame {
    case "reference":
      let image = RGBAImage.reference(width: width, height: height)
      return try frames { _ in image }
    case "moving":
      return try frames { time in
        let step = (time - last).ticks(timeBase: Rational(1, Self.rate))
        return .moving(width: width, height: height, step: Int(step))
      }
    default:
      let frame = try files.frame(test.framePath ?? golden.frame)
      return times.map { Frame(format: frame.format, pixels: frame.pixels, time: $0) }
    }
  }
}
