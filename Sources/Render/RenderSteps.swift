import Frames
import GPU

extension RenderPipeline {
  /// Returns what the pipeline does to a frame, one sentence for each step.
  ///
  /// The kernels are those of a time at which the largest number of effects act.
  static func steps(
    source: FrameFormat, sink: FrameFormat, upload: Upload, passes: PassChain?
  ) -> [String] {
    [
      "upload: \(source.pixelFormat.rawValue) \(source.width)x\(source.height) as "
        + upload.reader.name
    ] + (passes?.descriptions ?? []).map { "kernel: \($0)" } + [
      "readback: \(sink.pixelFormat.rawValue) \(sink.width)x\(sink.height)"
    ]
  }
}
