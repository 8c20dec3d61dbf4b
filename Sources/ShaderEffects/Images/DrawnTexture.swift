/// A texture that the CPU draws into when what it shows changes.
///
/// Each frame in flight has its own copy; used by the thread that records commands.
public protocol DrawnTexture: AnyObject, Sendable {
  /// Shows in a slot what belongs to a frame; does nothing if the slot shows it already.
  func fill(slot: Int, _ clock: EffectClock)
}
