/// A kind of source: what is typed for it, what it is like, and how it is opened.
///
/// The rest of the program never asks of which kind a source is. It asks for one of these traits.
package struct SourceKind: Sendable {
  /// What is typed after `-i`, as the help and the manual show it: "name-%04d.png".
  package let words: String
  /// What it gives, in a line for the help and the manual.
  package let summary: String
  /// What messages call it; nil where they call it what was typed.
  package var name: String?
  /// Its pictures are made while they are recorded, so that a microphone's sound belongs to them.
  package var isLive = false
  /// kfrec draws its pictures, in the size that is asked for.
  package var isGenerated = false
  /// Its pictures have no times of their own, and follow each other at the rate that is asked for.
  package var takesFrameRate = false
  /// Whether the text alone says that this kind is meant.
  let isWritten: @Sendable (String) -> Bool
  /// Whether this kind is meant, after a look at files and devices; nil where the text says it all.
  var isMeant: (@Sendable (String) -> Bool)?
  /// Whether it gives the same when it is opened once more.
  var canBeOpenedAgain: @Sendable (String) -> Bool = { _ in true }
  /// The paths of the files that are read, as far as the text tells; what is at them may be no file.
  package var paths: @Sendable (String) -> [String] = { _ in [] }
  let open: @Sendable (SourceRequest) throws(CaptureError) -> any MediaSource

  /// All kinds, in the order in which they are asked; the last takes what is left.
  package static let all = [testPattern, blank, color, standardInput, camera, url, sequence, file]

  /// The kind that a text stands for by itself: no file and no device is looked at.
  package static func written(_ input: String) -> SourceKind {
    all.first { $0.isWritten(input) } ?? file
  }
}

extension SourceRequest {
  /// The kind of source that is meant; files and devices of the name are looked for.
  package var kind: SourceKind {
    SourceKind.all.first { ($0.isMeant ?? $0.isWritten)(input) } ?? .file
  }

  /// It gives the same when it is opened once more: a file, numbered pictures, a pattern.
  package var canBeOpenedAgain: Bool { kind.canBeOpenedAgain(input) }
}

/// Opens the source that a request names.
///
/// - Throws: A sentence for the user; nothing is left open.
/// - Parameter request: What is asked for.
/// - Returns: A source whose first sample is a frame.
package func openSource(_ request: SourceRequest) throws(CaptureError) -> any MediaSource {
  let opened = try request.kind.open(request)
  let source = RepeatedStill(opened, request: request) ?? opened
  guard request.isPaced, !source.description.isLive else { return source }
  return PacedSource(
    source, interruption: request.interruption, isLive: !request.pacedFramesWait)
}
