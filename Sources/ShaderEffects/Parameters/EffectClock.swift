public import Frames

/// The moment of one frame as an effect sees it, never the wall clock, and what else belongs to the frame.
public struct EffectClock: Sendable, Equatable {
  /// Effect time in seconds; by default 0 at the first output frame.
  public var time: Rational
  /// Seconds since the previous frame; 0 for the first frame.
  public var timeDelta: Rational
  /// The index of the frame; by default counted from 0.
  public var frameIndex: Int
  /// The nominal frame rate, in frames per second.
  public var frameRate: Rational
  /// The creation time of the source, in seconds since 1970-01-01 UTC; nil counts as 0.
  public var creationTime: Rational?
  /// The progress of the transition from one clip to the next, from 0 to 1.
  public var progress = Rational.zero
  /// The width of the frame's pixels in parts of their height; 1 for square pixels.
  public var pixelAspect = 1.0
  /// The moment of the frame in the source, in seconds from its zero, if the source's time runs otherwise than effect
  /// time: faster, slower or backwards.
  public var sourceTime: Rational?
  /// The moment of the frame in the time of the input, in seconds from its zero; nil if that is effect time.
  public var inputTime: Rational?
  /// The source's time code at effect time zero, or at the zero of `sourceTime`; nil if it has none.
  public var timecode: Timecode?
  /// The name of the source that the frame is from.
  public var sourceName = ""
  /// What formulas hear.
  public var sound = AudioLevels()

  public init(
    time: Rational, timeDelta: Rational, frameIndex: Int, frameRate: Rational,
    creationTime: Rational?
  ) {
    self.time = time
    self.timeDelta = timeDelta
    self.frameIndex = frameIndex
    self.frameRate = frameRate
    self.creationTime = creationTime
  }

  /// Returns the clock of a moment a little before this one's frame, with the frame that would be there at the
  /// nominal rate.
  public func moved(to time: Rational) -> EffectClock {
    var clock = self
    clock.frameIndex -= Int(clamping: ((self.time - time) * frameRate + Rational(1, 2)).floor)
    clock.time = time
    return clock
  }

  /// ISF's DATE: year, month from 1, day from 1, seconds of the day, all UTC.
  var date: (year: Double, month: Double, day: Double, seconds: Double) {
    let moment = (creationTime ?? .zero) + (sourceTime ?? time)
    let day = (moment / Rational(86_400)).floor
    let seconds = moment - Rational(day) * Rational(86_400)
    let civil = Self.civil(day: day)
    return (Double(civil.year), Double(civil.month), Double(civil.day), seconds.doubleValue)
  }

  /// Returns the Gregorian date of a day counted from 1970-01-01.
  ///
  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years begin in
  /// March, so that the leap day is the last day of a year, and 400 years have 146,097 days.
  static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Rational can hold any number of seconds; no calendar applies beyond these days.
    let limit: Int64 = 1 << 50
    let shifted = min(max(day, -limit), limit) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
