import Frames
import Glibc
import Settings

/// When a run ends by itself.
let stopOptions: [Option] = [
  .value(
    "stop-at", taking: .stopTime, into: \.stopTime, in: .input, of: [.record, .batch, .preview],
    traits: [.machine, .once],
    help: "Stop at this time of day (the next 06:30), or after a span (+90m)",
    details: """
      The span counts from the start of kfrec: seconds or HH:MM:SS, or a number with s, m, h or d. A recording \
      is completed as after Ctrl-C, a batch stops as after Ctrl-C, and the exit code is 75; the same command \
      goes on with a batch. It is 0 if everything ended before that time.
      """)
]

/// When a recording or a batch stops by itself (`--stop-at`).
enum StopTime: Sendable, Equatable {
  /// The next time that the clock shows this time of day.
  case clock(hour: Int, minute: Int, second: Int)
  /// So many seconds from the start.
  case after(Rational)

  /// The moment as seconds since 1970, on the machine's clock and in its time zone.
  ///
  /// - Parameter now: The start, in the same unit.
  /// - Returns: The first moment after the start.
  func moment(after now: Int) -> Int {
    switch self {
    case .after(let span): return now + Int(clamping: span.ticks(timeBase: .one))
    case .clock(let hour, let minute, let second):
      var (start, day) = (time_t(now), tm())
      localtime_r(&start, &day)
      (day.tm_hour, day.tm_min, day.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
      // The time zone says whether it is summer then.
      day.tm_isdst = -1
      var today = day
      let moment = Int(mktime(&today))
      if moment > now { return moment }
      day.tm_mday += 1
      day.tm_isdst = -1
      return Int(mktime(&day))
    }
  }
}

extension ValueGrammar where Value == StopTime {
  /// `HH:MM`, `HH:MM:SS`, or a span behind a plus sign.
  static let stopTime = ValueGrammar(
    name: "WHEN",
    expected: "a time of day such as 06:30, or a span from the start such as +90m, +8h or +3600"
  ) { word in
    if word.hasPrefix("+") { return span(String(word.dropFirst())).map(StopTime.after) }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.enumerated().compactMap { place, part in
      (part.count == 2 || place == 0 && part.count == 1) && part.utf8.allSatisfy { 48...57 ~= $0 }
        ? Int(part) : nil
    }
    guard numbers.count == parts.count, [2, 3].contains(parts.count), numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return .clock(hour: numbers[0], minute: numbers[1], second: numbers.dropFirst(2).first ?? 0)
  }

  /// Parses seconds, HH:MM:SS, or a number with one of the units s, m, h and d.
  private static func span(_ word: String) -> Rational? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    let time = ValueGrammar<Rational>.time(positive: true)
    guard let last = word.last, let unit = units[last] else { return try? time.parse(word) }
    guard !word.contains(":"), let number = try? time.parse(String(word.dropLast())) else {
      return nil
    }
    return number * Rational(unit)
  }
}
