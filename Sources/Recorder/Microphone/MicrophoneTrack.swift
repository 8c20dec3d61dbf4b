import Capture
import Encode
import Frames
import Synchronization

/// The sound of a microphone beside the pictures of a camera: one thread listens from when it is
/// opened, another cuts the sound as the pictures are.
///
/// The thread that captures says when each picture was taken and when it is shown; the sound of
/// between follows as soon as it is there.
final class MicrophoneTrack: Sendable {
  /// Of its samples.
  let format: AudioFormat
  /// What was opened, for people.
  let notice: Notice

  private let mailbox = MicrophoneMailbox()
  private let sound: MicrophoneAudio
  private let listening: Mutex<WorkerThread?>
  private let encoding: Mutex<WorkerThread?>

  /// What a thread works with on its way there, where nobody else touches it.
  private struct Box<Content>: @unchecked Sendable {
    // @unchecked: handed over once, before any use.
    let content: Content
  }

  /// Opens the microphone of a name, and begins to listen.
  init(named name: String, notify: @escaping @Sendable (Notice) -> Void) throws {
    let microphone = try Microphone(named: name, notify: notify) { rate, channels in
      let format = AudioFormat(rate: rate, channels: min(channels, 2)).encodable
      return (format.rate, format.channels)
    }
    sound = microphone.sound
    let line = MicrophoneCutter(sound)
    format = line.format
    notice = Notice(
      .microphoneFormat, sound.name,
      "sound from \(sound.name), \(sound.rate) Hz, "
        + (sound.channels == 1 ? "1 channel" : "\(sound.channels) channels"))
    let boxes = (Box(content: microphone), Box(content: line))
    let mailbox = mailbox
    let listener = try WorkerThread(.listen) {
      boxes.0.content.listen(until: mailbox.interruption)
    }
    do throws(ThreadError) {
      encoding = Mutex(try WorkerThread(.sound) { boxes.1.content.run(mailbox) })
    } catch {
      mailbox.interruption.interrupt()
      throw error
    }
    listening = Mutex(listener)
  }

  deinit { mailbox.interruption.interrupt() }

  /// Names where its samples go, before the first picture is told of; false is told by a receiver that
  /// has gone.
  func attach(_ send: @escaping @Sendable (AudioBlock) -> Bool) { mailbox.send = send }

  /// A picture that was taken at one time is shown at another.
  func picture(taken: MonotonicTime, shown: Rational) {
    mailbox.post(.picture(taken: taken, shown: shown))
  }

  /// The recording pauses; the last picture before is shown until this time.
  func pause(at time: Rational) { mailbox.post(.pause(time)) }

  /// The output ends at this time.
  func end(at time: Rational) { mailbox.post(.end(time)) }

  /// Waits, after `end`, until the last samples are sent; throws where reading them failed.
  func finish() throws {
    encoding.withLock { $0.take() }?.join()
    mailbox.interruption.interrupt()
    listening.withLock { $0.take() }?.join()
    if let failure = mailbox.failure { throw failure }
  }

  /// What became of the microphone; complete after `finish`.
  var report: MicrophoneAudio.Report { sound.report }
}

/// What the threads of a microphone are told, and tell.
final class MicrophoneMailbox: Sendable {
  /// What happens to the pictures, in order.
  enum Mark: Sendable {
    case picture(taken: MonotonicTime, shown: Rational)
    case pause(Rational)
    case end(Rational)
  }

  private struct State: Sendable {
    var marks: [Mark] = []
    var send: @Sendable (AudioBlock) -> Bool = { _ in false }
    var failure: (any Error)?
  }

  /// Ends the threads wherever they are.
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

  var send: @Sendable (AudioBlock) -> Bool {
    get { state.withLock { $0.send } }
    set { state.withLock { $0.send = newValue } }
  }

  var failure: (any Error)? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }
}
