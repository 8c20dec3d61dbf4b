import Frames
import GPU
import Glibc
import ShaderCompiler
import ShaderEffects
import TestSupport
import Testing

/// Renders pictures through effects on the device, under the validation layer; one at a time.
enum EffectRenderer {
  private static let opened: Result<(Device, ShaderCompiler), any Error> = Result {
    setenv("KFREC_VULKAN_VALIDATION", "1", 1)
    return (try Device(), try ShaderCompiler())
  }

  /// The effects of this checkout.
  static let library = EffectLibrary(folders: [repositoryRoot + "/Effects"])

  /// Sends one picture through a chain, as typed after `-e`, at an effect time.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], time: Rational
  ) throws -> RGBAPicture {
    try render(picture, effects, times: [time])[0]
  }

  /// The same at several times, one after the other through two slots in turn.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], times: [Rational]
  ) throws -> [RGBAPicture] {
    let (device, compiler) = try opened.get()
    let compiled = try effects.map {
      try library.compile(EffectUse(parsing: $0), with: compiler)
    }
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: .rgba, color: .sRGB)
    let upload = try Upload(device: device, compiler: compiler, format: format, slotCount: 2)
    let chain = try EffectChain(
      device: device, effects: compiled, width: picture.width, height: picture.height,
      slotCount: 2)
    let readback = try Readback(
      device: device, compiler: compiler, format: format,
      geometry: PictureGeometry(source: format), slotCount: 2)
    let commands = try Commands(device: device)
    let results = try times.enumerated().map { index, time in
      let slot = index % 2
      upload.fill(slot: slot, from: try picture.pixelBuffer())
      try commands.begin()
      let clock = EffectClock(
        time: time, timeDelta: .zero, frameIndex: index, frameRate: Rational(25),
        creationTime: nil)
      let image = chain.record(
        slot: slot, picture: upload.record(slot: slot, into: commands), clock: clock,
        into: commands)
      let pending = try readback.record(slot: slot, picture: image, into: commands)
      try commands.submit()
      try commands.wait()
      return RGBAPicture(
        try readback.pixels(of: pending), width: picture.width, height: picture.height)
    }
    #expect(ValidationMessages.total == 0)
    return results
  }
}
