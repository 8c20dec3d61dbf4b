import Frames
import GPU
import ShaderEffects

extension Line {
  /// What the line does to a picture, a sentence for each step.
  static func steps(
    source: FrameFormat, geometry: PictureGeometry, effects: [CompiledEffect], sink: FrameFormat,
    resamples: Bool
  ) -> [String] {
    var steps = [
      "upload: \(source.pixelFormat.rawValue) \(source.width)x\(source.height) to a texture of RGB"
    ]
    if resamples { steps.append("resample: to \(geometry.width)x\(geometry.height)") }
    steps += effects.map { "effect: \($0.name)" }
    steps.append("readback: to \(sink.pixelFormat.rawValue) \(sink.width)x\(sink.height)")
    return steps
  }
}
