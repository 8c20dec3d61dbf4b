package import ShaderEffects
import Synchronization

/// The requested chain of effects, which any thread may change while a recording runs.
///
/// A new chain acts when it is compiled; until then the old one stays. If it has errors, the old one stays and
/// becomes the requested one again. Of several chains that are requested in the meantime the newest counts.
package final class ChainRequests: Sendable {
  private struct State: Sendable {
    var chain: [EffectSpec]
    /// The latest chain that could be compiled.
    var good: [EffectSpec]
    var isNew = false
    var lastTag = 0
    var wake: (@Sendable () -> Void)?

    /// Gives effects that are new in the chain their tags.
    mutating func addTags() {
      for index in chain.indices where chain[index].tag == 0 {
        lastTag += 1
        chain[index].tag = lastTag
      }
    }
  }

  private let state: Mutex<State>

  /// Begins with the chain at the start of the recording.
  package init(_ effects: [EffectSpec] = []) {
    var state = State(chain: effects, good: effects)
    state.addTags()
    state.good = state.chain
    self.state = Mutex(state)
  }

  /// The newest chain that was asked for; each effect has a tag of its own.
  package var effects: [EffectSpec] { state.withLock { $0.chain } }

  /// Requests a chain in which no effect of the current one continues.
  package func ask(for effects: [EffectSpec]) { change { $0 = effects } }

  /// Asks for another chain, made of the newest one; effects that are kept keep their values.
  ///
  /// If the body throws, nothing is asked for.
  package func change<Failure: Error>(
    _ body: (inout [EffectSpec]) throws(Failure) -> Void
  ) throws(Failure) {
    let wake = try state.withLock { state throws(Failure) in
      var chain = state.chain
      try body(&chain)
      state.chain = chain
      state.addTags()
      state.isNew = true
      return state.wake
    }
    wake?()
  }

  /// Whether a chain was asked for that does not act yet.
  package var isPending: Bool {
    state.withLock { $0.chain.map(\.tag) != $0.good.map(\.tag) }
  }

  /// Lets each request make a call; used by the recording.
  func attach(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Takes the newest chain that was asked for; nil if there is none since the last call.
  func take() -> [EffectSpec]? {
    state.withLock { state in
      defer { state.isNew = false }
      return state.isNew ? state.chain : nil
    }
  }

  func noteSuccess(_ chain: [EffectSpec]) { state.withLock { $0.good = chain } }

  /// Goes back to the chain that acts, because no recording can begin with the newest one; returns whether there was
  /// another.
  package func takeBack() -> Bool {
    state.withLock { state in
      guard state.chain.map(\.tag) != state.good.map(\.tag) else { return false }
      (state.chain, state.isNew) = (state.good, false)
      return true
    }
  }

  /// Notes that the chain that was taken has errors: the last good one is asked for again, unless there is a
  /// newer one.
  func noteFailure() {
    state.withLock { state in
      if !state.isNew { state.chain = state.good }
    }
  }
}
