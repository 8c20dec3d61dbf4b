import Frames

/// Leaves out frames of a source that runs faster, so that there are not more frames per second than before.
///
/// Frames keep their exact times: at 1.5 times the speed every third one is left out. A source with few frames in a
/// second, such as slides, keeps those that a usual frame rate can show. Where frames come closer than the source's
/// usual rate says (an average, if there are pauses between them), their own distance is the limit.
struct FrameThinning {
  /// Most frames in a second of the output, as far as the usual rate tells.
  let most: Rational
  private let speed: Rational
  /// Least seconds of the output from one frame to the next.
  private var interval: Rational
  /// The time from which a frame is wanted again.
  private var due: Rational?
  /// Time of the latest frame, wanted or not, and its distance from the frame before it.
  private var latest: (time: Rational, distance: Rational?)?

  /// What is shown without stutter: fewer frames in a second are not left out.
  private static let fluent = Rational(25)

  /// Makes one for `speed` seconds of the source in each second of the output; `asked` is a rate that is welcome.
  init(speed: Rational, usual rate: Rational, asked: Rational?) {
    self.speed = speed
    most = max(Self.most(ofSource: rate, at: speed), asked ?? .zero)
    interval = most.reciprocal
  }

  /// At least all frames, if these are few enough; else a whole multiple of the source's rate, so that frames are left
  /// out at even distances.
  private static func most(ofSource rate: Rational, at speed: Rational) -> Rational {
    let multiple = Rational(max((fluent / rate).floor, 1))
    return rate * (rate * speed <= fluent ? max(multiple, speed) : multiple)
  }

  /// Returns whether the next frame is wanted.
  mutating func takes(_ time: Rational) -> Bool {
    note(time)
    let due = due ?? time
    // Containers round times.
    guard time + min(interval, most.reciprocal) / Rational(4) / speed >= due else { return false }
    // After a gap the frames do not catch up.
    self.due = max(due, time - interval / Rational(2)) + interval
    return true
  }

  /// Learns from how close the frames come; a single short distance is a mistake in the timestamps.
  private mutating func note(_ time: Rational) {
    defer { latest = (time, latest.map { time - $0.time }) }
    guard let latest, time > latest.time else { return }
    let distance = max(time - latest.time, latest.distance ?? time - latest.time) * speed
    let rate = min(Self.most(ofSource: distance.reciprocal, at: speed), Rational(1000))
    interval = min(interval, rate.reciprocal)
  }
}
