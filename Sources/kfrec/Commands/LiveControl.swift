import Control
import Frames
import Glibc
import Recorder
import ShaderEffects
import Synchronization

/// What changes parameters of a running recording, as the options ask for.
final class LiveControl: Sendable {
  private let words: Options
  private let door: ParameterDoor?
  private let notify: @Sendable (Notice) -> Void
  private let reader = Mutex<ControlReader?>(nil)

  /// - Parameters:
  ///   - words: The typed options.
  ///   - door: Where changes are given; nil if there is nothing to change.
  ///   - notify: Called with what cannot be understood, on any thread.
  init(_ words: Options, door: ParameterDoor?, notify: @escaping @Sendable (Notice) -> Void) {
    (self.words, self.door, self.notify) = (words, door, notify)
  }

  deinit { finish() }

  /// Begins when the effects are known: what was typed before waits in its pipe.
  func hear(_ event: RecordingEvent) {
    guard case .ready = event, let door, words.controls.contains(.standardInput) else { return }
    let glide = Rational(Int64(words.glide ?? 0), 1000)
    do throws(ThreadError) {
      let made = try ControlReader(
        STDIN_FILENO, name: "standard input", glide: glide, door: door, notify: notify)
      reader.withLock { $0 = made }
    } catch {
      notify(Notice(.controlLine, "standard input", "standard input is not read: \(error)"))
    }
  }

  /// Ends it, and tells what was not told yet.
  func finish() { reader.withLock { $0.take() }?.finish() }
}
