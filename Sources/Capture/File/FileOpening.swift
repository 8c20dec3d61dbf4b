import FFmpegHandles
import Frames

extension Demuxer {
  /// Opens what a request's input names: a file, URL, pipe, picture or numbered pictures.
  ///
  /// `name` is what messages call it.
  init(
    _ request: SourceRequest, kind: FileSource.Kind, name: String, sequenceRate: Rational,
    sequence: NumberedPictures?
  ) throws(CaptureError) {
    let isURL = kind == .file && request.input.contains("://")
    var pipe: PipeInput?
    if kind == .standardInput {
      pipe = try PipeInput(path: nil, name: name, interruption: request.interruption)
    } else if kind == .file, !isURL, try FileProblems.check(request.input) == .pipe {
      pipe = try PipeInput(path: request.input, name: name, interruption: request.interruption)
    }
    try self.init(
      // Without the protocol's name FFmpeg takes what is before a colon for one.
      url: isURL ? request.input : pipe == nil ? "file:\(request.input)" : "", name: name,
      pipe: pipe, format: kind == .sequence ? "image2" : nil,
      // A single file's name is no pattern, whatever it holds.
      options: kind == .sequence
        ? [
          ("framerate", "\(sequenceRate)"), ("pattern_type", "sequence"),
          ("start_number", "\(sequence?.first ?? 0)"),
        ]
        : [("pattern_type", "none")],
      includesSound: request.includesSound, isHeard: request.isHeard,
      interruption: request.interruption)
  }
}

extension SourceDescription {
  /// Says what its first frame shows of a file that a user should know.
  mutating func warn(ofFirst format: FrameFormat) {
    if format.color.isHighDynamicRange {
      notices.append(
        Notice(
          .sourceHDR, name,
          """
          \(name) is HDR (\(format.color.transfer == 16 ? "PQ" : "HLG")); its values are kept, and \
          effects act on them as they are coded
          """))
    }
  }
}
