import Testing

@testable import Capture

@Suite("Repair of times")
struct TimestampRepairTests {
  @Test(
    "Missing and backward times are the one before and its duration",
    arguments: [
      ([0, 40, 80], [40, 40, 40], [0, 40, 80], 0),
      ([0, nil, 80], [40, 40, 40], [0, 40, 80], 1),
      ([nil, nil, nil], [nil, nil, nil], [0, 25, 50], 3),
      ([100, 50, 60], [40, 40, 40], [100, 140, 180], 2),
      ([0, 0, 0], [10, nil, nil], [0, 10, 35], 2),
      ([-40, 0, 40], [40, 40, 40], [-40, 0, 40], 0),
      ([0, 1_000_000, 40], [40, 40, 40], [0, 1_000_000, 1_000_040], 1),
      ([0, nil], [0, 0], [0, 25], 1),
    ] as [([Int64?], [Int64?], [Int64], Int)])
  func repair(times: [Int64?], durations: [Int64?], expected: [Int64], predicted: Int) {
    var repair = TimestampRepair(nominalDuration: 25)
    let repaired = zip(times, durations).map { repair.repair(time: $0, duration: $1) }
    #expect(repaired == expected)
    #expect(repair.predicted == predicted)
  }
}
