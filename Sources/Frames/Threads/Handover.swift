import Synchronization

/// Carries a value that one thread owns to another thread, and perhaps back.
///
/// The compiler checks that whoever gives the value keeps nothing of it, so the value need not be `Sendable`.
public final class Handover<Value>: Sendable {
  private let held: Mutex<Given?>

  private struct Given: @unchecked Sendable {
    // @unchecked: `sending` proves that one thread at a time has the value.
    let value: Value
  }

  /// Begins empty.
  public init() { held = Mutex(nil) }

  public init(_ value: sending Value) { held = Mutex(Given(value: value)) }

  /// Puts a value in; one that is still there is released.
  public func give(_ value: sending Value) {
    let given = Given(value: value)
    held.withLock { $0 = given }
  }

  /// Takes the value out; nil if there is none.
  public func take() -> sending Value? {
    let given = held.withLock { $0.take() }
    return given?.value
  }

  /// Takes the value out for one call; nil if there is none.
  public func use<Result, Failure>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard let given = held.withLock({ $0.take() }) else { return nil }
    var value = given.value
    // `inout sending` proves that the body keeps nothing of it.
    defer {
      let given = Given(value: value)
      held.withLock { $0 = given }
    }
    return try body(&value)
  }
}
