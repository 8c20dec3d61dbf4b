package import Frames
import Glibc
package import ShaderEffects

extension SteeringThread {
  /// Starts to read MIDI; `glide` is in seconds.
  ///
  /// The thread calls `notify` for devices that are lost or come back, and for each binding that is learned.
  package convenience init(
    _ input: Handover<any MIDIInput>, pickup: MIDIPickup, glide: Rational, inbox: ParameterInbox,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    try self.init(.midi) { interruption in
      guard let input = input.take() else { return }
      var translation = MIDIMoves()
      // Nobody needs all messages of a flood.
      var debt = WorkDebt(longest: 1)
      while !interruption.isInterrupted, !inbox.isClosed {
        var waited = (input.descriptors + [interruption.descriptor]).map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&waited, nfds_t(waited.count), 500)
        guard !interruption.isInterrupted else { return }
        let begin = MonotonicTime.now
        var moves: [MIDIMove] = []
        let goesOn = input.read({ moves += translation.take($0) }, notify: notify)
        pickup.act(moves, at: .now, inbox: inbox, glide: glide, notify: notify)
        guard goesOn else { return }
        debt.rest(after: begin, until: interruption)
      }
    }
  }
}
