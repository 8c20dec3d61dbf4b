import Capture
import Frames

/// When the second of two sources begins and the first one ends, in seconds of output.
struct JoinedTimes: Sendable, Equatable {
  /// The second source's first frame, and the beginning of the transition.
  let start: Rational
  /// The end of the first source and of the transition.
  let end: Rational
  /// The last moment of the second source; nil where it is not known.
  let total: Rational?

  /// - Throws: Where the first source's length is not known, or the overlap is longer than a source.
  init(first: OpenedSource, second: OpenedSource, overlap: Rational) throws(RecorderError) {
    let name = first.media.description.name
    guard !first.media.description.isLive else {
      throw RecorderError(
        "\(name) is live, and a transition begins before the end of the first input, which nobody knows; "
          + "give a file as the first -i", isUsageError: true)
    }
    guard let length = first.length else {
      throw RecorderError(
        "how long \(name) lasts is not known, and a transition begins before the end of the first input; "
          + "give a film in a file as the first -i", isUsageError: true)
    }
    let other = second.length
    if overlap > length || other.map({ overlap > $0 }) == true {
      let lengths = [(name, length)] + (other.map { [(second.media.description.name, $0)] } ?? [])
      throw RecorderError(
        "--overlap \(JoinedTimes.seconds(overlap)) is more than there is: "
          + lengths.map { "\($0) lasts \(JoinedTimes.seconds($1)) seconds" }
          .joined(separator: ", ") + "; make it shorter", isUsageError: true)
    }
    start = length - overlap
    end = length
    total = other.map { length - overlap + $0 }
  }

  /// To thousandths, without zeros at the end.
  static func seconds(_ time: Rational) -> String {
    let thousandths = time.ticks(timeBase: Rational(1, 1000))
    return thousandths % 1000 == 0
      ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
  }
}

extension OpenedSource {
  /// From the first frame to the end of the last one by the container, in seconds; nil where that
  /// does not say, and of a still.
  var length: Rational? {
    guard let end = media.description.end, end > first.time else { return nil }
    return end - first.time
  }
}
