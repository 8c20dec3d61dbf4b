import Capture
import Encode
import Frames
import Synchronization

/// Audio of a microphone that is recorded with the frames of a camera.
///
/// One thread listens from the moment the microphone is opened; another cuts the audio to match the
/// frames. The capture thread reports when each frame was captured and when it is shown; the audio
/// between two frames follows as soon as it is available.
final class MicrophoneTrack: Sendable {
  let format: AudioFormat
  /// Notice about what was opened, for the user.
  let notice: Notice

  private let mailbox = MicrophoneMailbox()
  private let audio: MicrophoneAudio
  private let listening: Mutex<WorkerThread?>
  private let encoding: Mutex<WorkerThread?>

  /// Opens the microphone with this name and starts to listen; `volume` is the factor of all samples.
  init(named name: String, volume: Float, notify: @escaping @Sendable (Notice) -> Void) throws {
    let microphone = try Microphone(named: name, notify: notify) { rate, channels in
      let format = AudioFormat(rate: rate, channels: min(channels, 2)).encodable
      return (format.rate, format.channels)
    }
    let audio = microphone.audio
    self.audio = audio
    format = AudioFormat(rate: audio.target.rate, channels: audio.target.channels)
    notice = Notice(
      .microphoneFormat, audio.name,
      "audio from \(audio.name), \(audio.rate) Hz, "
        + (audio.channels == 1 ? "1 channel" : "\(audio.channels) channels"))
    let mailbox = mailbox
    // The mutex hands it over to its thread, which alone locks it.
    let handed = Mutex(microphone)
    let listener = try WorkerThread(.listen) {
      handed.withLock { $0.listen(until: mailbox.interruption) }
    }
    do throws(ThreadError) {
      encoding = Mutex(
        try WorkerThread(.audio) { MicrophoneCutter(audio, volume: volume).run(mailbox) })
    } catch {
      mailbox.interruption.interrupt()
      throw error
    }
    listening = Mutex(listener)
  }

  deinit { mailbox.interruption.interrupt() }

  /// Sets the function that receives the samples, before the first frame is reported.
  ///
  /// It returns false if the receiver has ended.
  func attach(_ send: @escaping @Sendable (AudioBlock) -> Bool) { mailbox.send = send }

  /// Reports a frame: when it was captured, and the output time at which it is shown.
  func frame(taken: MonotonicTime, shown: Rational) {
    mailbox.post(.frame(taken: taken, shown: shown))
  }

  /// Reports a pause; the last frame before it is shown until this output time.
  func pause(at time: Rational) { mailbox.post(.pause(time)) }

  /// Reports the output time at which the output ends.
  func end(at time: Rational) { mailbox.post(.end(time)) }

  /// Waits, after `end`, until the last samples are sent; throws if reading them failed.
  func finish() throws {
    encoding.withLock { $0.take() }?.join()
    mailbox.interruption.interrupt()
    listening.withLock { $0.take() }?.join()
    if let failure = mailbox.failure { throw failure }
  }

  /// Report on the microphone; complete after `finish`.
  var report: MicrophoneAudio.Report { audio.report }
}

/// Messages to and from the threads of a microphone.
final class MicrophoneMailbox: Sendable {
  /// What happens to the frames, in order.
  enum Mark: Sendable {
    case frame(taken: MonotonicTime, shown: Rational)
    case pause(Rational)
    case end(Rational)
  }

  private struct State: Sendable {
    var marks: [Mark] = []
    var send: @Sendable (AudioBlock) -> Bool = { _ in false }
    var failure: (any Error)?
  }

  /// Ends the threads, even while they wait.
  let interruption = Interruption()
  private let state = Mutex(State())

  func post(_ mark: Mark) { state.withLock { $0.marks.append(mark) } }

  /// Moves the posted marks to the end of `marks`.
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
