package import Frames
import Glibc
package import ShaderEffects
import Synchronization

/// Reads control from standard input or a socket, and gives what it asks for to a door.
///
/// It has a thread of its own, which ends with the input or the reader.
package final class ControlReader: Sendable {
  private let interruption = Interruption()
  private let thread: Mutex<WorkerThread?>

  /// Starts to read lines of a descriptor, which the caller keeps open.
  ///
  /// `name` is that of the input in messages; `glide` is that of changes that say none, in seconds; `notify` is called with
  /// what cannot be understood, on the thread.
  package convenience init(
    linesOf descriptor: Int32, name: String, glide: Rational, door: ParameterDoor,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let mistakes = MistakeCounter(subject: name, unit: ("line", "lines"), notify: notify)
    try self.init { interruption in
      var loop = ControlLoop(
        descriptor, name: name, input: ControlLines(name: name),
        giver: ControlGiver(door: door, glide: glide, mistakes: mistakes),
        interruption: interruption)
      loop.run()
    }
  }

  /// Starts to read packets of Open Sound Control; `glide` counts until a message says another.
  package convenience init(
    packetsOf socket: ControlSocket, glide: Rational, door: ParameterDoor,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let name = socket.name
    let mistakes = MistakeCounter(subject: name, unit: ("packet", "packets"), notify: notify)
    try self.init { interruption in
      var loop = ControlLoop(
        socket.descriptor, name: name, input: OSCPackets(name: name),
        giver: ControlGiver(door: door, glide: glide, mistakes: mistakes),
        interruption: interruption)
      loop.hasPackets = true
      loop.clamps()
      loop.run()
      withExtendedLifetime(socket) {}
    }
  }

  private init(_ body: @escaping @Sendable (Interruption) -> Void) throws(ThreadError) {
    let interruption = interruption
    thread = Mutex(try WorkerThread(.control) { body(interruption) })
  }

  /// Ends the reading, and waits until the thread has ended.
  package func finish() {
    interruption.interrupt()
    thread.withLock { $0.take() }?.join()
  }

  deinit { interruption.interrupt() }
}

/// The work of a reader's thread.
struct ControlLoop<Input: ControlInput> {
  private let descriptor: Int32
  private let name: String
  private var input: Input
  private var giver: ControlGiver
  private let interruption: Interruption
  /// Whether each reading gives one packet, which may be empty, and there is no end.
  var hasPackets = false

  /// Bytes that are read at once; no packet of UDP is larger.
  private static var blockSize: Int { 1 << 16 }

  init(
    _ descriptor: Int32, name: String, input: Input, giver: ControlGiver,
    interruption: Interruption
  ) {
    (self.descriptor, self.name) = (descriptor, name)
    (self.input, self.giver, self.interruption) = (input, giver, interruption)
  }

  /// Lets values out of range be the nearest that are allowed.
  mutating func clamps() { giver.clamps = true }

  /// Whether nobody takes changes any more.
  private var isOver: Bool { interruption.isInterrupted || giver.door.isClosed }

  /// Reads until the input ends, the interruption, or the end of the recording.
  mutating func run() {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
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
