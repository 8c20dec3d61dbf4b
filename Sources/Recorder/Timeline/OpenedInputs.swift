import Capture
import Frames

/// The inputs of a recording, opened: their first frames are there.
struct OpenedInputs: Sendable {
  private enum Content: Sendable {
    case single(OpenedSource)
    case several([Clip])
  }

  private let content: Content
  /// How much is wanted of several inputs together, in seconds and frames; a single one knows that
  /// itself.
  private let limit: (time: Rational?, frames: Int?)
  private let includesSound: Bool
  private let isHeard: Bool

  /// Opens one source, or several at once; of several those behind the second are closed again until
  /// they are needed, as far as that is possible.
  ///
  /// - Parameters:
  ///   - requests: In the order in which they are shown. All end by the first one's interruption, and
  ///     its duration and frames are those of all together.
  ///   - control: Ends the opening early.
  /// - Throws: A sentence for the user; nothing is left open.
  init(_ requests: [SourceRequest], control: RecordingControl) throws {
    let leading = requests[0]
    limit = (leading.duration, leading.frames)
    (includesSound, isHeard) = (leading.includesSound, leading.isHeard)
    guard requests.count > 1 else {
      content = .single(try OpenedSource(leading, control: control))
      return
    }
    var first = leading
    // The sources are read as far as the output takes.
    (first.duration, first.frames) = (nil, nil)
    // Their sound is mixed before effects hear it.
    first.includesSound = leading.includesSound || leading.isHeard
    let others = requests.dropFirst().map { request in
      var other = request
      other.interruption = leading.interruption
      other.includesSound = first.includesSound
      other.isHeard = leading.isHeard
      return other
    }
    let opening = try Pending(.decode) {
      try others.enumerated().map { place, request in
        let clip = try Clip(request, control: control)
        if place > 0 { clip.rest() }
        return clip
      }
    }
    let clip: Clip
    do { clip = try Clip(first, control: control) } catch {
      // Another one may be a pipe that nobody writes to.
      leading.interruption.interrupt()
      throw error
    }
    content = .several([clip] + (try opening.value()))
  }

  /// Puts them one after the other.
  ///
  /// - Parameter overlaps: For each pair how long both are seen, in seconds; 0 for a cut.
  /// - Returns: What they show.
  /// - Throws: A sentence for the user.
  func source(overlaps: [Rational]) throws -> any FrameSetSource {
    switch content {
    case .single(let source): SingleClip(source)
    case .several(let clips):
      try ClipSequence(
        clips, overlaps: overlaps, limit: limit, includesSound: includesSound,
        isHeard: isHeard)
    }
  }
}
