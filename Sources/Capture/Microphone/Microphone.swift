import ALSAHandles
public import Frames
import Glibc

/// An open microphone, which runs from its opening on.
///
/// A separate thread listens, so that slow work on the audio loses none of it; other threads read
/// `audio`. A failure after the opening is not an error: silence follows, and the report says so. Used
/// by one thread at a time.
public final class Microphone {
  /// The audio that the microphone has given.
  public let audio: MicrophoneAudio

  private var pcm: CapturePCM?
  private let notify: @Sendable (Notice) -> Void
  private let name: String
  private let setting: CapturePCM.Setting
  private let buffer: UnsafeMutableRawBufferPointer
  /// Whether the next audio that is read comes after a gap.
  private var isAfterGap = false
  /// When the device was last opened.
  private var opening = MonotonicTime.now
  private var lastAudio = MonotonicTime.now
  private var taken: Int64 = 0
  /// Whether the device may come back, unlike a device whose data is unusable.
  private var mayReturn = true

  /// A device that gives nothing for this many seconds is given up.
  private static let patience = 5.0
  /// Milliseconds between two checks of a device that wakes no thread, and of one that has gone.
  private static let pause: (there: Int32, gone: Int32) = (100, 1000)
  /// A timestamp this many nanoseconds from the present belongs to another clock.
  private static let plausible: Int64 = 10_000_000_000

  /// Opens and starts the named microphone: "default", ALSA's name, or part of a card's name.
  ///
  /// `notify` receives notices, on the thread that listens, when the device goes and comes back;
  /// `target` turns the device's sample rate and channels into those to read.
  public init(
    named text: String, notify: @escaping @Sendable (Notice) -> Void = { _ in },
    as target: (_ rate: Int, _ channels: Int) -> (rate: Int, channels: Int)
  ) throws(CaptureError) {
    let known = try MicrophoneDescription.named(text)
    name = known?.name ?? text
    let opened: CapturePCM
    do throws(ALSAError) {
      opened = try Microphone.open(name)
    } catch {
      throw CaptureError(error, microphone: name, node: known?.path)
    }
    setting = opened.setting
    self.notify = notify
    let format = target(setting.rate, setting.channels)
    audio = MicrophoneAudio(
      name: name, rate: setting.rate, channels: setting.channels, target: format,
      timeline: AudioTimeline(from: setting, to: format))
    buffer = .allocate(byteCount: setting.bufferSize * setting.frameBytes, alignment: 16)
    pcm = consume opened
  }

  deinit { buffer.deallocate() }

  /// Opens a device; ALSA converts the samples of hardware whose formats kfrec does not read.
  private static func open(_ name: String) throws(ALSAError) -> CapturePCM {
    let pcm: CapturePCM
    do throws(ALSAError) {
      pcm = try CapturePCM(name: name)
    } catch {
      guard name.hasPrefix("hw:"), error.call != "snd_pcm_open" else { throw error }
      let converting = try CapturePCM(name: "plug" + name)
      try converting.start()
      return converting
    }
    try pcm.start()
    return pcm
  }

  /// Fetches audio until it is interrupted.
  public func listen(until interruption: Interruption) {
    while !interruption.isInterrupted {
      guard pcm != nil else {
        interruption.wait(milliseconds: Microphone.pause.gone)
        if mayReturn { reopen() }
        continue
      }
      pcm?.wait(or: interruption.descriptor, milliseconds: Microphone.pause.there)
      do throws(ALSAError) {
        // A device without its own pace is always ready.
        if try fetch() == 0 { interruption.wait(milliseconds: 5) }
      } catch {
        recover(from: error)
      }
    }
  }

  /// Fetches the available frames; returns their number.
  private func fetch() throws(ALSAError) -> Int {
    guard let status = try pcm?.status() else { return 0 }
    let now = MonotonicTime.now
    let isPlausible = abs(now.nanoseconds - status.stamp) < Microphone.plausible
    let time = isPlausible ? MonotonicTime(nanoseconds: status.stamp) : now
    let count = try pcm?.read(into: buffer) ?? 0
    audio.update { timeline in
      if status.pending > 0 {
        if isAfterGap {
          isAfterGap = false
          timeline.resume(
            at: time + Rational(Int64(-status.pending), Int64(setting.rate)))
        }
        timeline.note(pending: status.pending, at: time)
      }
      if count > 0 {
        timeline.add(UnsafeRawBufferPointer(rebasing: buffer[..<(count * setting.frameBytes)]))
      }
    }
    if count > 0 {
      lastAudio = now
      taken += Int64(count)
      // A source that gives as much as is requested is not a device (ALSA's "null").
      let most =
        2 * now.seconds(since: opening) * Double(setting.rate) + Double(2 * setting.bufferSize)
      if Double(taken) > most { lose("gives audio as fast as kfrec reads it", forGood: true) }
    } else if now.seconds(since: lastAudio) > Microphone.patience {
      lose("has given no audio for \(Int(Microphone.patience)) seconds", forGood: true)
    }
    return count
  }

  /// Restarts the device after an overrun; after any other failure it counts as gone.
  private func recover(from error: ALSAError) {
    if error.meansOverrun {
      isAfterGap = true
      if (try? pcm?.start()) != nil { return }
    }
    lose(error.code == ENODEV ? "was unplugged" : "failed: \(error.reason) (\(error.call))")
  }

  private func lose(_ reason: String, forGood: Bool = false) {
    mayReturn = !forGood
    // Close the device here: after it has gone it stays in use until it is closed.
    pcm = nil
    let sentence = "the microphone \(name) \(reason)"
    audio.setLoss(sentence)
    notify(Notice(.microphoneLost, name, "\(sentence); there is silence instead"))
  }

  /// Continues if the same device is back.
  private func reopen() {
    guard let opened = try? Microphone.open(name), opened.setting == setting else { return }
    pcm = consume opened
    (opening, lastAudio, taken) = (.now, .now, 0)
    isAfterGap = true
    audio.setLoss(nil)
    notify(Notice(.microphoneBack, name, "the microphone \(name) is back"))
  }
}
