import Frames
package import Recorder

/// An event of a running batch; events come one at a time.
package enum BatchEvent: Sendable {
  case planned(BatchPlan)
  /// An input arrived that was not in the plan; if the item has no reason, its output is done already.
  case arrived(BatchPlan.Item)
  case begun(BatchPlan.Item)
  /// How far a recording is, at most ten times a second.
  case progress(BatchPlan.Item, RecordingProgress, RecordingReady)
  case chunk(BatchPlan.Item, made: Int, of: Int)
  case done(BatchPlan.Item, MadeOutput)
  case failed(BatchPlan.Item, String)
  /// A message about one item, or about the whole batch.
  case notice(BatchPlan.Item?, String)
}

/// What an output holds.
package struct MadeOutput: Sendable {
  /// Nil if the journal does not say it.
  package var frames: Int?
  package var bytes: Int64
  /// Its length in seconds; nil if the journal does not say it.
  package var duration: Double?
  /// What is wrong with it; nil if nothing is.
  package var flaw: OutputFlaw?
  /// Warnings about it, the sentence about the flaw first.
  package var warnings: [String] = []
  /// What it was made of; nil if it was done before.
  var fingerprint: ResultFingerprint?
  /// Seconds from the beginning of its recording to its final name; nil if it was done before.
  package var elapsed: Double?
}

/// How a batch ended.
package struct BatchResult: Sendable {
  /// Outputs that were done before, and outputs that this run made.
  package var kept = 0
  package var made = 0
  /// Outputs that are there, made by this run or before, and not whole, with the reason, in the order of the plan.
  package var flaws: [(item: BatchPlan.Item, flaw: OutputFlaw, reason: String)] = []
  /// Items that failed, with the reason, in the order of the plan.
  package var failures: [(item: BatchPlan.Item, reason: String)] = []
  /// Whether the batch was stopped, or ended at the first failure.
  package var isIncomplete = false
}
