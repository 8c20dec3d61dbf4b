/// Where the thread of a stage spends its time, in seconds; only that thread fills it, by reading the clock.
struct StageTimes: Sendable {
  var frames = 0
  var busy = 0.0
  var input = 0.0
  /// Time waiting for room in the next queue.
  var room = 0.0
}
