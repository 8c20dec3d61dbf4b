import Frames
import Glibc

extension SourceKind {
  static let standardInput = SourceKind(
    words: "-", summary: "a video or an image from standard input",
    name: "standard input",
    isWritten: { $0 == "-" },
    canBeOpenedAgain: { _ in false },
    paths: { _ in ["/dev/stdin"] }, hasStreams: true,
    open: { request throws(CaptureError) in
      try FileSource(request, input: .standardInput(request))
    })

  static let url = SourceKind(
    words: "URL", summary: "a video or an image that FFmpeg downloads, such as https://...",
    isWritten: { $0.contains("://") },
    canBeOpenedAgain: { _ in false },
    paths: { input in
      let scheme = "file:"
      return input.hasPrefix(scheme)
        ? MediaPlaylist.files(readFor: String(input.dropFirst(scheme.count))) : []
    }, hasStreams: true,
    input: { request throws(CaptureError) in FileInput.url(request) },
    open: { request throws(CaptureError) in try FileSource(request, input: .url(request)) })

  static let sequence = SourceKind(
    words: "name-%04d.png",
    summary:
      "numbered images, from the lowest number on, at 25 frames per second or --fps",
    takesFrameRate: true,
    isWritten: { SequencePattern($0) != nil },
    // The name of an existing file may contain a percent sign.
    isMeant: { SequencePattern($0) != nil && access($0, F_OK) != 0 },
    paths: { NumberedImages.paths(of: $0) },
    input: { request throws(CaptureError) in try FileInput.sequence(request) },
    open: { request throws(CaptureError) in try FileSource(request, input: .sequence(request)) })

  static let file = SourceKind(
    words: "FILE",
    summary: """
      a video or an image; an image is shown for the time that --duration or --frames gives, and a \
      video of it needs one of them
      """,
    isWritten: { _ in true },
    canBeOpenedAgain: { input in
      access(input, F_OK) != 0 || (try? FileProblems.check(input)) == .file
    },
    paths: { MediaPlaylist.files(readFor: $0) }, hasStreams: true, isCountable: true,
    input: { request throws(CaptureError) in try FileInput.file(request) },
    open: { request throws(CaptureError) in try FileSource(request, input: .file(request)) })
}
