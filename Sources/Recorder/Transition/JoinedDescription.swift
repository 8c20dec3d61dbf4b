import Capture
import Frames

extension JoinedSource {
  /// The first source's, with what the second one changes.
  var description: SourceDescription {
    var description = first.media.description
    let other = second.media.description
    description.name += ", " + other.name
    description.timeBase = JoinedSource.commonUnit(
      [description.timeBase, other.timeBase, times.start])
    description.duration = times.total ?? (other.isStill ? times.end : nil)
    if let duration = limit.time {
      description.duration = min(description.duration ?? duration, duration)
    }
    description.frameCount = frameCount
    description.openingCalls += other.openingCalls
    description.warnings += other.warnings
    for name in unheard {
      description.warnings.append(
        "the sound of \(name) is left out: only that of a file can be mixed with another")
    }
    if second.first.format.color.isHighDynamicRange != first.first.format.color.isHighDynamicRange {
      description.warnings.append(
        """
        one of \(description.name) is HDR and the other is not: the second one's values are kept and \
        tagged as the first one's
        """)
    }
    description.sound = sound.map { [$0.stream] } ?? []
    return description
  }

  /// Those whose sound was stored and cannot be had a second time.
  private var unheard: [String] {
    [(first, sound?.hasFirst), (second, sound?.hasSecond)].compactMap { source, isHeard in
      let description = source.media.description
      return description.sound.isEmpty || isHeard == true ? nil : description.name
    }
  }

  /// The first source's and those of the second that come after it, about.
  private var frameCount: Int? {
    guard let count = first.media.description.frameCount else { return limit.frames }
    let after = times.total.map { ($0 - times.end) * second.media.description.frameRate }
    guard let after = after ?? (second.media.description.isStill ? .zero : nil) else {
      return limit.frames
    }
    var whole = count + Int(after.floor)
    if let time = limit.time {
      whole = min(whole, Int((time * first.media.description.frameRate).floor) + 1)
    }
    return min(whole, limit.frames ?? whole)
  }

  /// A unit of which all these are multiples, or a microsecond where that would be finer still.
  private static func commonUnit(_ times: [Rational]) -> Rational {
    let finest: Int64 = 1_000_000
    var common: Int64 = 1
    for time in times {
      // The least common multiple: a fraction in lowest terms has the rest.
      let factor = Rational(time.denominator, common).numerator
      guard factor <= finest / common else { return Rational(1, finest) }
      common *= factor
    }
    return Rational(1, common)
  }
}
