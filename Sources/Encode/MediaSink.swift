public import FFmpegHandles
public import Frames

/// Takes frames, and perhaps audio, in order, and makes an output of them.
///
/// One thread at a time has it. The last call is `finish` or `abandon`, exactly one of them.
public protocol MediaSink: AnyObject {
  /// FFmpeg's name of the encoder; nil if nothing is encoded.
  var encoderName: String? { get }

  /// Messages for the user, known once the output is open.
  var notices: [Notice] { get }

  /// Why encoders on hardware that were wanted are not used, as "NAME: REASON".
  var encoderRefusals: [String] { get }

  /// Takes a frame; its time counts from the first recorded frame, and is later than the previous
  /// frame's.
  func write(_ frame: Frame) throws

  /// Takes a packet of copied audio.
  func write(_ packet: CompressedPacket) throws

  /// Takes a subtitle of the source, by its stream's index in the request.
  func write(subtitle packet: CompressedPacket) throws

  /// Takes audio samples to encode; in each track, every block follows the previous one.
  func write(_ block: AudioBlock) throws

  /// Encodes pending frames, completes the output and gives it its final name.
  func finish() throws -> SinkReport

  /// Discards the output; no file remains, unless a frame was already written.
  func abandon()
}

extension MediaSink {
  public var notices: [Notice] { [] }
  public var encoderRefusals: [String] { [] }
  public func write(_ packet: CompressedPacket) throws {}
  public func write(subtitle packet: CompressedPacket) throws {}
  public func write(_ block: AudioBlock) throws {}
}

/// A sink that remembers the first failure of its calls.
protocol FailureNoting: MediaSink {
  /// The first failure; nil while there is none.
  var failure: (any Error)? { get set }
  /// Returns an error as it is thrown to the caller.
  func explained(_ error: any Error) -> any Error
}

extension FailureNoting {
  func explained(_ error: any Error) -> any Error { error }

  /// Runs a part of a call, and notes its error.
  func noteFailure(_ body: () throws -> Void) throws {
    do { try body() } catch {
      let error = explained(error)
      failure = failure ?? error
      throw error
    }
  }
}

/// The result of an output.
public struct SinkReport: Sendable {
  /// The path or name as typed by the user.
  public var output: String
  /// Frames in the output.
  public var frames: Int
  /// Bytes written, if known.
  public var bytes: Int64?
  /// Seconds from the start of the first frame to the end of the last one.
  public var duration: Rational
  /// Latency of the frames that have a capture time; nil if none has one.
  public var latency: Latency?
  /// Audio packets that were too damaged to be written.
  public var damagedAudio = 0
  /// Whether the output can be read back: raw video does not say what it is, and FFmpeg 5.1 reads no animated WebP.
  public internal(set) var canBeRead = true
  /// Whether what was encoded can be found there later; a stream and a virtual camera keep nothing.
  public internal(set) var isKept = true
  /// What else was asked for and could not be made; the output itself is whole.
  public var shortfall: Notice?
  /// Seconds from the first frame to the end of the last one as they came, if the output stores no times and shows them
  /// for another length.
  var lostLength: Rational?
  /// Audio tracks that began too late to be in the output.
  var leftOutAudio = 0
  /// The times of the frames, if the output stores them as they are in `times.timeBase`.
  public var times: TimesDigest?
  /// Whether the output was read back and is what was encoded.
  public var isVerified = false
  /// The files of a movie that was split, in order; empty for an output in one piece.
  public var parts: [SinkReport] = []
  /// Frames that were left out because the output cannot show them at their times.
  var leftOutFrames = 0
  /// New names of files from an interrupted earlier run that were in the way.
  var recovered: [String] = []

  /// What the user should know about the output, as a sentence.
  public var warning: String? {
    if let first = recovered.first {
      let rest = recovered.count == 1 ? "" : " and \(recovered.count - 1) more"
      return "an earlier run did not finish; its files are kept as \(first)\(rest)"
    }
    if leftOutFrames > 0 {
      return
        "\(output) is without \(leftOutFrames) \(leftOutFrames == 1 ? "frame" : "frames") that came sooner "
        + "than 1/50 s after the one before, because a GIF shows at most 50 frames per second: --fps 50 spaces "
        + "them evenly"
    }
    if let lostLength {
      return
        "\(output) stores no times: its \(frames) frames came within \(lostLength.twoDecimals) seconds and play "
        + "in \(duration.twoDecimals); --fps-mode cfr repeats frames where they stay longer"
    }
    if leftOutAudio > 0 {
      return
        "\(output) has no audio where the audio began too late for its container; write .mkv to keep it"
    }
    return damage
  }

  /// What was damaged and is missing, as a sentence.
  public var damage: String? {
    guard damagedAudio > 0 else { return nil }
    let packets = damagedAudio == 1 ? "1 packet" : "\(damagedAudio) packets"
    return
      "\(packets) of audio \(damagedAudio == 1 ? "was damaged and is" : "were damaged and are") missing in \(output)"
  }

  public init(
    output: String, frames: Int, bytes: Int64?, duration: Rational, latency: Latency? = nil
  ) {
    self.output = output
    self.frames = frames
    self.bytes = bytes
    self.duration = duration
    self.latency = latency
  }
}
