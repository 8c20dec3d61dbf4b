package import FFmpegHandles
package import Frames
import Synchronization

/// What a microphone has given and what became of it, between the thread that listens and the one that
/// reads.
package final class MicrophoneAudio: @unchecked Sendable {
  // @unchecked: every access to the state below holds `lock`.

  /// As ALSA has it ("hw:CARD=PCH,DEV=0", "default").
  package let name: String
  /// What the device gives: samples a second of each channel, by its own clock.
  package let rate: Int
  package let channels: Int
  /// What `read` gives.
  package let target: (rate: Int, channels: Int)

  private let lock = Mutex(())
  private let timeline: AudioTimeline
  private var firstBegin: MonotonicTime?
  private var loss: String?

  /// What became of it.
  package struct Report: Sendable, Equatable {
    package var name: String
    package var rate: Int
    package var channels: Int
    /// How much faster its clock is than it promises, by the system's, in millionths.
    package var drift = 0.0
    /// When the sound that is read began.
    package var begin: MonotonicTime?
    /// How often it had lost sound, for which there is silence of that many seconds.
    package var gaps = 0
    package var missing = 0.0
    /// Why no more came at the end, as a sentence.
    package var loss: String?

    package init(name: String, rate: Int, channels: Int) {
      self.name = name
      self.rate = rate
      self.channels = channels
    }
  }

  init(
    name: String, rate: Int, channels: Int, target: (rate: Int, channels: Int),
    timeline: AudioTimeline
  ) {
    self.name = name
    self.rate = rate
    self.channels = channels
    self.target = target
    self.timeline = timeline
  }

  /// From this moment on its sound is read.
  package func begin(at time: MonotonicTime) {
    lock.withLock { _ in
      firstBegin = firstBegin ?? time
      timeline.begin(at: time)
    }
  }

  /// Nothing more is read until `begin`.
  package func end() { lock.withLock { _ in timeline.end() } }

  /// What it has not given by now is silence.
  package func giveUp() { lock.withLock { _ in timeline.pause() } }

  /// Puts the next samples into the planes from a place on, at most `count`; how many there are yet.
  package func read(
    _ count: Int, into planes: SamplePlanes, at place: Int
  ) throws(FFmpegError) -> Int {
    try lock.withLock { _ throws(FFmpegError) in
      try timeline.read(count, into: planes, at: place)
    }
  }

  /// What became of it so far.
  package var report: Report {
    lock.withLock { _ in
      var report = Report(name: name, rate: rate, channels: channels)
      report.drift = timeline.drift
      report.begin = firstBegin
      report.gaps = timeline.gaps
      report.missing = timeline.missing
      report.loss = loss
      return report
    }
  }

  /// Has the timeline to itself.
  func update(_ body: (AudioTimeline) -> Void) { lock.withLock { _ in body(timeline) } }

  /// The device has gone, for the reason told in this sentence; with nil it is there again.
  func setLoss(_ sentence: String?) {
    lock.withLock { _ in
      loss = sentence
      if sentence != nil { timeline.pause() }
    }
  }
}
