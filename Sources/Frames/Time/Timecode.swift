/// SMPTE time code: hours, minutes, seconds and frames, counted from a first frame.
public struct Timecode: Sendable, Equatable {
  /// The number of the first frame, counted from 00:00:00:00.
  public var first: Int64
  /// Frames in a second.
  public let frameRate: Rational
  /// Frames in a second of the code, which is the frame rate made whole.
  public let rate: Int64
  /// Whether numbers are left out so that the code keeps up with the clock at 29.97 or 59.94 frames per second.
  public let dropsNumbers: Bool

  /// A code that begins at 00:00:00:00 and leaves out nothing.
  public init(frameRate: Rational) {
    (first, dropsNumbers, self.frameRate) = (0, false, frameRate)
    rate = max((frameRate + Rational(1, 2)).floor, 1)
  }

  /// Reads a code as files have it: `01:00:00:00`, or `01:00:00;00` if numbers are left out; nil for other
  /// text.
  public init?(_ text: String, frameRate: Rational) {
    let parts = text.split(whereSeparator: { ":;.".contains($0) }).map { Int64($0) }
    let rate = max((frameRate + Rational(1, 2)).floor, 1)
    guard parts.count == 4, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      let frames = parts[3], (0..<24).contains(hours), (0..<60).contains(minutes),
      (0..<60).contains(seconds), (0..<rate).contains(frames)
    else { return nil }
    (self.rate, self.frameRate) = (rate, frameRate)
    // Only codes at multiples of 30 leave numbers out.
    dropsNumbers = text.contains(where: { ";.".contains($0) }) && rate % 30 == 0
    let count = ((hours * 60 + minutes) * 60 + seconds) * rate + frames
    let all = hours * 60 + minutes
    first = dropsNumbers ? count - (all - all / 10) * (rate / 15) : count
  }

  /// Returns the code of a frame, counted from the first one; it begins again after 24 hours.
  public func text(ofFrame frame: Int64) -> String {
    var count = first + frame
    if dropsNumbers {
      // Two numbers of 30 are left out at the start of each minute, but not of each tenth.
      let left = rate / 15
      let minute = rate * 60 - left
      let tenMinutes = minute * 10 + left
      let (tens, rest) = (count / tenMinutes, count % tenMinutes)
      count += 9 * left * tens + (rest >= left ? left * ((rest - left) / minute) : 0)
    }
    let seconds = count / rate
    let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
      .map { zeroPadded($0, digits: 2) }
    return parts.joined(separator: ":") + (dropsNumbers ? ";" : ":")
      + zeroPadded(count % rate, digits: rate > 100 ? 3 : 2)
  }
}
