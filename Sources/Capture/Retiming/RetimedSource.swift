import Frames

/// Delivers another source faster or slower, backwards, or again, with exact times and with its audio.
///
/// Times count from the first delivered frame. The audio is read apart from the frames, because it is needed at other
/// times than the file stores it; it ends with the last frame.
final class RetimedSource: MediaSource {
  private(set) var description: SourceDescription
  private let source: any MediaSource
  private let retiming: Retiming
  private let interruption: Interruption
  private var frames: RetimedFrames
  private let sound: RetimedAudio?
  private let feedsEffects: Bool
  /// Leaves out frames of a faster source; nil if all are wanted.
  private var thinning: FrameThinning?
  /// Most frames to deliver.
  private let frameLimit: Int
  /// The time of the output at which it ends at the latest; nil for no limit.
  private let timeLimit: Rational?
  private let grid: FrameGrid?
  private var delivered = 0
  /// The next frame, with its time in the output; its end is the time of the frame after it.
  private var waiting: Frame?
  /// The time of the output at which the frames that were read end.
  private var end = Rational.zero
  /// The frame that comes after the audio before it; nil at the end.
  private var ready: Frame?
  /// Audio before this time of the output comes next; nil for none.
  private var soundGoal: Rational?
  private var soundHasEnded = false
  private var isOver = false

  /// Takes over an open source, which gives the frames of the part, and no audio.
  init(_ source: any MediaSource, _ request: SourceRequest) throws(CaptureError) {
    let retiming = request.retiming
    self.retiming = retiming
    guard !source.description.isStill else {
      throw CaptureError(
        "\(source.description.name) is a single image, which \(retiming.words) does not change; "
          + "give it a length, such as \(source.description.name)~duration=5", isUsageError: true)
    }
    self.source = source
    interruption = request.interruption
    feedsEffects = request.feedsEffects
    (frameLimit, grid) = (request.frames ?? .max, request.grid)
    let frames = try RetimedFrames(source, request)
    self.frames = frames
    var description = source.description
    let nominal = description.frameRate
    if retiming.speed > .one {
      let thinning = FrameThinning(
        speed: retiming.speed, usual: nominal, asked: request.frameRate)
      description.frameRate = min(nominal * retiming.speed, thinning.most)
      self.thinning = thinning
    } else {
      description.frameRate = nominal * retiming.speed
    }
    description.timeBase = description.timeBase / retiming.speed
    let rate = description.frameRate
    timeLimit = request.duration.map { request.grid?.filling($0, own: rate) ?? $0 }
    let length = frames.plan?.length ?? description.duration
    description.duration = [length.map { $0 / retiming.speed }, timeLimit].compactMap(\.self).min()
    if let turn = frames.plan?.pass(1), let timeLimit, timeLimit * retiming.speed <= turn.start {
      description.notices.append(
        Notice(
          .sourcePart, description.name,
          """
          the output ends before \(description.name) turns or begins again, so \(retiming.wordsOfTurns) changes \
          nothing: --duration is the length of the output; give the part with --start and --end
          """))
    }
    description.end = description.duration
    let count = description.duration.map {
      Int(($0 * description.frameRate + Rational(1, 2)).floor)
    }
    description.frameCount = [count, request.frames].compactMap(\.self).min()
    description.zero = .zero
    // Backwards the later field of each frame is the earlier one.
    if retiming.isReversed { description.fieldOrder = description.fieldOrder?.opposite }
    if retiming.isBoomerang { description.fieldOrder = nil }
    sound = try RetimedAudio(
      request, frames.plan, first: frames.firstTime ?? .zero, into: &description)
    self.description = description
  }

  var report: SourceReport {
    var report = source.report
    report.damagedAudio = DamagedAudio(description.name, packets: sound?.damaged ?? 0)
    return report
  }

  func next() throws(CaptureError) -> MediaSample? {
    while true {
      if let block = try nextBlock() { return .audio(block) }
      if let frame = ready {
        ready = nil
        // The last frame is followed by the rest of the audio.
        if isOver, !interruption.isInterrupted { soundGoal = end }
        return .frame(frame)
      }
      guard !isOver else { return nil }
      try prepare()
    }
  }

  /// Returns the next block of the audio that is due; one at a time, because it may last for hours.
  private func nextBlock() throws(CaptureError) -> AudioBlock? {
    guard let sound, let goal = soundGoal else { return nil }
    let isRest = isOver && ready == nil
    let inWholeBlocks = !isRest && !feedsEffects
    if !interruption.isInterrupted,
      let block = try sound.next(before: goal, inWholeBlocks: inWholeBlocks)
    {
      return block
    }
    if isRest, !soundHasEnded, !interruption.isInterrupted {
      soundHasEnded = true
      try sound.finish()
      return try nextBlock()
    }
    soundGoal = nil
    return nil
  }

  /// Prepares the next frame.
  private func prepare() throws(CaptureError) {
    let next = try nextWanted()
    guard var frame = waiting ?? next else {
      isOver = true
      return
    }
    // The first frame of all waits for the second one.
    let following = waiting == nil ? try nextWanted() : next
    let until = following?.time ?? end
    frame.duration = until - frame.time
    waiting = following
    delivered += 1
    (ready, soundGoal) = (frame, frame.time)
    guard following == nil || delivered >= frameLimit else { return }
    isOver = true
    end = grid?.nearest(to: until, own: description.frameRate) ?? until
  }

  /// Returns the next frame with its time in the output; nil at the end.
  private func nextWanted() throws(CaptureError) -> Frame? {
    while let item = try frames.next() {
      let start = item.start / retiming.speed
      if let timeLimit, start >= timeLimit {
        end = timeLimit
        return nil
      }
      end = min(item.end / retiming.speed, timeLimit ?? item.end / retiming.speed)
      var frame = item.frame
      frame.sourceTime = frame.time - source.description.zero
      frame.time = start
      guard thinning?.takes(frame.time) ?? true else { continue }
      return frame
    }
    return nil
  }
}
