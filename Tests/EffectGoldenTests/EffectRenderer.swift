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

  private static let folder = repositoryRoot + "/Effects"

  /// Finds the effects of this checkout before any other.
  private static let library = EffectLibrary(folders: [folder])

  /// The effects of this checkout alone: a person may have more installed.
  static func effectNames() throws -> [String] {
    try library.descriptions().filter { $0.path.hasPrefix(folder + "/") }.map(\.name)
  }

  /// Sends one picture through a chain, as typed after `-e`, at an effect time.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], time: Rational
  ) throws -> RGBAPicture {
    try render(picture, effects, times: [time])[0]
  }

  /// The same at several times, two frames in flight as in a recording; `slots` says which slot
  /// each frame goes through, in turn unless told.
  static func render(
    _ picture: RGBAPicture, _ effects: [String], times: [Rational], slots: [Int]? = nil
  ) throws -> [RGBAPicture] {
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: .rgba, color: .sRGB)
    return try render(
      format: format, pixels: try picture.pixelBuffer(), effects, times: times, slots: slots
    ).map { RGBAPicture($0, width: picture.width, height: picture.height) }
  }

  /// The same for a frame of any format, which the result has too.
  static func render(
    format: FrameFormat, pixels: PixelBuffer, _ effects: [String], times: [Rational],
    slots: [Int]? = nil
  ) throws -> [PixelBuffer] {
    let (device, compiler) = try opened.get()
    let compiled = try effects.map {
      try library.compile(EffectUse(parsing: $0), with: compiler)
    }
    let upload = try Upload(device: device, compiler: compiler, format: format, slotCount: 2)
    let chain = try EffectChain(
      device: device, effects: compiled, width: format.width, height: format.height,
      slotCount: 2)
    let readback = try Readback(
      device: device, compiler: compiler, format: format,
      geometry: PictureGeometry(source: format), slotCount: 2)
    let commands = [try Commands(device: device), try Commands(device: device)]
    var inFlight: [(slot: Int, pending: Readback.Pending)] = []
    var results: [PixelBuffer] = []
    func complete() throws {
      let oldest = inFlight.removeFirst()
      try commands[oldest.slot].wait()
      results.append(try readback.pixels(of: oldest.pending))
    }
    for (index, time) in times.enumerated() {
      let slot = slots?[index] ?? index % 2
      while inFlight.contains(where: { $0.slot == slot }) { try complete() }
      upload.fill(slot: slot, from: pixels)
      let list = commands[slot]
      try list.begin()
      let clock = EffectClock(
        time: time, timeDelta: .zero, frameIndex: index, frameRate: Rational(25),
        creationTime: nil)
      let image = chain.record(
        slot: slot, picture: upload.record(slot: slot, into: list), clock: clock, into: list)
      let pending = try readback.record(slot: slot, picture: image, into: list)
      try list.submit()
      inFlight.append((slot, pending))
    }
    while !inFlight.isEmpty { try complete() }
    #expect(ValidationMessages.total == 0)
    return results
  }
}
