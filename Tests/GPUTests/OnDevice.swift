import Frames
import ShaderCompiler
import ShaderEffects
import TestDevice
import Testing

@testable import GPU
@testable import Render

/// The parent of all suites that use the GPU: they share one device.
@Suite("On the device", .besideOthers)
enum OnDevice {
  static func device() throws -> Device { try TestDevice.opened().device }
  static func compiler() throws -> ShaderCompiler { try TestDevice.opened().compiler }

  /// Runs one frame through the pipeline, without effects, and reads the sink's codes.
  static func run(
    _ picture: CodePicture, _ color: ColorDescription, to sink: PixelFormat,
    sinkColor: ColorDescription? = nil, orientation: Orientation = .upright, padding: Int = 0,
    policy: FusionPolicy? = nil, dithers: Bool = false,
    geometry change: (inout FrameGeometry) -> Void = { _ in }
  ) throws -> CodePicture {
    let (device, compiler) = try TestDevice.opened()
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: picture.pixelFormat, color: color,
      orientation: orientation)
    var geometry = FrameGeometry(source: format)
    change(&geometry)
    let (factorX, factorY) = sink.layout.chromaSubsampling
    let output = FrameFormat(
      width: (geometry.canvasWidth + factorX - 1) / factorX * factorX,
      height: (geometry.canvasHeight + factorY - 1) / factorY * factorY,
      pixelFormat: sink, color: sinkColor ?? color)
    let pipeline = try RenderPipeline(
      device: device, compiler: compiler, source: format, geometry: geometry, effects: [],
      sink: output, policy: policy, dithers: dithers)
    let frame = Frame(format: format, pixels: picture.pixels(padding: padding), time: .zero)
    let pixels = try #require(try pipeline.render([(frame, .start)]).first).pixels
    #expect(ValidationMessages.total == 0)
    return CodePicture(pixels, sink, width: output.width, height: output.height)
  }

  /// Runs the pipeline and compares with the reference: each code is the exact value rounded once,
  /// within the error of 16-bit floats.
  static func expectReference(
    _ picture: CodePicture, _ color: ColorDescription, to sink: PixelFormat,
    sinkColor: ColorDescription? = nil, orientation: Orientation = .upright, padding: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = ReferenceImage(picture, color).turned(orientation)
    for policy in ways {
      let result = try run(
        picture, color, to: sink, sinkColor: sinkColor, orientation: orientation,
        padding: padding, policy: policy)
      let codes = expected.codes(
        sink, sinkColor ?? color, width: result.width, height: result.height)
      for part in result.parts.indices {
        let worst = zip(result.parts[part], codes[part]).map {
          abs(Double($0) - min(max($1, 0), 255))
        }.max()
        #expect(
          worst ?? 1 <= 0.5 + halfFloatError,
          "part \(part) of \(picture.pixelFormat) to \(sink), \(color), \(policy)",
          sourceLocation: sourceLocation)
      }
    }
  }

  /// The policies that a pipeline may have, the plain one first.
  static let ways: [FusionPolicy] = [
    .plain, FusionPolicy(storage: .images, packsWords: false, fuses: true),
    FusionPolicy(storage: .buffers, packsWords: false, fuses: true),
    FusionPolicy(storage: .buffers, packsWords: true, fuses: true),
  ]

  /// The largest error of an 8-bit code from 16-bit floats: half a step of 2^-9 for colours of 2 to 4
  /// (codes far out of the gamut), in a sum of weights whose magnitudes add up to at most 224.
  static let halfFloatError = 224 * 0x1p-10
}

extension EffectClock {
  static let start = EffectClock(
    time: .zero, timeDelta: .zero, frameIndex: 0, frameRate: Rational(25), creationTime: nil)
}

extension OnDevice {
  /// The parent of all suites that open devices of their own, one at a time, after the shared one.
  ///
  /// The validation layer (1.3.239) keeps devices in a table without a lock, whose first entries alone stay in place: of two tests that
  /// opened some at one time, one died in a call on a device that the layer no longer found.
  @Suite(.serialized) enum OfTheirOwn {}
}
