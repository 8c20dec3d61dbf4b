import Capture
import Frames

/// The open inputs of a recording, with their first frames.
struct OpenedInputs {
  /// The only source; nil if there are several.
  private let single: OpenedSource?
  private let clips: [Clip]
  private let limit: TrimPlan.Limit
  private let grid: FrameGrid?
  private let includesAudio: Bool
  private let feedsEffects: Bool

  /// Opens one source, or several in parallel.
  ///
  /// Of several, those after the second are closed again until they are needed, if possible. If it throws, nothing stays
  /// open.
  init(_ plan: OpeningPlan, control: RecordingControl) throws {
    (limit, grid) = (plan.trim.clips, plan.recording.pace.grid)
    (includesAudio, feedsEffects) = (plan.includesAudio, plan.feedsEffects)
    let first = plan.sources[0]
    guard plan.sources.count > 1 else {
      (single, clips) = (try OpenedSource(first, control: control), [])
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
      // Another source may be a pipe that nobody writes to.
      first.interruption.interrupt()
      throw error
    }
    (single, clips) = (nil, [clip] + (try opening.value()))
  }

  /// Joins the inputs in order; for each pair, both are visible for the seconds of its overlap, 0 for a cut.
  func source(overlaps: [Rational]) throws -> any FrameSetSource {
    if let single { return SingleClip(single) }
    return try ClipSequence(
      clips, overlaps: overlaps, limit: limit, grid: grid, includesAudio: includesAudio,
      feedsEffects: feedsEffects)
  }
}
