import DiskCache
import Encode
package import Frames
package import GPU
import Render
import ShaderCompiler
import ShaderEffects

/// One finished frame as an image file, with the pixels that the file of a recording gets.
package struct StillImage: Sendable {
  private let frame: Frame
  private let gpu: GPUPreference

  package init(_ frame: Frame, gpu: GPUPreference) { (self.frame, self.gpu) = (frame, gpu) }

  /// Writes the image into the current folder, under the first name of `kfrec-0001.png` and so on that is free, and returns
  /// the name; never replaces a file.
  package func save() throws -> String {
    guard let name = Self.freeName("png") else {
      throw RecorderError("the names up to kfrec-9999.png exist; move some away")
    }
    let output = try Output(name)
    let (width, height) = frame.format.uprightSize
    let color = frame.format.color
    let format = output.frameFormat(
      width: width, height: height,
      color: color.isHighDynamicRange ? color.standardRange : color,
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

  /// Returns the first name of `kfrec-0001` and so on that is free in the current folder; nil if none is.
  package static func freeName(_ suffix: String) -> String? {
    let names = SequencePattern(prefix: "kfrec-", suffix: ".\(suffix)", width: 4)
    return (1...9999).lazy.map(names.path).first { name in
      // A recording that is under way, or was killed, has the name too.
      // A link without a target has it as well: who writes there would make the target.
      FileIdentity(at: name) == nil && FileIdentity(at: name + ".part") == nil
    }
  }
}
