import DiskCache
import Encode
package import Frames
package import GPU
import Glibc
import Render
import ShaderCompiler
import ShaderEffects

/// One finished frame as an image file, with the pixels that the file of a recording gets.
package struct StillImage: Sendable {
  private let frame: Frame
  private let gpu: GPUWish

  package init(_ frame: Frame, gpu: GPUWish) { (self.frame, self.gpu) = (frame, gpu) }

  /// Writes the image into the current folder, under the first name of `kfrec-0001.png` and so on that is
  /// free; never replaces a file.
  ///
  /// - Returns: The name.
  /// - Throws: An `ExplainedError`; then no file is left.
  package func save() throws -> String {
    guard let name = (1...9999).lazy.map(Self.name).first(where: { access($0, F_OK) != 0 }) else {
      throw RecorderError("\(Self.name(1)) to \(Self.name(9999)) exist; move them away")
    }
    let output = try Output(name)
    let (width, height) = frame.format.uprightSize
    let format = output.frameFormat(
      width: width, height: height, color: frame.format.color,
      sampleAspectRatio: frame.format.uprightSampleAspectRatio)
    let pipeline = try RenderPipeline(
      device: SharedGPU.open(gpu, Device.usualFrameLimit),
      compiler: ShaderCompiler(cache: DiskCache(userFolder: "spirv")), source: frame.format,
      geometry: FrameGeometry(source: frame.format), effects: [], sink: format)
    let clock = EffectClock(
      time: .zero, timeDelta: .zero, frameIndex: 0, frameRate: .one, creationTime: nil)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: .one, timeBase: .one))
    do {
      for image in try pipeline.render([(frame, clock)]) { try sink.write(image) }
    } catch {
      sink.abandon()
      throw error
    }
    _ = try sink.finish()
    return name
  }

  private static func name(_ number: Int) -> String {
    let digits = "\(number)"
    return "kfrec-" + String(repeating: "0", count: 4 - digits.count) + digits + ".png"
  }
}
