package import Frames
import Glibc
package import ShaderEffects
import Synchronization

/// Reads MIDI, and gives what its knobs and keys change to a door.
///
/// It has a thread of its own, which ends with the input or the reader.
package final class MIDIReader: Sendable {
  private let interruption = Interruption()
  private let thread: Mutex<WorkerThread?>

  /// - Parameters:
  ///   - input: Where messages come from.
  ///   - hands: What they change.
  ///   - glide: The glide of changes, in seconds.
  ///   - door: Where changes are given.
  ///   - notify: Called with what becomes of devices and with what is learned, on the reader's thread.
  /// - Throws: If no thread can be started.
  package init(
    _ input: any MIDIInput, hands: MIDIHands, glide: Rational, door: ParameterDoor,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let interruption = interruption
    thread = Mutex(
      try WorkerThread(.midi) {
        var loop = MIDILoop(input: input, hands: hands, glide: glide, door: door, notify: notify)
        loop.run(until: interruption)
      })
  }

  /// Ends the reading, and waits until the thread has ended.
  package func finish() {
    interruption.interrupt()
    thread.withLock { $0.take() }?.join()
  }

  deinit { interruption.interrupt() }
}

/// The work of a reader's thread.
private struct MIDILoop {
  let input: any MIDIInput
  let hands: MIDIHands
  let glide: Rational
  let door: ParameterDoor
  let notify: @Sendable (Notice) -> Void
  private var translation = MIDIMoves()

  /// How long the thread rests for each second that it has worked: a flood of messages, which nobody needs all
  /// of, must not take the processor from the recording.
  private static let restRatio = 3.0

  init(
    input: any MIDIInput, hands: MIDIHands, glide: Rational, door: ParameterDoor,
    notify: @escaping @Sendable (Notice) -> Void
  ) {
    (self.input, self.hands, self.glide) = (input, hands, glide)
    (self.door, self.notify) = (door, notify)
  }

  mutating func run(until interruption: Interruption) {
    var debt = 0.0
    while !interruption.isInterrupted, !door.isClosed {
      var waited = (input.descriptors + [interruption.descriptor]).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&waited, nfds_t(waited.count), 500)
      let begin = MonotonicTime.now
      guard !interruption.isInterrupted, step() else { return }
      debt += MonotonicTime.now.seconds(since: begin) * Self.restRatio
      // Shorter waits are not exact enough.
      guard debt > 0.001 else { continue }
      interruption.wait(milliseconds: Int32(min(debt, 1) * 1000))
      debt = 0
    }
  }

  /// Takes what has come; returns whether more can come.
  private mutating func step() -> Bool {
    var moves: [MIDIMove] = []
    var translation = translation
    let goesOn = input.read({ moves += translation.take($0) }, notify: notify)
    self.translation = translation
    hands.act(moves, at: .now, door: door, glide: glide, notify: notify)
    return goesOn
  }
}
