import ALSAHandles
package import FFmpegHandles
package import Frames
import Glibc

/// A microphone that records from when it is opened, and gives the sound of any stretch of time.
///
/// A failure after that is no error: there is silence, and `report` tells. Used by one thread at a
/// time.
package final class Microphone {
  /// As ALSA has it ("hw:CARD=PCH,DEV=0", "default").
  package let name: String
  /// What it gives: samples a second of each channel, by its own clock.
  package let rate: Int
  package let channels: Int

  /// What became of it.
  package struct Report: Sendable, Equatable {
    package var name: String
    package var rate: Int
    package var channels: Int
    /// How much faster its clock is than it promises, by the system's, in millionths.
    package var drift = 0.0
    /// How often it had lost sound, for which there is silence of that many seconds.
    package var gaps = 0
    package var missing = 0.0
    /// Why no more came, as a sentence.
    package var loss: String?
  }

  private var pcm: CapturePCM?
  private let setting: CapturePCM.Setting
  private let timeline: SoundTimeline
  private let buffer: UnsafeMutableRawBufferPointer
  /// What is read next lies behind a gap.
  private var isAfterGap = false
  private var loss: String?
  private var begin: MonotonicTime
  private var lastSound: MonotonicTime
  private var taken: Int64 = 0

  /// A device that gives nothing for so many seconds gives nothing at all.
  private static let patience = 5.0
  /// Stamps this far from now are of another clock, in nanoseconds.
  private static let plausible: Int64 = 10_000_000_000

  /// Opens and starts the one that is named: "default", ALSA's name, or part of a card's name.
  ///
  /// `target` makes of its rate and channels what `read` gives.
  package init(
    named text: String, as target: (_ rate: Int, _ channels: Int) -> (rate: Int, channels: Int)
  ) throws(CaptureError) {
    let known = try MicrophoneDescription.named(text)
    let name = known?.name ?? text
    let opened = try Microphone.open(name, node: known?.path)
    setting = opened.setting
    self.name = name
    rate = setting.rate
    channels = setting.channels
    timeline = SoundTimeline(from: setting, to: target(setting.rate, setting.channels))
    buffer = .allocate(byteCount: setting.bufferSize * setting.frameBytes, alignment: 16)
    (begin, lastSound) = (.now, .now)
    pcm = consume opened
  }

  deinit { buffer.deallocate() }

  private static func open(_ name: String, node: String?) throws(CaptureError) -> CapturePCM {
    do throws(ALSAError) {
      let pcm = try openAsIs(name)
      try pcm.start()
      return pcm
    } catch {
      throw CaptureError(error, microphone: name, node: node)
    }
  }

  /// Hardware that gives other samples than kfrec reads is opened through ALSA's conversion.
  private static func openAsIs(_ name: String) throws(ALSAError) -> CapturePCM {
    do throws(ALSAError) {
      return try CapturePCM(name: name)
    } catch {
      guard name.hasPrefix("hw:"), error.call != "snd_pcm_open" else { throw error }
      return try CapturePCM(name: "plug" + name)
    }
  }

  /// Fetches what there is, waiting for a moment where there is nothing; `interruption` ends the wait.
  package func receive(or interruption: Interruption, milliseconds: Int32) {
    guard pcm != nil else { return interruption.wait(milliseconds: milliseconds) }
    pcm?.wait(or: interruption.descriptor, milliseconds: milliseconds)
    do throws(ALSAError) {
      try fetch()
    } catch {
      recover(from: error)
    }
  }

  private func fetch() throws(ALSAError) {
    guard let status = try pcm?.status() else { return }
    let now = MonotonicTime.now
    let isPlausible = abs(now.nanoseconds - status.stamp) < Microphone.plausible
    let time = isPlausible ? MonotonicTime(nanoseconds: status.stamp) : now
    if status.pending > 0 {
      if isAfterGap {
        isAfterGap = false
        timeline.resume(at: time + Rational(Int64(-status.pending), Int64(rate)))
      }
      timeline.note(pending: status.pending, at: time)
    }
    guard let count = try pcm?.read(into: buffer) else { return }
    if count > 0 {
      timeline.add(UnsafeRawBufferPointer(rebasing: buffer[..<(count * setting.frameBytes)]))
      lastSound = now
      taken += Int64(count)
      // One that gives as much as it is asked for is no device (ALSA's "null").
      let most = 2 * now.seconds(since: begin) * Double(rate) + Double(2 * setting.bufferSize)
      if Double(taken) > most { lose("gives sound at no pace of its own") }
    } else if now.seconds(since: lastSound) > Microphone.patience {
      lose("has given no sound for \(Int(Microphone.patience)) seconds")
    }
  }

  /// After an overrun it is started again; what else fails has gone.
  private func recover(from error: ALSAError) {
    if error.meansOverrun {
      isAfterGap = true
      if (try? pcm?.start()) != nil { return }
    }
    lose(error.code == ENODEV ? "was unplugged" : "failed: \(error.reason) (\(error.call))")
  }

  private func lose(_ reason: String) {
    loss = "the microphone \(name) \(reason)"
    pcm = nil
    timeline.pause()
  }

  /// From this moment on its sound is read.
  package func begin(at time: MonotonicTime) { timeline.begin(at: time) }

  /// Nothing more is read until `begin`.
  package func end() { timeline.end() }

  /// What it has not given by now is silence.
  package func giveUp() { timeline.pause() }

  /// Puts the next samples into the planes from a place on, at most `count`; how many there are yet.
  package func read(
    _ count: Int, into planes: SamplePlanes, at place: Int
  ) throws(FFmpegError) -> Int {
    try timeline.read(count, into: planes, at: place)
  }

  /// What became of it so far.
  package var report: Report {
    Report(
      name: name, rate: rate, channels: channels, drift: timeline.drift, gaps: timeline.gaps,
      missing: timeline.missing, loss: loss)
  }
}
