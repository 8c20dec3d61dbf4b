import Frames
import Recorder
import Synchronization

/// The items of a batch, which its threads take one after the other, and the result of each.
///
/// Planned items come first, then inputs that arrive in watched folders. Any thread may call it.
final class BatchQueue: Sendable {
  /// An item whose turn has come.
  struct Turn: Sendable {
    let item: BatchPlan.Item
    /// Its number, which no other item of the run has.
    let place: Int
    /// Why it is not made; nil to make it.
    let refusal: String?
  }

  private struct State {
    var next = 0
    var arrived: [BatchPlan.Item] = []
    /// Outputs of arrivals that were made in this run, and those that were done before.
    var made: Set<ExactPath> = []
    var kept: Set<ExactPath> = []
    var madeCount = 0
    var ended = 0
    /// The reasons of failures, by the index of the item.
    var failures: [Int: String] = [:]
    /// What is wrong with outputs that are there, by their paths.
    var flaws: [ExactPath: (item: BatchPlan.Item, flaw: OutputFlaw, reason: String)] = [:]
    /// A failure that concerns all items, such as a journal that cannot be written.
    var fatal: (any Error)?

    mutating func note(_ made: MadeOutput?, of item: BatchPlan.Item) {
      flaws[item.output] = made.flatMap { made in
        made.flaw.map { (item, $0, made.warnings.first ?? "it is not whole") }
      }
    }
  }

  private let plan: BatchPlan
  /// Indexes of the planned items that are to be made.
  private let pending: [Int]
  /// Inputs that arrive while the batch runs; nil if no folder is watched.
  private let watch: WatchQueue?
  private let stopsAtFailure: Bool
  private let control: BatchControl
  private let events: @Sendable (BatchEvent) -> Void
  private let state = Mutex(State())

  init(
    _ plan: BatchPlan, watch: WatchQueue?, stopsAtFailure: Bool, control: BatchControl,
    events: @escaping @Sendable (BatchEvent) -> Void
  ) {
    (self.plan, self.watch, self.stopsAtFailure) = (plan, watch, stopsAtFailure)
    (self.control, self.events) = (control, events)
    pending = plan.items.indices.filter { plan.items[$0].reason != nil }
    state.withLock { for item in plan.items { $0.note(item.kept, of: item) } }
  }

  /// Whether another item is there, or may come.
  var hasMore: Bool { goesOn && (watch != nil || state.withLock { $0.next < pending.count }) }

  private var goesOn: Bool {
    !control.isEnding
      && state.withLock { $0.fatal == nil && !(stopsAtFailure && !$0.failures.isEmpty) }
  }

  /// Takes the next item; waits for arrivals if folders are watched.
  ///
  /// - Returns: Nil if the batch ends.
  func next() -> Turn? {
    guard goesOn else { return nil }
    if let place = takePlanned() {
      return Turn(item: plan.items[place], place: place, refusal: nil)
    }
    guard let watch else { return nil }
    while goesOn {
      switch watch.next() {
      case nil: control.interruption.wait(milliseconds: 100)
      case .keep(let item): keep(item)
      case .make(let item): return arrival(item, refusal: nil)
      case .refuse(let item, let reason): return arrival(item, refusal: reason)
      }
    }
    return nil
  }

  private func takePlanned() -> Int? {
    state.withLock { state in
      guard state.next < pending.count else { return nil }
      defer { state.next += 1 }
      return pending[state.next]
    }
  }

  private func keep(_ item: BatchPlan.Item) {
    let isNew = state.withLock { state in
      state.note(item.kept, of: item)
      let output = ExactPath(item.output)
      return !state.made.contains(output) && state.kept.insert(output).inserted
    }
    if isNew { events(.arrived(item)) }
  }

  private func arrival(_ item: BatchPlan.Item, refusal: String?) -> Turn {
    events(.arrived(item))
    let place = state.withLock { state in
      state.arrived.append(item)
      return plan.items.count + state.arrived.count - 1
    }
    return Turn(item: item, place: place, refusal: refusal)
  }

  func end(_ turn: Turn, _ made: MadeOutput) {
    watch?.end(turn.item, made: made)
    state.withLock { state in
      state.madeCount += 1
      state.ended += 1
      state.note(made, of: turn.item)
      guard watch != nil else { return }
      // An input that failed while it was written has come again.
      state.made.insert(ExactPath(turn.item.output))
      let input = ExactPath(turn.item.input)
      let failed = state.failures.keys.filter { ExactPath(self.item($0, state).input) == input }
      for place in failed { state.failures[place] = nil }
    }
  }

  /// Notes that an output could not be made.
  func fail(_ turn: Turn, _ reason: String) {
    watch?.end(turn.item, made: nil)
    state.withLock { state in
      state.failures[turn.place] = reason
      state.ended += 1
    }
  }

  /// Ends the batch because of an error that concerns all items.
  func stop(because error: any Error) { state.withLock { $0.fatal = $0.fatal ?? error } }

  private func item(_ place: Int, _ state: State) -> BatchPlan.Item {
    place < plan.items.count ? plan.items[place] : state.arrived[place - plan.items.count]
  }

  /// Returns how the batch ended, when no thread takes items any more.
  func result() throws -> BatchResult {
    try state.withLock { state in
      if let fatal = state.fatal { throw fatal }
      var result = BatchResult()
      result.made = state.madeCount
      result.kept = plan.items.count - pending.count + state.kept.count
      result.failures = state.failures.keys.sorted().map {
        (item($0, state), state.failures[$0] ?? "")
      }
      var flaws = state.flaws
      result.flaws = (plan.items + state.arrived).compactMap {
        flaws.removeValue(forKey: ExactPath($0.output))
      }
      result.flaws += flaws.values.sorted { $0.item.output < $1.item.output }
      result.isIncomplete =
        state.ended < pending.count + state.arrived.count || watch?.isEmpty == false
      return result
    }
  }
}
