import Capture
import Encode
import Frames

extension RecordingResult {
  /// Creates the result of a run from the results of its stages; throws the first failure, if no output was made.
  ///
  /// `reported` has the notices already sent about outputs that failed while others continued, by output index.
  init(
    _ ends: [EncodeResult], reported: [Int: Notice], failure: (any Error)?,
    source: (name: String, report: SourceReport), damage: Notice? = nil,
    progress: RecordingProgress
  ) throws {
    guard ends.contains(where: { $0.result.report != nil }) else {
      let first =
        failure ?? ends.lazy.compactMap(\.failure).first
        ?? RecorderError("nothing was recorded; check the input")
      // The message names each unfinished file that is left.
      throw ends.filter(\.isUnfinished).compactMap(\.failure).reduce(first, EncodeResult.joined)
    }
    var outputs = ends.map(\.result)
    for (place, end) in ends.enumerated() {
      outputs[place].dropped = progress.outputs[place].dropped
      // If an output could not be completed, its error says more than the notice that it failed.
      outputs[place].incomplete =
        (end.isUnfinished ? nil : reported[place])
        ?? end.failure.map {
          Notice(
            end.isUnfinished ? .outputUnfinished : .outputFailed, outputs[place].name,
            // A view beside files keeps no frames.
            RecordingResult.sentence($0, made: end.isBestEffort ? [] : [outputs[place]]))
        } ?? end.result.incomplete
    }
    let stopped = failure.map {
      Notice(.incomplete, RecordingResult.sentence($0, made: outputs))
    }
    let lost = source.report.incomplete.map { Notice(.sourceLost, source.name, $0) }
    // A failure that ended the recording comes before a failure that ended only one output.
    let fatal = outputs.indices.lazy.filter { reported[$0] == nil }.compactMap {
      outputs[$0].incomplete
    }
    let worse =
      stopped ?? fatal.first ?? lost ?? outputs.lazy.compactMap(\.incomplete).first
    let short = source.report.shortage.map { Notice(.sourceShort, source.name, $0) }
    self.init(
      progress: progress, outputs: outputs, predictedTimes: source.report.predictedTimes,
      incomplete: worse ?? damage ?? short)
    if worse == nil { flaw = damage != nil ? .damaged : short != nil ? .short : nil }
    lostByDriver = source.report.lostByDriver
    damaged = source.report.damaged
  }

  private static func sentence(_ failure: any Error, made outputs: [OutputResult]) -> String {
    let names = outputs.compactMap { output in
      output.report.flatMap { report -> String? in
        guard report.isKept else { return nil }
        guard let first = report.parts.first, let last = report.parts.last else {
          return output.name
        }
        return first.output == last.output ? first.output : "\(first.output) to \(last.output)"
      }
    }
    guard !names.isEmpty else { return "\(failure)" }
    return "\(failure)\(keptClause)\(names.joined(separator: " and "))"
  }

  private static let keptClause = "; what was encoded until then is in "

  /// Why the outputs are not complete, without the place of what was encoded; nil if they are complete, or have only a
  /// `flaw`.
  ///
  /// For callers that do not keep an incomplete output.
  package var shortfall: String? {
    guard flaw == nil, let message = incomplete?.message else { return nil }
    guard let clause = message.firstRange(of: RecordingResult.keptClause) else { return message }
    return String(message[..<clause.lowerBound])
  }
}
