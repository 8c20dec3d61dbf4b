/// Where the thread of a stage spends its time, in seconds.
///
/// Only that thread fills it, by reading the clock.
struct StageTimes: Sendable {
  /// Number of frames that passed through.
  var frames = 0
  var busy = 0.0
  /// Time waiting for input.
  var input = 0.0
  /// Time waiting for room in the next queue.
  var room = 0.0
}
