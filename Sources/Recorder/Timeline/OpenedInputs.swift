import Capture
import Frames

/// The inputs of a recording, opened: their first frames are there.
struct OpenedInputs: Sendable {
  private enum Content: Sendable {
    case single(OpenedSource)
    case several([Clip])
  }

  private let content: Content
  /// How much is wanted of several inputs together.
  private let limit: TrimPlan.Limit
  private let includesAudio: Bool
  private let isHeard: Bool

  /// Opens one source, or several at once; of several those behind the second are closed again until
  /// they are needed, as far as that is possible.
  ///
  /// - Parameters:
  ///   - plan: Which ones.
  ///   - control: Ends the opening early.
  /// - Throws: A sentence for the user; nothing is left open.
  init(_ plan: OpeningPlan, control: RecordingControl) throws {
    limit = plan.trim.clips
    (includesAudio, isHeard) = (plan.includesAudio, plan.isHeard)
    let first = plan.sources[0]
    guard plan.sources.count > 1 else {
      content = .single(try OpenedSource(first, control: control))
      return
    }
    let others = Array(plan.sources.dropFirst())
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
      first.interruption.interrupt()
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
        clips, overlaps: overlaps, limit: limit, includesAudio: includesAudio,
        isHeard: isHeard)
    }
  }
}
