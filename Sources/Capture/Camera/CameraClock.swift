import CV4L2
import Frames

/// Computes a frame's time from the timestamp that the driver gave its buffer.
///
/// A good timestamp is kept to the microsecond. Some cameras have timestamps that stand still, go
/// backward or come from another clock. A single bad one is predicted from the previous frame. If
/// several in a row are bad, or a timestamp is missing, the arrival time is used from then on.
struct CameraClock {
  /// A frame's time and how it was found.
  struct Reading: Equatable {
    /// Microseconds on the monotonic clock; later than the previous frame's time.
    var time: Int64
    var source: Source
  }

  enum Source { case driver, predicted, arrival }

  /// Whether frames get their arrival times, because the driver's timestamps are unusable.
  private(set) var usesArrival = false

  private var previous: (time: Int64, sequence: UInt32)?
  private var badInRow = 0
  private let frameDuration: Int64

  /// A timestamp this far from the time at which it is read belongs to another clock, in microseconds.
  private static let plausible: Int64 = 10_000_000
  private static let patience = 5

  init(frameDuration: Rational) {
    self.frameDuration = max(frameDuration.ticks(timeBase: Rational(1, 1_000_000)), 1)
  }

  /// Returns the time of the next frame; `stamp` is in microseconds, and nil without a monotonic clock.
  mutating func read(stamp: Int64?, sequence: UInt32, arrival: MonotonicTime) -> Reading {
    let now = arrival.nanoseconds / 1000
    let reading: Reading
    if !usesArrival, let stamp, isGood(stamp, now) {
      badInRow = 0
      reading = Reading(time: stamp, source: .driver)
    } else {
      badInRow += 1
      // If the first timestamp is bad, nothing is known to be better than the arrival time.
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
  /// The timestamp in microseconds; nil if there is none by the monotonic clock.
  ///
  /// Drivers that do not name their clock (v4l2loopback) mostly use the monotonic one. A timestamp of
  /// another clock is far from the present, and `CameraClock` rejects it.
  var monotonicStamp: Int64? {
    let clock = flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    guard
      clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        || clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN)
          && (stamp.tv_sec, stamp.tv_usec) != (0, 0)
    else { return nil }
    let (seconds, overflow) = Int64(stamp.tv_sec).multipliedReportingOverflow(by: 1_000_000)
    // A timestamp this large is invalid, and `CameraClock` rejects it.
    return overflow ? .max : seconds &+ Int64(stamp.tv_usec)
  }
}
