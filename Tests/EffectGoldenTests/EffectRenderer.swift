import Frames
import GPU
import Glibc
import ShaderCompiler
import ShaderEffects
import Synchronization
import TestSupport
import Testing

@testable import Recorder

/// Renders pictures through effects on the device, under the validation layer; one at a time.
enum EffectRenderer {
  /// The device and the compiler, opened by the first test that asks, and let go when the process ends:
  /// a leak sanitizer cannot tell what an open driver keeps from what was forgotten.
  private static let kept = Mutex<Result<(Device, ShaderCompiler), any Error>?>(nil)

  private static var opened: Result<(Device, ShaderCompiler), any Error> {
    kept.withLock { kept in
      if let kept { return kept }
      setenv("KFREC_VULKAN_VALIDATION", KfrecProcess.validation, 1)
      atexit { EffectRenderer.kept.withLock { $0 = nil } }
      let made = Result { (try Device(), try ShaderCompiler()) }
      kept = made
      return made
    }
  }

  private static let folder = repositoryRoot + "/Effects"

  /// Finds the effects of this checkout before any other; keeps no picture, which would keep the device.
  static let library = EffectLibrary(folders: [folder], images: { try ImageFiles().loader($0) })

  /// The effects of this checkout alone: a person may have more installed.
  static func effectNames() throws -> [String] {
    try library.descriptions().filter { $0.path.hasPrefix(folder + "/") }.map(\.name)
  }

  /// What `kfrec golden` runs, on the same device.
  static func golden() throws -> GoldenRunner {
    let (device, compiler) = try opened.get()
    return GoldenRunner(library: library, device: device, compiler: compiler)
  }

  /// Sends one picture through a chain, as typed after `-e`, at an effect time.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], time: Rational
  ) throws -> RGBAPicture {
    try render(picture, effects, times: [time])[0]
  }

  /// The same at several times, two frames in flight as in a recording.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], times: [Rational],
    rules: LineRules? = nil
  ) throws -> [RGBAPicture] {
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: .rgba, color: .sRGB)
    return try render(
      format: format, pixels: try picture.pixelBuffer(), effects, times: times, rules: rules
    ).map { RGBAPicture($0, width: picture.width, height: picture.height) }
  }

  /// Sends pictures of one size through a chain one after the other, each at its time.
  static func render(
    _ pictures: [RGBAPicture], _ effects: [String], times: [Rational], rules: LineRules? = nil,
    library: EffectLibrary = library
  ) throws -> [RGBAPicture] {
    let (width, height) = (pictures[0].width, pictures[0].height)
    let format = FrameFormat(width: width, height: height, pixelFormat: .rgba, color: .sRGB)
    return try render(
      format: format, frames: try pictures.map { try $0.pixelBuffer() }, effects, times: times,
      rules: rules, library: library
    ).map { RGBAPicture($0, width: width, height: height) }
  }

  /// The same for a frame of any format, which the result has too if no other is asked for.
  static func render(
    format: FrameFormat, pixels: PixelBuffer, _ effects: [String], times: [Rational],
    sink: FrameFormat? = nil, rules: LineRules? = nil
  ) throws -> [PixelBuffer] {
    try render(
      format: format, frames: times.map { _ in pixels }, effects, times: times, sink: sink,
      rules: rules)
  }

  /// The same with a frame of its own for each time.
  static func render(
    format: FrameFormat, frames: [PixelBuffer], _ effects: [String], times: [Rational],
    sink: FrameFormat? = nil, rules: LineRules? = nil, library: EffectLibrary = library
  ) throws -> [PixelBuffer] {
    let (device, compiler) = try opened.get()
    let compiled = try effects.map {
      try library.compile(EffectUse(parsing: $0), with: compiler)
    }
    let line = try Line(
      device: device, compiler: compiler, source: format,
      geometry: PictureGeometry(source: format), effects: compiled,
      sink: sink ?? format, rules: rules)
    var results: [PixelBuffer] = []
    for (index, time) in times.enumerated() {
      if line.isFull, let done = try line.complete() { results.append(done.pixels) }
      let clock = EffectClock(
        time: time, timeDelta: index == 0 ? .zero : time - times[index - 1], frameIndex: index,
        frameRate: Rational(25),
        creationTime: nil)
      try line.submit(
        Frame(format: format, pixels: frames[index], time: time, duration: nil), clock: clock)
    }
    while let done = try line.complete() { results.append(done.pixels) }
    #expect(ValidationMessages.total == 0)
    return results
  }
}
