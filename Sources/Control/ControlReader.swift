package import Frames
import Glibc
package import ShaderEffects

extension SteeringThread {
  /// Starts to read lines of a descriptor, which the caller keeps open.
  ///
  /// `name` is that of the input in messages; `glide` is that of changes that say none, in seconds; `notify` is called with
  /// what cannot be understood, on the thread.
  package convenience init(
    linesOf descriptor: Int32, name: String, glide: Rational, inbox: ParameterInbox,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let mistakes = MistakeCounter(subject: name, unit: ("line", "lines"), notify: notify)
    try self.init(.control) { interruption in
      var loop = ControlLoop(
        descriptor: descriptor, name: name, input: ControlLines(name: name),
        giver: ControlGiver(inbox: inbox, glide: glide, mistakes: mistakes),
        interruption: interruption)
      loop.run()
    }
  }

  /// Starts to read packets of Open Sound Control; `glide` counts until a message says another.
  package convenience init(
    packetsOf socket: ControlSocket, glide: Rational, inbox: ParameterInbox,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let name = socket.name
    let mistakes = MistakeCounter(subject: name, unit: ("packet", "packets"), notify: notify)
    try self.init(.control) { interruption in
      var giver = ControlGiver(inbox: inbox, glide: glide, mistakes: mistakes)
      giver.clamps = true
      var loop = ControlLoop(
        descriptor: socket.descriptor, name: name, input: OSCPackets(name: name), giver: giver,
        interruption: interruption, hasPackets: true)
      loop.run()
      withExtendedLifetime(socket) {}
    }
  }
}

/// The work of a reader's thread.
struct ControlLoop<Input: ControlInput> {
  let descriptor: Int32
  let name: String
  var input: Input
  var giver: ControlGiver
  let interruption: Interruption
  /// Whether each reading gives one packet, which may be empty, and there is no end.
  var hasPackets = false

  /// Whether nobody takes changes any more.
  private var isOver: Bool { interruption.isInterrupted || giver.inbox.isClosed }

  /// Reads until the input ends, the interruption, or the end of the recording.
  mutating func run() {
    // No packet of UDP is larger.
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // Nobody needs all changes of a flood.
    var debt = WorkDebt(longest: 1)
    while !isOver {
      var waited = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waited, nfds_t(waited.count), 500) > 0, !isOver, waited[0].revents != 0
      else { continue }
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 || count == 0 && hasPackets else {
        if count < 0 {
          let (name, reason) = (name, String(cString: strerror(errno)))
          giver.mistakes.add("\(name) cannot be read any more: \(reason)")
        }
        break
      }
      let begin = MonotonicTime.now
      input.take(block[..<count], &giver)
      debt.rest(after: begin, until: interruption)
    }
    if !isOver { input.end(&giver) }
    giver.finish(name)
  }
}
