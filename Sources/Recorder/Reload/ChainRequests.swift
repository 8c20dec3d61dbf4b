package import ShaderEffects
import Synchronization

/// Asks a running recording for another chain of effects, from any thread.
///
/// The new chain acts when it is compiled; until then, and if it has errors, the old one stays. Of several
/// chains that are asked for in the meantime the newest counts.
package final class ChainRequests: Sendable {
  private struct State: Sendable {
    var newest: [EffectSpec]?
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Asks for a chain.
  package func ask(for effects: [EffectSpec]) {
    let wake = state.withLock { state in
      state.newest = effects
      return state.wake
    }
    wake?()
  }

  /// Lets each request make a call; used by the recording.
  func attach(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Takes the newest chain that was asked for; nil if there is none.
  func take() -> [EffectSpec]? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }
}
