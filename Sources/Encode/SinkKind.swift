import Frames
import Glibc

/// One sort of output: how it is typed after `-o`, and which words it claims.
package struct SinkKind: Sendable {
  /// As in the help: ".mov .mp4 .mkv .y4m".
  package let words: String
  /// One line for the help.
  package let summary: String
  /// Nil when the word is not of this kind; throws when it is and cannot be used.
  let recognize: @Sendable (OutputWord) throws(EncodeError) -> OutputTarget?

  /// In the order in which they are asked: the first that claims a word has it.
  package static let all: [SinkKind] = [
    null, standardOutput, camera, stream, pictureSequence, picture, movie,
  ]

  private static let null = SinkKind(
    words: "null", summary: "everything is done except the encoding"
  ) { word throws(EncodeError) in
    let isDevice = word.text == "/dev/null" && word.container == nil
    return word.text == "null" || isDevice ? .nothing : nil
  }

  private static let standardOutput = SinkKind(
    words: "-", summary: "standard output: y4m, or mov, mp4, mkv with --container"
  ) { word throws(EncodeError) in
    guard word.text == "-" else { return nil }
    if isatty(STDOUT_FILENO) == 1 {
      throw EncodeError(
        "standard output is a terminal: send it to a program or a file, as in kfrec -o - | mpv -",
        isUsageError: true)
    }
    return .movie(word.container ?? .y4m, .standardOutput)
  }

  private static let camera = SinkKind(
    words: "/dev/videoN", summary: "a virtual camera (v4l2loopback), which other programs can open"
  ) { word throws(EncodeError) in
    guard word.text.hasPrefix("/dev/video") || word.text.hasPrefix("/dev/v4l/") else { return nil }
    return .camera(word.text)
  }

  private static let stream = SinkKind(
    words: "FIFO", summary: "a FIFO or device, by its extension or --container"
  ) { word throws(EncodeError) in
    guard word.path.isStream else { return nil }
    if let container = word.container ?? Container(named: word.path.fileExtension) {
      return .movie(container, .stream(word.text))
    }
    if word.path.fileExtension == "png" { return .picture(.stream(word.text)) }
    throw EncodeError(
      "\(word.text) does not tell which container to write: add --container "
        + Container.all.map(\.name).joined(separator: "|"), isUsageError: true)
  }

  private static let pictureSequence = SinkKind(
    words: "name-%04d.png", summary: "one PNG a frame, numbered from 1"
  ) { word throws(EncodeError) in
    guard word.isPicture, let pattern = SequencePattern(word.text) else { return nil }
    try OutputPath(pattern.path(1)).checkPlace()
    return .pictures(pattern)
  }

  private static let picture = SinkKind(
    words: "name.png", summary: "one frame as PNG"
  ) { word throws(EncodeError) in
    guard word.isPicture else { return nil }
    try word.path.checkPlace()
    return .picture(.file(word.path.target))
  }

  private static let movie = SinkKind(
    words: Container.all.flatMap(\.extensions).map { "." + $0 }.joined(separator: " "),
    summary: "a movie in that container"
  ) { word throws(EncodeError) in
    guard let container = word.container ?? Container(named: word.path.fileExtension) else {
      return nil
    }
    try word.path.checkPlace()
    return .movie(container, .file(word.path.target))
  }
}
