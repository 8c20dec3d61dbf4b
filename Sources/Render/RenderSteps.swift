import Frames
import GPU

extension RenderPipeline {
  /// What the pipeline does to a picture, a sentence for each step: the kernels are those of a moment at
  /// which as many effects act as ever do together.
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
