package import Frames
import Glibc
package import ShaderEffects
import Synchronization

/// Reads lines of control from a descriptor, and gives what they ask for to a door; on a thread of its own,
/// which ends with the input or the reader.
package final class ControlReader: Sendable {
  private let interruption = Interruption()
  private let thread: Mutex<WorkerThread?>

  /// The longest line in bytes.
  static let longestLine = 4096

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - descriptor: Where lines come from; the caller keeps it open.
  ///   - name: Its name in messages.
  ///   - glide: The glide of changes that say none, in seconds.
  ///   - door: Where changes are given.
  ///   - notify: Called with lines that cannot be understood, on the reader's thread.
  /// - Throws: If no thread can be started.
  package init(
    _ descriptor: Int32, name: String, glide: Rational, door: ParameterDoor,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws(ThreadError) {
    let interruption = interruption
    thread = Mutex(
      try WorkerThread(.control) {
        var work = ControlReading(
          name: name, glide: glide, door: door, interruption: interruption, notify: notify)
        work.run(descriptor)
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
struct ControlReading {
  private let name: String
  private var glide: Rational
  private let door: ParameterDoor
  private let interruption: Interruption
  private var lines = LineSplitter(limit: ControlReader.longestLine)
  private var mistakes: MistakeCounter
  private var number = 0

  /// Bytes that are read at once.
  private static let blockSize = 1 << 14
  /// How long the thread rests for each second that it has worked: a flood of lines, which nobody needs all
  /// of, must not take the processor from the recording.
  private static let restRatio = 3.0

  init(
    name: String, glide: Rational, door: ParameterDoor, interruption: Interruption,
    notify: @escaping @Sendable (Notice) -> Void
  ) {
    (self.name, self.glide, self.door, self.interruption) = (name, glide, door, interruption)
    mistakes = MistakeCounter(subject: name, unit: ("line", "lines"), notify: notify)
  }

  /// Reads until the input ends or the interruption.
  mutating func run(_ descriptor: Int32) {
    var block = [UInt8](repeating: 0, count: ControlReading.blockSize)
    var debt = 0.0
    while !isOver {
      var waited = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waited, nfds_t(waited.count), 500) > 0, !isOver,
        waited[0].revents != 0
      else { continue }
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        if count < 0 {
          let reason = String(cString: strerror(errno))
          mistakes.add("\(name) cannot be read any more: \(reason)")
        }
        break
      }
      let begin = MonotonicTime.now
      take(block[..<count])
      debt += MonotonicTime.now.seconds(since: begin) * ControlReading.restRatio
      // Shorter waits are not exact enough.
      guard debt > 0.001 else { continue }
      interruption.wait(milliseconds: Int32(debt * 1000))
      debt = 0
    }
    if !isOver { withLines { lines, act in lines.end(act) } }
    mistakes.finish()
  }

  /// Whether nobody takes changes any more.
  private var isOver: Bool { interruption.isInterrupted || door.isClosed }

  /// Takes the next bytes of the input.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    withLines { lines, act in lines.add(bytes, act) }
  }

  private mutating func withLines(
    _ body: (inout LineSplitter, (LineSplitter.Line) -> Void) -> Void
  ) {
    var taken = LineSplitter(limit: 0)
    swap(&taken, &lines)
    body(&taken) { act($0) }
    swap(&taken, &lines)
  }

  private mutating func act(_ line: LineSplitter.Line) {
    guard !isOver else { return }
    number += 1
    guard case .whole(let bytes) = line else {
      return mistake("it is longer than \(ControlReader.longestLine) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return mistake("it is not UTF-8")
    }
    do {
      switch try ControlCommand.parse(text) {
      case nil: break
      case .glide(let seconds)?: glide = seconds
      case .change(let place, let parameter, let value, let own)?:
        try door.give(.text(value), to: parameter, of: place, glide: own ?? glide)
      }
    } catch {
      // The recording may have ended since the line was read.
      if !isOver { mistake("\(error)") }
    }
  }

  private mutating func mistake(_ sentence: String) {
    let (name, number) = (name, number)
    mistakes.add("line \(number) of \(name): \(sentence)")
  }
}
