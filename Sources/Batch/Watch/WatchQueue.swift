import Encode
import Frames
import Glibc
import Synchronization

/// The inputs that arrive in watched folders and wait for their recording.
///
/// Any thread may call it.
final class WatchQueue: Sendable {
  /// What is done with an arrived input when its turn comes.
  enum Turn {
    case make(BatchPlan.Item)
    /// Its output is done already.
    case keep(BatchPlan.Item)
    case refuse(BatchPlan.Item, String)
  }

  private struct State {
    var waiting: [BatchInput] = []
    /// The paths of these.
    var paths: Set<ExactPath> = []
    /// Outputs that are being made; an input that changes meanwhile waits.
    var running: Set<ExactPath> = []
    var results: [ExactPath: Journal.Result]
    var inputs: [ExactPath: ExactPath]
    /// Files that must not be written over: those of the plan, and inputs that came.
    var read: [FileIdentity: String]
  }

  private let plan: BatchPlan
  private let outputFolder: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - plan: The plan, which says how outputs are named and what they are made of.
  ///   - results: What was done before.
  ///   - outputFolder: The output folder.
  init(_ plan: BatchPlan, results: [ExactPath: Journal.Result], outputFolder: String) {
    (self.plan, self.outputFolder) = (plan, outputFolder)
    let inputs = plan.items.map { (ExactPath($0.output), ExactPath($0.input)) }
    state = Mutex(
      State(
        results: results, inputs: Dictionary(inputs) { first, _ in first }, read: plan.read))
  }

  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  /// Adds an input, unless it waits already.
  func add(_ input: BatchInput) {
    let identity = FileIdentity(behind: input.path)
    state.withLock { state in
      if let identity { state.read[identity] = input.path }
      guard state.paths.insert(ExactPath(input.path)).inserted else { return }
      state.waiting.append(input)
    }
  }

  /// Takes the next input whose output is not being made; nil if there is none now.
  func next() -> Turn? {
    while let input = take() {
      // It may be gone again.
      guard FileIdentity(behind: input.path) != nil else { continue }
      return turn(of: input)
    }
    return nil
  }

  private func take() -> BatchInput? {
    state.withLock { state in
      let busy = Set(state.running.compactMap { state.inputs[$0] })
      let place = state.waiting.firstIndex { !busy.contains(ExactPath($0.path)) }
      guard let place else { return nil }
      let input = state.waiting.remove(at: place)
      state.paths.remove(ExactPath(input.path))
      return input
    }
  }

  private func turn(of input: BatchInput) -> Turn {
    let results = state.withLock { $0.results }
    // Reads the input, so without the lock.
    let item = plan.arrival(input, after: { results[$0] })
    return state.withLock { state in
      let input = ExactPath(item.input)
      let other = state.inputs[item.output] ?? input
      if other != input, FileIdentity(behind: other.text) != nil {
        return .refuse(
          item,
          "\(other.text) has the output \(outputFolder)/\(item.output) already; rename \(item.input), or give "
            + "--name a pattern that tells them apart, such as {name}{ext}")
      }
      if let refusal = BatchPlan.refusal(of: outputFolder + "/" + item.output, state.read) {
        return .refuse(item, refusal)
      }
      state.inputs[item.output] = input
      guard item.reason != nil else { return .keep(item) }
      state.running.insert(ExactPath(item.output))
      return .make(item)
    }
  }

  /// Notes that the recording of an item ended; `made` is its output, or nil if it failed.
  func end(_ item: BatchPlan.Item, made: MadeOutput?) {
    let file = OutputFile(at: outputFolder + "/" + item.output)
    state.withLock { state in
      state.running.remove(ExactPath(item.output))
      guard let made, let file, let fingerprint = made.fingerprint else { return }
      state.results[item.output] = Journal.Result(
        fingerprint: fingerprint, file: file, frames: made.frames, duration: made.duration,
        flaw: made.flaw, warnings: made.warnings)
    }
  }
}
