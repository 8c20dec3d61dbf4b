import Capture
import Frames

/// A single clip at a constant frame rate: each frame is a mix of the clip's frames before and after its time.
///
/// The first effect of the chain mixes them: the clip's next frame is its second image, as in a transition. The shares
/// are those of the time that lies between, so a frame at its own time is shown as it is. A frame that stays for long
/// is not mixed until shortly before the next one.
final class BlendedClip: WrappingSource {
  let source: any FrameSetSource
  private let rate: Rational
  /// The number of the next frame of the output.
  private var number: Int64 = 0
  /// The clip's frame before that time.
  private var before: FrameSet?
  private var ready: [TimelineItem] = []
  private var isOver = false
  /// Seconds before a frame in which the frame before it is mixed with it.
  private let mixing: Rational

  /// A longer gap between two frames, in seconds, is left to the stage that cuts it.
  private static let longestGap = Rational(600)

  /// Takes over a single source; a pace without a number is the source's own.
  init(_ clip: any FrameSetSource, to pace: OutputPace) {
    source = clip
    let nominal = clip.description.frameRate
    if case .constant(let rate?) = pace { self.rate = rate } else { rate = nominal }
    mixing = Rational(3, 2) / nominal
  }

  var description: SourceDescription {
    var description = source.description
    (description.frameRate, description.timeBase) = (rate, rate.reciprocal)
    description.frameCount = description.duration.map {
      Int(($0 * rate + Rational(1, 2)).floor)
    }
    return description
  }

  /// The next frame of the same clip counts as a second clip.
  var formats: [FrameFormat] { source.formats + source.formats }

  func next() throws -> TimelineItem? {
    while ready.isEmpty, !isOver {
      guard let item = try source.next() else {
        isOver = true
        finishLast()
        break
      }
      guard case .frame(let after) = item else { return item }
      if let before { mix(before, after) }
      before = after
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Makes the frames whose times lie between two frames of the clip.
  private func mix(_ before: FrameSet, _ after: FrameSet) {
    guard after.time - before.time <= Self.longestGap else {
      show(before, until: before.time + (before.primary.duration ?? rate.reciprocal))
      number = max(number, (after.time * rate).ceiling)
      return
    }
    let begin = max(before.time, after.time - mixing)
    while case let time = Rational(number) / rate, time < after.time {
      let share = max((time - begin) / (after.time - begin), .zero)
      guard share > .zero else {
        ready.append(.frame(blank(before, at: time)))
        continue
      }
      var set = blank(before, at: time)
      set.primary.captured = after.primary.captured
      (set.inputs, set.stretch, set.progress) = ([after.primary], .transition(from: 0), share)
      ready.append(.frame(set))
    }
  }

  /// The last frame stays until its end.
  private func finishLast() {
    guard let before else { return }
    show(before, until: before.time + (before.primary.duration ?? rate.reciprocal))
  }

  private func show(_ set: FrameSet, until end: Rational) {
    let last = (end * rate + Rational(1, 2)).floor
    while number < last { ready.append(.frame(blank(set, at: Rational(number) / rate))) }
  }

  /// Returns a set without a second frame, and counts it.
  private func blank(_ set: FrameSet, at time: Rational) -> FrameSet {
    number += 1
    var set = set
    (set.primary.time, set.primary.duration) = (time, rate.reciprocal)
    set.inputs = [nil]
    return set
  }
}
