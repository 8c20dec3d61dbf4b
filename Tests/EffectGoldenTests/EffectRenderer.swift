import EffectLab
import Frames
import GPU
import Render
import ShaderCompiler
import ShaderEffects
import TestDevice
import TestSupport
import Testing

/// Renders images through effects on the device with the validation layer.
enum EffectRenderer {
  private static let folder = repositoryRoot + "/Effects"

  /// The effect library, with the effects of this checkout before all others.
  static let library = EffectLibrary(folders: [folder], images: PlainImage.load)

  /// Returns the effects of this checkout alone, because the user may have installed more.
  static func effectNames() throws -> [String] {
    try library.descriptions().filter { $0.path.hasPrefix(folder + "/") }.map(\.name)
  }

  /// Renders one image through a chain, as typed after `-e`, at an effect time.
  static func render(
    _ picture: RGBAImage, _ effects: [String], time: Rational
  ) throws -> RGBAImage {
    try render(picture, effects, times: [time])[0]
  }

  /// Renders one image at several times, with two frames in flight as in a recording.
  static func render(
    _ picture: RGBAImage, _ effects: [String], times: [Rational],
    policy: FusionPolicy? = nil
  ) throws -> [RGBAImage] {
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: .rgba, color: .sRGB)
    return try render(
      format: format, pixels: try picture.pixelBuffer(), effects, times: times, policy: policy
    ).map { RGBAImage($0, width: picture.width, height: picture.height) }
  }

  /// Renders images of one size through a chain one after the other, each at its time.
  static func render(
    _ pictures: [RGBAImage], _ effects: [String], times: [Rational], policy: FusionPolicy? = nil,
    library: EffectLibrary = library
  ) throws -> [RGBAImage] {
    let (width, height) = (pictures[0].width, pictures[0].height)
    let format = FrameFormat(width: width, height: height, pixelFormat: .rgba, color: .sRGB)
    return try render(
      format: format, frames: try pictures.map { try $0.pixelBuffer() }, effects, times: times,
      policy: policy, library: library
    ).map { RGBAImage($0, width: width, height: height) }
  }

  /// Renders a frame of any format; the result has the same format unless another is requested.
  static func render(
    format: FrameFormat, pixels: PixelBuffer, _ effects: [String], times: [Rational],
    sink: FrameFormat? = nil, policy: FusionPolicy? = nil
  ) throws -> [PixelBuffer] {
    try render(
      format: format, frames: times.map { _ in pixels }, effects, times: times, sink: sink,
      policy: policy)
  }

  /// Renders a separate frame of any format for each time.
  static func render(
    format: FrameFormat, frames: [PixelBuffer], _ effects: [String], times: [Rational],
    sink: FrameFormat? = nil, policy: FusionPolicy? = nil, library: EffectLibrary = library
  ) throws -> [PixelBuffer] {
    let pipeline = try pipeline(
      format: format, effects, sink: sink, policy: policy, library: library)
    let moments = times.enumerated().map { index, time in
      let clock = EffectClock(
        time: time, timeDelta: index == 0 ? .zero : time - times[index - 1], frameIndex: index,
        frameRate: Rational(25),
        creationTime: nil)
      return (frame: Frame(format: format, pixels: frames[index], time: time), clock: clock)
    }
    let results = try pipeline.render(moments).map(\.pixels)
    #expect(ValidationMessages.total == 0)
    return results
  }

  /// Makes what renders frames of a format through a chain.
  static func pipeline(
    format: FrameFormat, _ effects: [String], sink: FrameFormat? = nil,
    policy: FusionPolicy? = nil, library: EffectLibrary = library
  ) throws -> RenderPipeline {
    let (device, compiler) = try TestDevice.opened()
    let compiled = try effects.map {
      try library.compile(EffectSpec(parsing: $0), with: compiler)
    }
    return try RenderPipeline(
      device: device, compiler: compiler, source: format,
      geometry: FrameGeometry(source: format), effects: compiled,
      sink: sink ?? format, policy: policy)
  }
}
