import CV4L2
import Frames

/// Makes a frame's time of the stamp that the driver gave its buffer.
///
/// A good stamp is kept to the microsecond. Cameras exist whose stamps stand still, go backward or
/// come from another clock: a single bad one is reckoned from the frame before, and where they are
/// bad in a row, or never meant to be good, the time of arrival is taken from then on.
struct CameraClock {
  /// A frame's time and how it was found.
  struct Reading: Equatable {
    /// Microseconds on the monotonic clock; later than that of the frame before.
    var time: Int64
    var source: Source
  }

  enum Source { case driver, predicted, arrival }

  /// Times are those of arrival; the driver's are no good.
  private(set) var usesArrival = false

  private var previous: (time: Int64, sequence: UInt32)?
  private var badInRow = 0
  private let frameDuration: Int64

  /// Stamps this far from the moment at which they are read are of another clock, in microseconds.
  private static let plausible: Int64 = 10_000_000
  private static let patience = 5

  init(frameDuration: Rational) {
    self.frameDuration = max(frameDuration.ticks(timeBase: Rational(1, 1_000_000)), 1)
  }

  /// The time of the next frame.
  ///
  /// - Parameters:
  ///   - stamp: The driver's, in microseconds; nil where its flags name no monotonic clock.
  ///   - sequence: The driver's count.
  ///   - arrival: When the buffer was taken.
  /// - Returns: The time, and how it was found.
  mutating func read(stamp: Int64?, sequence: UInt32, arrival: MonotonicTime) -> Reading {
    let now = arrival.nanoseconds / 1000
    let reading: Reading
    if !usesArrival, let stamp, isGood(stamp, now) {
      badInRow = 0
      reading = Reading(time: stamp, source: .driver)
    } else {
      badInRow += 1
      // From the first frame on nothing is known to be better than the arrival.
      usesArrival =
        usesArrival || stamp == nil || previous == nil || badInRow >= CameraClock.patience
      reading = usesArrival ? arrived(now) : predicted(sequence)
    }
    previous = (reading.time, sequence)
    return reading
  }

  private func isGood(_ stamp: Int64, _ now: Int64) -> Bool {
    guard stamp > now - CameraClock.plausible, stamp < now + CameraClock.plausible else {
      return false
    }
    return previous.map { stamp > $0.time } ?? true
  }

  private func arrived(_ now: Int64) -> Reading {
    Reading(time: max(now, previous.map { $0.time + 1 } ?? now), source: .arrival)
  }

  private func predicted(_ sequence: UInt32) -> Reading {
    guard let previous else { return Reading(time: 0, source: .predicted) }
    let frames = Int64(min(max(Int32(bitPattern: sequence &- previous.sequence), 1), 100))
    return Reading(time: previous.time + frames * frameDuration, source: .predicted)
  }
}

extension CameraBuffer {
  /// The stamp in microseconds; nil if there is none by the monotonic clock.
  ///
  /// Drivers that do not tell their clock (v4l2loopback) mostly mean that one; a stamp of another is far
  /// from the present, which whoever judges it sees.
  var monotonicStamp: Int64? {
    let clock = flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    guard
      clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        || clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN)
          && (stamp.tv_sec, stamp.tv_usec) != (0, 0)
    else { return nil }
    let (seconds, overflow) = Int64(stamp.tv_sec).multipliedReportingOverflow(by: 1_000_000)
    // A stamp of that size is no good, which whoever judges it sees.
    return overflow ? .max : seconds &+ Int64(stamp.tv_usec)
  }
}
