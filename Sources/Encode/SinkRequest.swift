public import FFmpegHandles
public import Frames

/// How to encode; nil means the manual's default.
public struct EncodeSettings: Sendable {
  /// The name of an encoder or codec; the default is H.264 by libx264.
  public var codec: String?
  public var preset: String?
  /// Bits per second.
  ///
  /// Without it and `crf` the quality is constant, if the encoder has such a mode; 6 Mbit/s
  /// x W*H*fps/(1280*720*30), at least 0.5 Mbit/s, is then the limit for live sources, and the
  /// bit rate of other encoders.
  public var bitrate: Int?
  public var crf: Double?
  /// Which hardware may encode.
  public var hardware = HardwarePreference.off
  /// The movie must be one file, so that it cannot go on in another one if hardware fails.
  public var isInOneFile = false
  /// Frames from one keyframe to the next.
  public var gop: Int?
  public var pixelFormat: PixelFormat?
  public var audio = AudioSettings()
  /// Options of the encoder itself, in their order; they take the place of those that kfrec sets.
  public var options: [EncoderOption] = []
  /// The limit of each file of a movie that is written as several files; nil for one file.
  public var split: SplitLimit?
  /// How often an animation is shown; 0 without end.
  public var plays = 0
  /// How the colours of an output stand for finer ones.
  public var dither = Dither.automatic
  /// The frames are a part of a movie, which is joined with other parts.
  public var isPart = false

  public init() {}

  /// How the colours of an output stand for finer ones.
  public enum Dither: Sendable {
    /// A palette by the error of each pixel, and frames with fewer bits than what they are made of by a fixed pattern.
    case automatic
    /// By the nearest colour.
    case flat
    /// By a fixed pattern, which compresses well.
    case ordered
    /// Each pixel of a palette takes over the error of those before it, which looks best in a single image.
    case errorDiffusion
  }

  /// A warning about a value that looks like a typing error, as a sentence.
  public var doubt: String? {
    guard let bitrate, bitrate < 100_000 else { return nil }
    return "--bitrate \(bitrate) is very low, because the number is in bits per second: "
      + "write \(bitrate)k if you mean kilobits"
  }
}

/// How long or how large each file of a movie is that is written as several files.
public enum SplitLimit: Sendable, Equatable {
  /// Seconds.
  case duration(Rational)
  /// Bytes.
  case size(Int64)
}

/// What an output is opened with: everything known once the first frame and the GPU's plan exist.
public struct SinkRequest: Sendable {
  /// The format of every frame; pixel format and size are those of `Output.frameFormat`.
  public var format: FrameFormat
  public var frameRate: Rational
  /// The source's time base, in seconds.
  public var timeBase: Rational
  /// Longest possible duration of the output in seconds, if known.
  public var duration: Rational?
  /// Audio streams that are copied, by the packets' stream index.
  public var codedAudio: [CompressedStream]
  /// Audio that arrives as samples and is encoded, by the blocks' track.
  public var audio: [AudioFormat] = []
  /// The source's streams that became this audio, by track; empty if it was none.
  public var audioOrigins: [CompressedStream] = []
  /// Whether a track comes from several streams, so that what one of them is called does not hold for it.
  public var joinsAudio = false
  /// The source's subtitles, by the packets' stream index.
  public var subtitles: [CompressedStream] = []
  /// What the source holds beside its video and its audio, by the output's times; nil for nothing.
  public var contents: FileContents?
  /// Index of the best of these streams by FFmpeg's rules.
  public var bestAudio: Int?
  /// The first frame's place in the source, and the source's length, as players count them, in seconds.
  public var sourceStart = Rational.zero
  public var sourceLength: Rational?
  /// Whether the source is a single image.
  public var isStill = false
  public var isLive: Bool
  /// The written part of a MOV or MP4 can be played if the process is killed, as that of a live source can.
  public var keepsPlayable = false
  /// Parts whose encoded frames the output has, instead of frames that are written to it.
  public var parts: MovieParts?
  /// How the frames are interlaced; nil if they are progressive.
  public var fieldOrder: FieldOrder?
  /// Descriptive tags of the output.
  public var tags = MediaTags()
  /// What a camera wrote into the picture that the output is made of, true of the output's own pixels.
  public var photo = PhotoData()
  /// How often an animation is shown; 0 without end.
  var plays = 0
  /// Number of encoder threads; 0 lets the encoder choose.
  public var threads = 0
  /// An existing output is replaced when the new one is complete; if false, `finish` fails if an
  /// output has appeared meanwhile.
  public var replacesExisting = false
  /// A file for the hashes of the frames, which is written beside the output; nil for none.
  public var frameHashes: String?
  /// Whether hardware that encodes reads frames where another device has them.
  public var sharing = PictureSharing()
  /// Receives what happens while the output is written, on the thread that writes it.
  public var notice: @Sendable (Notice) -> Void = { _ in }
  /// Returns true to end the wait for a FIFO's reader.
  public var isStopped: @Sendable () -> Bool = { false }

  public init(
    format: FrameFormat, frameRate: Rational, timeBase: Rational, duration: Rational? = nil,
    codedAudio: [CompressedStream] = [], isLive: Bool = false
  ) {
    self.format = format
    self.frameRate = frameRate
    self.timeBase = timeBase
    self.duration = duration
    self.codedAudio = codedAudio
    self.isLive = isLive
  }
}
