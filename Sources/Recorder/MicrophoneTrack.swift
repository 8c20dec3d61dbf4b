import Capture
import Encode
import FFmpegHandles
import Frames
import Synchronization

/// The sound of a microphone beside the pictures of a camera: read, cut as they are and encoded on a
/// thread of its own, which runs from when it is opened.
///
/// The thread that captures says when each picture was taken and when it is shown; the sound of
/// between follows as soon as it is there.
final class MicrophoneTrack: Sendable {
  /// What its packets belong to.
  let stream: CompressedStream
  /// What was opened, for people.
  let sentence: String

  private let mailbox = MicrophoneMailbox()
  private let thread: Mutex<WorkerThread?>

  /// The microphone and what encodes it on their way to their thread, which alone touches them from
  /// then on.
  private struct LineBox: @unchecked Sendable {
    // @unchecked: handed over once, before any use.
    let line: MicrophoneLine
  }

  /// Opens the microphone of a name, and begins to listen.
  init(named name: String) throws {
    let microphone = try Microphone(named: name) { rate, channels in
      SoundEncoder.format(rate: rate, channels: min(channels, 2))
    }
    let line = try MicrophoneLine(microphone)
    stream = line.stream
    sentence =
      "sound from \(microphone.name), \(microphone.rate) Hz, "
      + (microphone.channels == 1 ? "1 channel" : "\(microphone.channels) channels")
    let box = LineBox(line: line)
    let mailbox = mailbox
    thread = Mutex(WorkerThread(.sound) { box.line.run(mailbox) })
  }

  deinit { mailbox.interruption.interrupt() }

  /// Names where packets go, before the first picture is told of; false is told by a receiver that
  /// has gone.
  func attach(_ send: @escaping @Sendable (CompressedPacket) -> Bool) { mailbox.send = send }

  /// A picture that was taken at one time is shown at another.
  func picture(taken: MonotonicTime, shown: Rational) {
    mailbox.post(.picture(taken: taken, shown: shown))
  }

  /// The recording pauses; the last picture before is shown until this time.
  func pause(at time: Rational) { mailbox.post(.pause(time)) }

  /// The output ends at this time.
  func end(at time: Rational) { mailbox.post(.end(time)) }

  /// Waits, after `end`, until the last packet is sent; throws where the sound was not encoded.
  func finish() throws {
    thread.withLock { $0.take() }?.join()
    if let failure = mailbox.failure { throw failure }
  }

  /// What became of the microphone; complete after `finish`.
  var report: Microphone.Report? { mailbox.report }
}

/// What the thread of a microphone is told, and tells.
final class MicrophoneMailbox: Sendable {
  /// What happens to the pictures, in order.
  enum Mark: Sendable {
    case picture(taken: MonotonicTime, shown: Rational)
    case pause(Rational)
    case end(Rational)
  }

  private struct State: Sendable {
    var marks: [Mark] = []
    var send: @Sendable (CompressedPacket) -> Bool = { _ in false }
    var failure: (any Error)?
    var report: Microphone.Report?
  }

  /// Ends the thread wherever it is.
  let interruption = Interruption()
  private let state = Mutex(State())

  func post(_ mark: Mark) { state.withLock { $0.marks.append(mark) } }

  /// Takes what was posted, behind what is there.
  func collect(into marks: inout [Mark]) {
    state.withLock {
      marks.append(contentsOf: $0.marks)
      $0.marks.removeAll(keepingCapacity: true)
    }
  }

  var send: @Sendable (CompressedPacket) -> Bool {
    get { state.withLock { $0.send } }
    set { state.withLock { $0.send = newValue } }
  }

  var failure: (any Error)? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  var report: Microphone.Report? {
    get { state.withLock { $0.report } }
    set { state.withLock { $0.report = newValue } }
  }
}
