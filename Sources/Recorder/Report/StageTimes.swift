/// Where the thread of a stage spends its time, in seconds.
///
/// Filled by that thread alone, by looks at the clock.
struct StageTimes: Sendable {
  /// Frames that went through.
  var frames = 0
  var busy = 0.0
  /// Waiting for something to do.
  var input = 0.0
  /// Waiting for room behind it.
  var room = 0.0
}
