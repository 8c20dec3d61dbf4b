public import FFmpegHandles
public import Frames
import Synchronization

/// A microphone's audio and its report, shared by the thread that listens and the one that reads.
public final class MicrophoneAudio: @unchecked Sendable {
  // @unchecked: every access to the state below holds `lock`.

  /// ALSA's name ("hw:CARD=PCH,DEV=0", "default").
  public let name: String
  /// The device's samples per second of each channel, by its own clock, and its number of channels.
  public let rate: Int
  public let channels: Int
  /// The sample rate and channels that `read` gives.
  public let target: (rate: Int, channels: Int)

  private let lock = Mutex(())
  private let timeline: AudioTimeline
  private var firstBegin: MonotonicTime?
  private var loss: String?

  /// The report about a microphone.
  public struct Report: Sendable, Equatable {
    public var name: String
    public var rate: Int
    public var channels: Int
    /// How much faster its clock is than its nominal rate, by the system clock, in millionths.
    public var drift = 0.0
    /// When the audio that is read began.
    public var begin: MonotonicTime?
    /// How often audio was lost, and how many seconds of silence replaced it.
    public var gaps = 0
    public var missing = 0.0
    /// Why no more audio came at the end, as a sentence.
    public var loss: String?

    public init(name: String, rate: Int, channels: Int) {
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

  /// Starts reading its audio at this time.
  public func begin(at time: MonotonicTime) {
    lock.withLock { _ in
      firstBegin = firstBegin ?? time
      timeline.begin(at: time)
    }
  }

  /// Stops reading until `begin`.
  public func end() { lock.withLock { _ in timeline.end() } }

  /// Replaces audio that has not come yet by silence.
  public func giveUp() { lock.withLock { _ in timeline.pause() } }

  /// Writes the next samples into the planes from a position on, at most `count`; returns how many were
  /// ready.
  public func read(
    _ count: Int, into planes: SamplePlanes, at place: Int
  ) throws(FFmpegError) -> Int {
    try lock.withLock { _ throws(FFmpegError) in
      try timeline.read(count, into: planes, at: place)
    }
  }

  /// The report so far.
  public var report: Report {
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

  /// Gives a closure exclusive access to the timeline.
  func update(_ body: (AudioTimeline) -> Void) { lock.withLock { _ in body(timeline) } }

  /// Records that the device has gone, for the reason in this sentence; nil if it is back.
  func setLoss(_ sentence: String?) {
    lock.withLock { _ in
      loss = sentence
      if sentence != nil { timeline.pause() }
    }
  }
}
