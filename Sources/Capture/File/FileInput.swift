import FFmpegHandles
import Frames

/// How libavformat gets at what a request's input names.
struct FileInput {
  /// What messages call it.
  let name: String
  /// What libavformat is given.
  var url = ""
  /// Where the bytes come from instead, if they come through a pipe.
  var pipe: PipeInput?
  /// A demuxer's name where it is not to be guessed.
  var format: String?
  /// The demuxer's options.
  ///
  /// A single file's name is no pattern, whatever it holds.
  var options = [("pattern_type", "none")]
  /// Numbered pictures and their rate; nil where it is anything else.
  var numbered: (pictures: NumberedImages?, rate: Rational)?

  /// A file, or a pipe by its path.
  static func file(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    guard try FileProblems.check(path) == .file else {
      let pipe = try PipeInput(path: path, name: path, interruption: request.interruption)
      return FileInput(name: path, pipe: pipe)
    }
    return FileInput(name: path, url: url(ofPath: path))
  }

  static func standardInput(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let name = SourceKind.standardInput.name ?? request.input
    let pipe = try PipeInput(path: nil, name: name, interruption: request.interruption)
    return FileInput(name: name, pipe: pipe)
  }

  static func url(_ request: SourceRequest) -> FileInput {
    FileInput(name: request.input, url: request.input)
  }

  /// Numbered pictures, from the first one that there is.
  static func sequence(_ request: SourceRequest) throws(CaptureError) -> FileInput {
    let path = request.input
    let rate = request.frameRate ?? Rational(25)
    let pictures = try NumberedImages(path: path)
    return FileInput(
      name: path, url: url(ofPath: path), format: "image2",
      options: [
        ("framerate", "\(rate)"), ("pattern_type", "sequence"),
        ("start_number", "\(pictures?.first ?? 0)"),
      ],
      numbered: (pictures, rate))
  }

  /// Without the protocol's name FFmpeg takes what is before a colon for one.
  private static func url(ofPath path: String) -> String { "file:" + path }
}

extension Demuxer {
  /// Opens what a request's input names.
  init(_ request: SourceRequest, input: FileInput) throws(CaptureError) {
    try self.init(
      url: input.url, name: input.name, pipe: input.pipe, format: input.format,
      options: input.options, includesAudio: request.includesAudio, isHeard: request.isHeard,
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
