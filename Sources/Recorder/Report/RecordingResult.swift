import Capture
import Encode
import Frames

extension RecordingResult {
  /// How a run ended, by what became of its stages.
  ///
  /// - Parameters:
  ///   - ends: Of each output.
  ///   - told: What was told already of outputs that failed while others went on, by their place.
  ///   - failure: Of the stages before.
  ///   - source: What went less than well while reading, and the source's name.
  ///   - progress: The numbers at the end.
  /// - Throws: The first failure, where nothing was made.
  init(
    _ ends: [EncodeResult], told: [Int: Notice], failure: (any Error)?,
    source: (name: String, report: SourceReport), progress: RecordingProgress
  ) throws {
    guard ends.contains(where: { $0.result.report != nil }) else {
      let first =
        failure ?? ends.lazy.compactMap(\.failure).first
        ?? RecorderError("nothing was recorded; check the input")
      // Each file that is left is named.
      throw ends.filter(\.isUnfinished).compactMap(\.failure).reduce(first, EncodeResult.joined)
    }
    var outputs = ends.map(\.result)
    for (place, end) in ends.enumerated() {
      outputs[place].dropped = progress.outputs[place].dropped
      // Of what could not be completed there is more to tell than that it failed.
      outputs[place].incomplete =
        (end.isUnfinished ? nil : told[place])
        ?? end.failure.map {
          Notice(
            end.isUnfinished ? .outputUnfinished : .outputFailed, outputs[place].name,
            // A camera keeps nothing.
            RecordingResult.sentence($0, made: end.isBestEffort ? [] : [outputs[place]]))
        }
    }
    let stopped = failure.map {
      Notice(.incomplete, RecordingResult.sentence($0, made: outputs))
    }
    let lost = source.report.incomplete.map { Notice(.sourceLost, source.name, $0) }
    // What ended the recording comes before what ended an output alone.
    let fatal = outputs.indices.lazy.filter { told[$0] == nil }.compactMap {
      outputs[$0].incomplete
    }
    self.init(
      progress: progress, outputs: outputs, predictedTimes: source.report.predictedTimes,
      incomplete: stopped ?? fatal.first ?? lost
        ?? outputs.lazy.compactMap(\.incomplete).first)
    lostByDriver = source.report.lostByDriver
    damaged = source.report.damaged
  }

  private static func sentence(_ failure: any Error, made outputs: [OutputResult]) -> String {
    let names = outputs.filter { $0.report != nil }.map(\.name)
    guard !names.isEmpty else { return "\(failure)" }
    return "\(failure); what was encoded until then is in \(names.joined(separator: " and "))"
  }
}
