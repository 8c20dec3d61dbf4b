import ALSAHandles
package import Frames
import Glibc

/// A microphone that is open, and runs from then on.
///
/// A thread of its own listens, so that nothing that is done with the sound makes it lose any; `sound`
/// is what others read. A failure after the opening is no error: there is silence, and the report
/// tells. Used by one thread at a time.
package final class Microphone {
  /// What it has given.
  package let sound: MicrophoneAudio

  private var pcm: CapturePCM?
  private let notify: @Sendable (Notice) -> Void
  private let name: String
  private let setting: CapturePCM.Setting
  private let buffer: UnsafeMutableRawBufferPointer
  /// What is read next lies behind a gap.
  private var isAfterGap = false
  /// Since it was opened last.
  private var opening = MonotonicTime.now
  private var lastSound = MonotonicTime.now
  private var taken: Int64 = 0
  /// It is looked for where it has gone, as against one that gives nothing that is any good.
  private var mayReturn = true

  /// A device that gives nothing for so many seconds gives nothing at all.
  private static let patience = 5.0
  /// Milliseconds between two looks at a device that wakes nobody, and at one that has gone.
  private static let pause: (there: Int32, gone: Int32) = (100, 1000)
  /// Stamps this far from now are of another clock, in nanoseconds.
  private static let plausible: Int64 = 10_000_000_000

  /// Opens and starts the one that is named: "default", ALSA's name, or part of a card's name.
  ///
  /// `notice` is told, by the thread that listens, when it goes and comes back; `target` makes of its rate and channels what is to be read.
  package init(
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
    sound = MicrophoneAudio(
      name: name, rate: setting.rate, channels: setting.channels, target: format,
      timeline: AudioTimeline(from: setting, to: format))
    buffer = .allocate(byteCount: setting.bufferSize * setting.frameBytes, alignment: 16)
    pcm = consume opened
  }

  deinit { buffer.deallocate() }

  /// Hardware that gives other samples than kfrec reads is opened through ALSA's conversion.
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

  /// Fetches what comes until it is interrupted.
  package func listen(until interruption: Interruption) {
    while !interruption.isInterrupted {
      guard pcm != nil else {
        interruption.wait(milliseconds: Microphone.pause.gone)
        if mayReturn { reopen() }
        continue
      }
      pcm?.wait(or: interruption.descriptor, milliseconds: Microphone.pause.there)
      do throws(ALSAError) {
        // A device without a pace is always ready.
        if try fetch() == 0 { interruption.wait(milliseconds: 5) }
      } catch {
        recover(from: error)
      }
    }
  }

  /// Takes what there is; how much that was.
  private func fetch() throws(ALSAError) -> Int {
    guard let status = try pcm?.status() else { return 0 }
    let now = MonotonicTime.now
    let isPlausible = abs(now.nanoseconds - status.stamp) < Microphone.plausible
    let time = isPlausible ? MonotonicTime(nanoseconds: status.stamp) : now
    let count = try pcm?.read(into: buffer) ?? 0
    sound.update { timeline in
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
      lastSound = now
      taken += Int64(count)
      // One that gives as much as it is asked for is no device (ALSA's "null").
      let most =
        2 * now.seconds(since: opening) * Double(setting.rate) + Double(2 * setting.bufferSize)
      if Double(taken) > most { lose("gives sound at no pace of its own", forGood: true) }
    } else if now.seconds(since: lastSound) > Microphone.patience {
      lose("has given no sound for \(Int(Microphone.patience)) seconds", forGood: true)
    }
    return count
  }

  /// After an overrun it is started again; what else fails has gone.
  private func recover(from error: ALSAError) {
    if error.meansOverrun {
      isAfterGap = true
      if (try? pcm?.start()) != nil { return }
    }
    lose(error.code == ENODEV ? "was unplugged" : "failed: \(error.reason) (\(error.call))")
  }

  private func lose(_ reason: String, forGood: Bool = false) {
    mayReturn = !forGood
    // Closed now, because a device that has gone stays in use until then.
    pcm = nil
    let sentence = "the microphone \(name) \(reason)"
    sound.setLoss(sentence)
    notify(Notice(.microphoneLost, name, "\(sentence); there is silence instead"))
  }

  /// Goes on where the same device is there again.
  private func reopen() {
    guard let opened = try? Microphone.open(name), opened.setting == setting else { return }
    pcm = consume opened
    (opening, lastSound, taken) = (.now, .now, 0)
    isAfterGap = true
    sound.setLoss(nil)
    notify(Notice(.microphoneBack, name, "the microphone \(name) is back"))
  }
}
