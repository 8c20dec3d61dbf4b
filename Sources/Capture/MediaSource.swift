package import FFmpegHandles
package import Frames

/// A source of frames, and optionally audio, in order.
///
/// One thread opens it, and one thread (perhaps another) reads it; any thread may call `interrupt`.
package protocol MediaSource: AnyObject, Sendable {
  /// What the open source knows before its first frame is read.
  var description: SourceDescription { get }

  /// Returns the next sample, and waits for it without a time limit; nil at the end.
  ///
  /// The first sample is a frame; audio that was stored before this frame comes after it.
  func next() throws(CaptureError) -> MediaSample?

  /// Makes a waiting `next`, and every later call of it, return nil soon.
  func interrupt()

  /// Problems while reading; complete once `next` has returned nil.
  var report: SourceReport { get }
}

/// One item that a source delivers, in stored order.
package enum MediaSample: Sendable {
  case frame(Frame)
  /// Compressed audio for the outputs.
  case codedAudio(CompressedPacket)
  /// Samples of a track, in the source's own time; in each track every block follows the one before it.
  case audio(AudioBlock)
  /// A subtitle, by its stream's index in `SourceDescription.subtitles`; it may begin before the first frame.
  case subtitle(CompressedPacket)
  /// Compressed audio for effects, if the request asks for it.
  ///
  /// This is all audio of the best stream from one second before the first frame on; each packet comes
  /// before the first frame with a later timestamp.
  case audioForEffects(CompressedPacket)
}

extension MediaSample {
  /// Whether it is a frame, which is far larger than audio.
  package var isFrame: Bool { if case .frame = self { true } else { false } }
}

/// What is known about a source before its first frame.
package struct SourceDescription: Sendable {
  /// The name in messages (a path as typed, "standard input", "testsrc").
  package var name: String
  /// The nominal frame rate; only the timestamps of the frames are reliable.
  package var frameRate: Rational
  /// The time base of the frames' timestamps, in seconds.
  package var timeBase: Rational
  /// The duration of the delivered part in seconds and its number of frames, if known.
  package var duration: Rational?
  package var frameCount: Int?
  /// The end of the whole video according to the container, in the source's own time, in seconds; nil
  /// if the container does not say, and for a still image.
  package var end: Rational?
  /// The time from which players count, in the source's own time, in seconds.
  package var zero = Rational.zero
  /// The calls that opened the source, such as `avformat_open_input`, with their durations.
  package var openingCalls: [TimedCall] = []
  /// The stretch that is delivered, if one was requested.
  package var range: DeliveredRange?
  /// FFmpeg's name of the decoder; nil if nothing is decoded.
  package var decoder: String?
  /// The streams of the `MediaSample.codedAudio` packets, by stream index.
  package var codedAudio: [CompressedStream] = []
  /// Index in `codedAudio` of the best stream by FFmpeg's rules, for readers that use only one stream.
  package var bestAudio: Int?
  /// The stream of the `MediaSample.audioForEffects` packets.
  package var audioForEffects: CompressedStream?
  /// The formats of the audio that comes as samples, by track.
  package var audio: [AudioFormat] = []
  /// The streams of which the samples were decoded, by track; empty if no stream holds the audio as it is.
  package var audioOrigins: [CompressedStream] = []
  /// The format of the samples that effects hear, if they hear those of `MediaSample.audio`.
  package var samplesForEffects: AudioFormat?
  /// The source cannot wait: frames come at their own pace, and frames that are not taken in time are lost.
  package var isLive = false
  /// A device makes the frames during the recording, instead of a file.
  package var isCamera = false
  /// kfrec itself decides when each frame is read, so a frame is missing if the machine was too busy then.
  package var isPolled = false
  /// The source is a single image.
  package var isStill = false
  /// The field order of interlaced frames; nil for progressive frames, and if they are deinterlaced.
  package var fieldOrder: FieldOrder?
  /// The first frame is interlaced, and has `Frame.fields`.
  package var isDeinterlaced = false
  /// Contents of the source that no output takes: "2 subtitle tracks".
  package var leftOut: [String] = []
  /// The streams of the `MediaSample.subtitle` packets.
  package var subtitles: [CompressedStream] = []
  /// What the source holds beside its video and its audio, by its own times, if it was requested.
  package var contents: FileContents?
  /// Title, author, date and place, if they were requested.
  package var tags = MediaTags()
  /// When the file was made, in seconds since 1970-01-01 UTC, if the file says so; for a camera, when it gave its first
  /// frame.
  package var creationTime: Rational?
  /// The time code at the zero of the file, if the file has one.
  package var timecode: Timecode?
  /// When the camera was told to start.
  package var streamStart: MonotonicTime?
  /// Notices for the user: the mode that a camera grants, HDR, the chosen stream.
  package var notices: [Notice] = []

  package init(name: String, frameRate: Rational, timeBase: Rational) {
    self.name = name
    self.frameRate = frameRate
    self.timeBase = timeBase
  }
}

/// Problems while reading a source.
package struct SourceReport: Sendable {
  /// Number of timestamps that were missing or went backward, and were predicted from the previous one.
  package var predictedTimes = 0
  /// Number of timestamp jumps back and ahead; later timestamps were moved to close each jump.
  package var jumpsBack = 0
  package var jumpsAhead = 0
  /// Seconds of audio that were left out because they ended before the first frame.
  package var audioBeforeFrames = Rational.zero
  /// Number of frames or packets that did not decode, or only with repair; damaged camera frames are
  /// left out.
  package var damaged = 0
  /// Number of frames that a camera's driver counted but did not deliver, or that were not read when they were due.
  package var lostByDriver = 0
  /// Number of frames that a camera gave, recorded or not, and how many of them stayed in the driver's
  /// memory.
  package var frames = 0
  package var inPlace = 0
  /// How often a camera was restarted after a failure.
  package var restarts = 0
  /// Whether a camera's timestamps became unusable during the recording, so that frames have their
  /// arrival times since then.
  package var usesArrivalTimes = false
  /// The longest delay of a paced source's frame after its time by the source's own clock, in seconds.
  package var lateness = 0.0
  /// Total time that a paced source or a camera waited for frames, in seconds.
  package var paused = 0.0
  /// Total time for which the source of a file waited for the file's packets, in seconds.
  package var reading = 0.0
  /// Why the source ended too early, as a sentence, which gives exit code 3; nil if it did not.
  package var incomplete: String?

  package init() {}
}
