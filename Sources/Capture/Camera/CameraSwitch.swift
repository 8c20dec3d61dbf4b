import Synchronization

/// Lets a person choose another camera while frames are read; any thread may use it.
public final class CameraSwitch: Sendable {
  private struct State {
    var isAsked = false
    var say: @Sendable (String) -> Void = { _ in }
  }

  private let state = Mutex(State())

  public init() {}

  /// Asks for the next camera of the list, which is opened while the present one goes on.
  public func next() { state.withLock { $0.isAsked = true } }

  /// Sets the function that gets the result of a switch, as a sentence, on any thread.
  public func onResult(_ say: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.say = say }
  }

  /// Returns whether another camera was asked for since the last call.
  func takeRequest() -> Bool {
    state.withLock { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
  }

  func say(_ sentence: String) {
    let say = state.withLock { $0.say }
    say(sentence)
  }
}
