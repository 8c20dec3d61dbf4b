import Capture
import Frames

/// The part of the output in which one clip leads to the next one, in seconds.
struct ClipTransition: Sendable, Equatable {
  /// Time of the next clip's first frame.
  let start: Rational
  /// Time of the previous clip's end.
  let end: Rational

  /// Returns the progress at a time, from 0 to 1.
  func progress(at time: Rational) -> Rational {
    min(max((time - start) / (end - start), .zero), .one)
  }

  /// Throws a usage error if the length of a clip is required but not known, or an overlap is longer than a clip.
  static func check(_ clips: [Clip], overlaps: [Rational]) throws(RecorderError) {
    for (place, overlap) in overlaps.enumerated() where overlap > .zero {
      let (name, other) = (clips[place].name, clips[place + 1])
      guard !clips[place].description.isLive else {
        throw RecorderError(
          "\(name) is live, and a transition begins before the end of its first input, but that "
            + "end is not known; give a file before the transition", isUsageError: true)
      }
      guard let length = clips[place].length else {
        throw RecorderError(
          "the length of \(name) is not known, and a transition begins before the end of its first "
            + "input; give a video file before the transition", isUsageError: true)
      }
      // The part of the clip that the previous transition uses.
      let before = place > 0 ? overlaps[place - 1] : .zero
      let after = place + 1 < overlaps.count ? overlaps[place + 1] : .zero
      guard before + overlap > length || other.length.map({ overlap + after > $0 }) == true else {
        continue
      }
      let lengths = [(name, length)] + (other.length.map { [(other.name, $0)] } ?? [])
      throw RecorderError(
        "--overlap \(overlap.inThousandths) is longer than the inputs allow: "
          + lengths.map { "\($0) lasts \($1.inThousandths) seconds" }.joined(separator: ", ")
          + "; make the overlap shorter", isUsageError: true)
    }
  }
}

extension Rational {
  /// Seconds to thousandths, without final zeros.
  var inThousandths: String {
    let thousandths = ticks(timeBase: Rational(1, 1000))
    return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
  }
}
