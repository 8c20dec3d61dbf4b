import Frames
import Glibc

/// A kind of source: how its name is recognised and how it is opened.
package struct SourceKind: Sendable {
  /// A word for listings.
  package let name: String
  /// What to type after `-i`, and what it gives.
  package let help: String
  let recognizes: @Sendable (SourceRequest) -> Bool
  let open: @Sendable (SourceRequest) throws(CaptureError) -> any MediaSource

  /// All kinds, in the order in which they are asked; the last takes what is left.
  package static let all = [testPattern, blank, camera, sequence, file]

  private static let testPattern = SourceKind(
    name: "testsrc", help: "testsrc: a moving test picture, 1280x720 at 30 fps unless told",
    recognizes: { $0.input == "testsrc" },
    open: { request throws(CaptureError) in PatternSource(request) })

  private static let blank = SourceKind(
    name: "blank", help: "blank: transparent black, 1280x720 at 30 fps unless told",
    recognizes: { $0.input == "blank" },
    open: { request throws(CaptureError) in PatternSource(request, isBlank: true) })

  private static let camera = SourceKind(
    name: "camera",
    help:
      "/dev/videoN, a /dev/v4l/by-id path or part of a name: a camera; the first one unless told",
    recognizes: { isCamera($0.input) },
    open: { request throws(CaptureError) in try CameraSource(request) })

  private static let sequence = SourceKind(
    name: "sequence", help: "name-%04d.png: numbered pictures, 25 fps unless told with --fps",
    recognizes: { isSequence($0.input) && access($0.input, F_OK) != 0 },
    open: { request throws(CaptureError) in try FileSource(request, kind: .sequence) })

  private static let file = SourceKind(
    name: "file", help: "FILE, URL or - (standard input): a video or a picture",
    recognizes: { _ in true },
    open: { request throws(CaptureError) in
      try FileSource(request, kind: request.input == "-" ? .standardInput : .file)
    })

  /// No name at all, a video device's path, or what is part of a camera's name and no file's.
  private static func isCamera(_ input: String) -> Bool {
    if input.isEmpty || input.hasPrefix("/dev/video") || input.hasPrefix("/dev/v4l/") {
      return true
    }
    guard input != "-", !input.contains("/"), access(input, F_OK) != 0 else { return false }
    return listCameras().contains { $0.isNamed(input) }
  }

  /// What is asked for is a camera.
  package static func isCamera(_ request: SourceRequest) -> Bool {
    all.first { $0.recognizes(request) }?.name == camera.name
  }

  /// What is asked for is a single file, or a URL.
  static func isFile(_ request: SourceRequest) -> Bool {
    all.first { $0.recognizes(request) }?.name == file.name && request.input != "-"
  }

  /// The name is a pattern of numbered pictures.
  package static func isSequence(_ name: String) -> Bool {
    !name.contains("://") && SequencePattern(name) != nil
  }
}

extension SourceRequest {
  /// It gives the same when it is opened once more: a file, numbered pictures, a pattern.
  package var canBeOpenedAgain: Bool {
    guard input != "-", !input.contains("://"), !SourceKind.isCamera(self) else { return false }
    return access(input, F_OK) != 0 || (try? FileProblems.check(input)) == .file
  }

  /// The paths of the files that are read, as far as the input's name tells; what is at them may be no
  /// file.
  package var paths: [String] {
    if input == "-" { return ["/dev/stdin"] }
    if SourceKind.isSequence(input), access(input, F_OK) != 0 {
      return NumberedPictures.paths(of: input)
    }
    let scheme = "file:"
    return [
      input.contains("://") && input.hasPrefix(scheme)
        ? String(input.dropFirst(scheme.count)) : input
    ]
  }
}

/// Opens the source that a request names.
///
/// - Throws: A sentence for the user; nothing is left open.
/// - Parameter request: What is asked for.
/// - Returns: A source whose first sample is a frame.
package func openSource(_ request: SourceRequest) throws(CaptureError) -> any MediaSource {
  guard let kind = SourceKind.all.first(where: { $0.recognizes(request) }) else {
    throw CaptureError("\(request.input) is no source that kfrec knows", isUsageError: true)
  }
  let opened = try kind.open(request)
  let source = RepeatedStill(opened, request: request) ?? opened
  guard request.isPaced, !source.description.isLive else { return source }
  return PacedSource(
    source, interruption: request.interruption, isLive: !request.pacedFramesWait)
}
