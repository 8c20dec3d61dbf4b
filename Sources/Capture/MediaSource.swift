public import FFmpegHandles
public import Frames

/// A source of frames, and optionally audio, in order.
///
/// Only one thread at a time uses it: the thread that opened it may pass it to another. Any thread can end its waits
/// with `SourceRequest.interruption`: a waiting `next`, and every later one, then returns nil soon.
public protocol MediaSource: AnyObject {
  /// What the open source knows before its first frame is read.
  var description: SourceDescription { get }

  /// Returns the next sample, and waits for it without a time limit; nil at the end.
  ///
  /// The first sample is a frame; audio that was stored before this frame comes after it.
  func next() throws(CaptureError) -> MediaSample?

  /// Problems while reading; complete once `next` has returned nil.
  var report: SourceReport { get }
}

/// What a source delivers, in stored order, and what outputs take.
public typealias MediaSample = Sample<Frame>

/// A frame, or an audio packet, audio block or subtitle, which is far smaller.
public enum Sample<Picture: Sendable>: Sendable {
  case frame(Picture)
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

extension Sample {
  /// Whether it is a frame, which is far larger than audio.
  public var isFrame: Bool { if case .frame = self { true } else { false } }
}

/// What is known about a source before its first frame.
public struct SourceDescription: Sendable {
  /// The name in messages (a path as typed, "standard input", "testsrc").
  public var name: String
  /// The nominal frame rate; only the timestamps of the frames are reliable.
  public var frameRate: Rational
  /// The time base of the frames' timestamps, in seconds.
  public var timeBase: Rational
  /// The duration of the delivered part in seconds and its number of frames, if known.
  public var duration: Rational?
  public var frameCount: Int?
  /// The end of the whole video according to the container, in the source's own time, in seconds; nil
  /// if the container does not say, and for a still image.
  public var end: Rational?
  /// The time from which players count, in the source's own time, in seconds.
  public var zero = Rational.zero
  /// The calls that opened the source, such as `avformat_open_input`, with their durations.
  public var openingCalls: [TimedCall] = []
  /// The stretch that is delivered, if one was requested.
  public var range: DeliveredRange?
  /// FFmpeg's name of the decoder; nil if nothing is decoded.
  public var decoder: String?
  /// The streams of the `MediaSample.codedAudio` packets, by stream index.
  public var codedAudio: [CompressedStream] = []
  /// Index in `codedAudio` of the best stream by FFmpeg's rules, for readers that use only one stream.
  public var bestAudio: Int?
  /// The stream of the `MediaSample.audioForEffects` packets.
  public var audioForEffects: CompressedStream?
  /// The formats of the audio that comes as samples, by track.
  public var audio: [AudioFormat] = []
  /// The streams of which the samples were decoded, by track; empty if no stream holds the audio as it is.
  public var audioOrigins: [CompressedStream] = []
  /// Whether a track comes from several streams, of which `audioOrigins` has the one that loses least.
  public var joinsAudio = false
  /// The format of the samples that effects hear, if they hear those of `MediaSample.audio`.
  public var samplesForEffects: AudioFormat?
  /// The source cannot wait: frames come at their own pace, and frames that are not taken in time are lost.
  public var isLive = false
  /// The first frame serves to prepare the recording alone, and is too old to be recorded.
  public var firstFrameIsStale = false
  /// The range of YCbCr is only the driver's guess, so that outputs get the limited one.
  public var rangeIsGuessed = false
  /// Damaged frames are left out, and the next one is whole again: nothing of a whole is missing.
  public var leavesOutDamage = false
  /// kfrec itself decides when each frame is read, so a frame is missing if the machine was too busy then.
  public var isPolled = false
  /// It is received as somebody sends it, so that packets may be lost on the way.
  public var isReceived = false
  /// The source is a single image.
  public var isStill = false
  /// The field order of interlaced frames; nil for progressive frames, and if they are deinterlaced.
  public var fieldOrder: FieldOrder?
  /// The first frame is interlaced, and has `Frame.fields`.
  public var isDeinterlaced = false
  /// Contents of the source that no output takes: "2 subtitle tracks".
  public var leftOut: [String] = []
  /// The streams of the `MediaSample.subtitle` packets.
  public var subtitles: [CompressedStream] = []
  /// What the source holds beside its video and its audio, by its own times, if it was requested.
  public var contents: FileContents?
  /// Title, author, date and place, if they were requested.
  public var tags = MediaTags()
  /// What a camera wrote into a single picture, if tags were requested.
  public var photo = PhotoData()
  /// When the file was made, in seconds since 1970-01-01 UTC, if the file says so; for a camera, when it gave its first
  /// frame.
  public var creationTime: Rational?
  /// The time code at the zero of the file, if the file has one.
  public var timecode: Timecode?
  /// When the camera was told to start.
  public var streamStart: MonotonicTime?
  /// Notices for the user: the mode that a camera grants, HDR, the chosen stream.
  public var notices: [Notice] = []

  public init(name: String, frameRate: Rational, timeBase: Rational) {
    self.name = name
    self.frameRate = frameRate
    self.timeBase = timeBase
  }
}

/// The part of a file's audio that could not be decoded.
public struct DamagedAudio: Sendable {
  /// The file's name.
  public let name: String
  public let packets: Int

  /// Returns nil if all packets were decoded.
  public init?(_ name: String, packets: Int) {
    guard packets > 0 else { return nil }
    (self.name, self.packets) = (name, packets)
  }
}

/// Problems while reading a source.
public struct SourceReport: Sendable {
  /// Number of timestamps that were missing or went backward, and were predicted from the previous one.
  public var predictedTimes = 0
  /// Number of timestamp jumps back and ahead; later timestamps were moved to close each jump.
  public var jumpsBack = 0
  public var jumpsAhead = 0
  /// Seconds of audio that were left out because they ended before the first frame.
  public var audioBeforeFrames = Rational.zero
  /// Number of frames or packets that did not decode, or only with repair; damaged camera frames are
  /// left out.
  public var damaged = 0
  /// Packets of a file's audio that did not decode, and are silence; nil if there are none.
  public var damagedAudio: DamagedAudio?
  /// Number of frames that a camera's driver counted but did not deliver, or that were not read when they were due.
  public var lostByDriver = 0
  /// Number of frames that a camera gave, recorded or not, and how many of them stayed in the driver's
  /// memory.
  public var frames = 0
  public var inPlace = 0
  /// How often a camera was restarted after a failure.
  public var restarts = 0
  /// Whether a camera's timestamps became unusable during the recording, so that frames have their
  /// arrival times since then.
  public var usesArrivalTimes = false
  /// The longest delay of a paced source's frame after its time by the source's own clock, in seconds.
  public var lateness = 0.0
  /// Total time that a paced source or a camera waited for frames, in seconds.
  public var paused = 0.0
  /// Total time for which the source of a file waited for the file's packets, in seconds.
  public var reading = 0.0
  /// Why the source ended too early, as a sentence, which gives exit code 3; nil if it did not.
  public var incomplete: String?
  /// Why it is shorter than the part that was asked for although it is whole itself, as a sentence, which gives exit
  /// code 3 too; nil if it is not.
  public var shortage: String?

  public init() {}
}
