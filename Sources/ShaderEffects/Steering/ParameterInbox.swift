public import Frames
import Synchronization

/// Where parameters of effects are changed while a recording runs: any thread gives values, and the thread
/// that renders takes them before a frame.
///
/// Of several values for one parameter between two frames the newest counts, so a flood of values costs the
/// renderer nothing.
public final class ParameterInbox: Sendable {
  private enum Phase { case early, open, closed }

  private struct State: Sendable {
    var phase = Phase.early
    var effects: [SteerableEffect] = []
    /// For each effect, the change that waits for each of its inputs.
    var waiting: [[ParameterChange?]] = []
    /// For each effect, the latest value of each of its inputs.
    var values: [[[Double]]] = []
    /// Counts the chains, because a chain may change while a value is checked against it.
    var version = 0

    /// The changes that give a new chain the values of this one, where both have the same effect.
    func changes(from fresh: [SteerableEffect], _ freshValues: [[[Double]]]) -> [ParameterChange] {
      fresh.enumerated().flatMap { place, new -> [ParameterChange] in
        let same = effects.enumerated().first { index, old in
          new.tag != 0 ? old.tag == new.tag : index == place && old.name == new.name
        }
        guard let (before, old) = same else { return [] }
        return old.inputs.enumerated().compactMap { index, input -> ParameterChange? in
          guard input.kind != .event,
            let match = new.inputs.firstIndex(where: { $0.name == input.name }),
            freshValues[place][match] != values[before][index]
          else { return nil }
          return ParameterChange(
            effect: place, parameter: input.name, value: values[before][index], glide: .zero)
        }
      }
    }
  }

  private let state = Mutex(State())
  private let hasWaiting = Atomic<Bool>(false)

  /// Whether the inbox is used by recordings one after the other, each of which begins with the values that the
  /// one before it had.
  private let keepsValues: Bool

  /// Makes an inbox that is closed until the effects are known.
  public init(keepsValues: Bool = false) { self.keepsValues = keepsValues }

  /// Gives a parameter a new value, which acts from the next frame on; called from any thread.
  ///
  /// The straight line from the old value takes `glide` seconds. With `clamps` numbers out of range become the nearest that
  /// are allowed; the result tells whether there were any.
  ///
  /// - Throws: A usage error: what is wrong with the name or the value, or that no effect runs.
  @discardableResult
  public func give(
    _ value: GivenValue, to parameter: String, of place: EffectPlace, glide: Rational = .zero,
    clamps: Bool = false
  ) throws(EffectError) -> Bool {
    while true {
      let (phase, effects, version) = state.withLock { ($0.phase, $0.effects, $0.version) }
      switch phase {
      case .early: throw .usage("the recording has not begun")
      case .closed: throw .usage("the recording has ended")
      case .open: break
      }
      let effect = try ParameterInbox.index(of: place, parameter, in: effects)
      let (index, checked, isClamped) = try effects[effect].check(
        value, for: parameter, clamps: clamps)
      let change = ParameterChange(
        effect: effect, parameter: effects[effect].inputs[index].name, value: checked, glide: glide)
      let isStored = state.withLock { state in
        guard state.version == version else { return false }
        // An event that fires is not taken back by one that does not.
        let isRest = effects[effect].inputs[index].kind == .event && checked == [0]
        if !isRest {
          state.waiting[effect][index] = change
          state.values[effect][index] = checked
        }
        hasWaiting.store(true, ordering: .releasing)
        return true
      }
      if isStored { return isClamped }
    }
  }

  private static func index(
    of place: EffectPlace, _ parameter: String, in effects: [SteerableEffect]
  ) throws(EffectError) -> Int {
    switch place {
    case .number(let number):
      if effects.indices.contains(number - 1) { return number - 1 }
      throw .usage("there is no effect \(number); \(list(effects))")
    case .tag(let tag):
      if let index = effects.firstIndex(where: { $0.tag == tag }) { return index }
      throw .usage("this effect is not in the chain any more; \(list(effects))")
    case .name(let name):
      if let index = effects.firstIndex(where: { $0.name == name }) { return index }
      let near = NearNames.suggestion(name, in: effects.map(\.name))
      throw .usage(
        "no effect is named '\(SteerableEffect.short(name))'"
          + (near.isEmpty ? "; \(list(effects))" : near))
    case .firstWithParameter:
      if let index = effects.firstIndex(where: { $0.has(parameter) }) { return index }
      // A parameter that cannot change has a reason, which the check of its effect tells.
      if let index = effects.firstIndex(where: { $0.inputs.contains { $0.isCalled(parameter) } }) {
        return index
      }
      let near = NearNames.suggestion(parameter, in: Set(effects.flatMap(\.names)).sorted())
      throw .usage(
        "no effect has a parameter '\(SteerableEffect.short(parameter))'"
          + (near.isEmpty ? "; \(list(effects))" : near))
    }
  }

  private static func list(_ effects: [SteerableEffect]) -> String {
    guard !effects.isEmpty else { return "the chain has no effect" }
    let names = effects.enumerated().map { "\($0 + 1) \($1.name)" }.joined(separator: ", ")
    return effects.count == 1 ? "the only one is \(names)" : "the effects are \(names)"
  }

  /// The effects with the parameters that can change and their latest values; called from any thread.
  public var effects: [SteeredEffect] {
    let (effects, values) = state.withLock { ($0.effects, $0.values) }
    return zip(effects, values).map { SteeredEffect($0, values: $1) }
  }

  /// Notes a change that did not come through the inbox, so that `effects` shows it.
  public func note(_ change: ParameterChange) {
    state.withLock { state in
      guard state.effects.indices.contains(change.effect),
        let index = state.effects[change.effect].inputs.lastIndex(where: {
          $0.name == change.parameter
        })
      else { return }
      state.values[change.effect][index] = change.value
    }
  }

  /// Opens the inbox for a chain of effects, or for other versions of them: changes that wait and that these
  /// effects allow still act.
  ///
  /// Called by the thread that runs the pipeline, or before there is one.
  public func open(_ effects: [EffectInstance]) {
    let values = effects.map(\.latestValues)
    let effects = effects.map(\.steerable)
    state.withLock { state in
      var waiting = state.waiting.flatMap { $0.compactMap(\.self) }.compactMap { change in
        // In a chain that changes, an effect may be in another place now, or gone.
        let tag = state.effects[change.effect].tag
        var moved = change
        if tag != 0 {
          guard let place = effects.firstIndex(where: { $0.tag == tag }) else {
            return ParameterChange?.none
          }
          moved.effect = place
        }
        return moved
      }
      if keepsValues { waiting = state.changes(from: effects, values) + waiting }
      (state.phase, state.effects, state.values) = (.open, effects, values)
      state.version += 1
      state.waiting = effects.map { Array(repeating: nil, count: $0.inputs.count) }
      var hasAny = false
      for change in waiting where effects.indices.contains(change.effect) {
        guard
          let (index, _, _) = try? effects[change.effect].check(
            .numbers(change.value), for: change.parameter)
        else { continue }
        state.waiting[change.effect][index] = change
        state.values[change.effect][index] = change.value
        hasAny = true
      }
      hasWaiting.store(hasAny, ordering: .releasing)
    }
  }

  /// Whether changes wait for the next frame.
  public var hasChanges: Bool { hasWaiting.load(ordering: .relaxed) }

  /// Whether the inbox takes no values any more.
  public var isClosed: Bool { state.withLock { $0.phase == .closed } }

  /// Refuses all values from now on.
  public func close() {
    guard !keepsValues else { return }
    state.withLock { state in
      state.phase = .closed
      state.version += 1
      state.waiting = state.waiting.map { $0.map { _ in nil } }
    }
    hasWaiting.store(false, ordering: .relaxed)
  }

  /// Hands over what was given since the last call, at most one change for each parameter.
  ///
  /// Called by the thread that renders, before each frame. Allocates nothing if nothing was given.
  public func take(_ act: (ParameterChange) -> Void) {
    guard hasWaiting.load(ordering: .relaxed),
      hasWaiting.exchange(false, ordering: .acquiring)
    else { return }
    let taken = state.withLock { state in
      let taken = state.waiting.flatMap { $0.compactMap(\.self) }
      for effect in state.waiting.indices {
        for index in state.waiting[effect].indices { state.waiting[effect][index] = nil }
      }
      return taken
    }
    for change in taken { act(change) }
  }
}
