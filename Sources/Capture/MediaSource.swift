package import FFmpegHandles
package import Frames

/// Something that delivers frames, and perhaps sound, in order.
///
/// Opened by one thread and then read by one thread (not the same one, maybe); `interrupt` may be
/// called from any.
package protocol MediaSource: AnyObject, Sendable {
  /// What is known once the source is open, before the first frame.
  var description: SourceDescription { get }

  /// The next sample, waiting for it as long as it takes; nil at the end.
  ///
  /// The first one is a frame: sound that was stored ahead of it follows it.
  func next() throws(CaptureError) -> MediaSample?

  /// Makes a `next` that waits, and every later one, return nil soon.
  func interrupt()

  /// What went less than well; complete once `next` has returned nil.
  var report: SourceReport { get }
}

/// One item of a source's output, in the order in which it was stored.
package enum MediaSample: Sendable {
  case frame(Frame)
  /// Coded sound for outputs.
  case sound(CompressedPacket)
  /// Coded sound for effects, where the request asks for it: all of the best sound from a second before
  /// the first frame on, each before the first frame that is shown later.
  case heard(CompressedPacket)
}

/// What is known of a source before its first frame.
package struct SourceDescription: Sendable {
  /// The name to use in messages (a path as typed, "standard input", "testsrc").
  package var name: String
  /// The nominal rate; times are what counts.
  package var frameRate: Rational
  /// The unit of the frames' times in seconds.
  package var timeBase: Rational
  /// How long what will be delivered lasts, in seconds, and how many frames it has, if known.
  package var duration: Rational?
  package var frameCount: Int?
  /// The source's own time at which its pictures end by the container, whatever part of them is
  /// wanted; nil where that does not say, and of a still.
  package var end: Rational?
  /// What opening it took in `avformat_open_input`.
  package var openingCalls: [TimedCall] = []
  /// FFmpeg's name of the decoder; nil where nothing is decoded.
  package var decoder: String?
  /// The streams that `MediaSample.sound` packets belong to, by index.
  package var sound: [CompressedStream] = []
  /// The one of these that is heard where only one is: the best by FFmpeg's rules.
  package var bestAudio: Int?
  /// What `MediaSample.heard` packets belong to.
  package var heard: CompressedStream?
  /// What comes as samples, by its track.
  package var audio: [AudioFormat] = []
  /// Cannot wait: frames come at their own pace, and those that are not taken in time are lost.
  package var isLive = false
  /// Its pictures are made now, by a device, rather than read.
  package var isCamera = false
  /// A single picture.
  package var isStill = false
  /// How its pictures are interlaced; nil where they are whole.
  package var fieldOrder: FieldOrder?
  /// What it holds that no output takes: "2 subtitle tracks".
  package var leftOut: [String] = []
  /// Title, author, date and place, as far as they are wanted.
  package var tags = MediaTags()
  /// When it was made, in seconds since 1970-01-01 UTC, if the file says so.
  package var creationTime: Rational?
  /// When a camera was told to begin.
  package var streamStart: MonotonicTime?
  /// What a person should know: what a camera grants, HDR, which stream was chosen.
  package var notices: [Notice] = []

  package init(name: String, frameRate: Rational, timeBase: Rational) {
    self.name = name
    self.frameRate = frameRate
    self.timeBase = timeBase
  }
}

/// What went less than well while reading.
package struct SourceReport: Sendable {
  /// Times that were missing or went backward, and were predicted from the one before.
  package var predictedTimes = 0
  /// Where times jumped back or ahead, and what follows was moved to where they had come to.
  package var jumpsBack = 0
  package var jumpsAhead = 0
  /// Seconds of sound that ended before the first picture, and were left out.
  package var soundBeforePictures = Rational.zero
  /// Frames or packets that did not decode, or not without mending; a camera's are left out.
  package var damaged = 0
  /// Frames that a camera's driver counted and did not deliver.
  package var lostByDriver = 0
  /// Pictures that a camera gave, recorded or not, and how many of them went on in the driver's own
  /// memory.
  package var pictures = 0
  package var inPlace = 0
  /// How often a camera was started again after a failure.
  package var restarts = 0
  /// A camera's time stamps went bad in the middle, and frames have
  /// the times of their arrival since.
  package var usesArrivalTimes = false
  /// How late the latest frame of a paced source was by the source's own clock, in seconds.
  package var lateness = 0.0
  /// How long a paced source waited for its frames' times in all, in seconds.
  package var paused = 0.0
  /// Why the source ended before its end (a sentence), if it did: exit code 3.
  package var incomplete: String?

  package init() {}
}
