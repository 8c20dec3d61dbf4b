package import FFmpegHandles
package import Frames

/// Something that takes frames, and perhaps sound, in order, and makes an output of them.
///
/// Used by one thread at a time. Exactly one of `finish` and `abandon` is called, last.
package protocol MediaSink: AnyObject, Sendable {
  /// FFmpeg's name of the encoder; nil where nothing is encoded.
  var encoderName: String? { get }

  /// What the user should know now that the output is open.
  var notices: [Notice] { get }

  /// Takes a frame; its time is from the first recorded one, and later than the frame's before it.
  func write(_ frame: Frame) throws

  /// Takes a packet of carried sound.
  func write(_ packet: CompressedPacket) throws

  /// Takes sound to encode; of a track each block follows the one before.
  func write(_ block: AudioBlock) throws

  /// Encodes what is pending, completes the output and gives it its name.
  func finish() throws -> SinkReport

  /// Drops the output; nothing is left behind, unless a frame was written already.
  func abandon()
}

extension MediaSink {
  package var notices: [Notice] { [] }
  package func write(_ packet: CompressedPacket) throws {}
  package func write(_ block: AudioBlock) throws {}
}

/// What became of an output.
package struct SinkReport: Sendable {
  /// The path or name as typed.
  package var output: String
  /// Frames in the output.
  package var frames: Int
  /// Bytes written, where that can be known.
  package var bytes: Int64?
  /// From the first frame's start to the last one's end, in seconds.
  package var duration: Rational
  /// Of the frames that told when they were captured; nil if none did.
  package var latency: Latency?
  /// Packets of sound that were too damaged to be written.
  package var damagedSound = 0
  /// Tracks of sound that began too late to be in the output.
  var leftOutSounds = 0
  /// The names that were given to files of an earlier run which stood in the way.
  var recovered: [String] = []

  /// What the user should know of it, as a sentence.
  package var warning: String? {
    if let first = recovered.first {
      let rest = recovered.count == 1 ? "" : " and \(recovered.count - 1) more"
      return "an earlier run did not come to its end; what it left is kept as \(first)\(rest)"
    }
    if leftOutSounds > 0 {
      return
        "\(output) has no sound where this began too late for its container; write .mkv to keep it"
    }
    guard damagedSound > 0 else { return nil }
    let packets = damagedSound == 1 ? "1 packet" : "\(damagedSound) packets"
    return
      "\(packets) of the sound came damaged, and \(damagedSound == 1 ? "is" : "are") missing in \(output)"
  }

  package init(
    output: String, frames: Int, bytes: Int64?, duration: Rational, latency: Latency? = nil
  ) {
    self.output = output
    self.frames = frames
    self.bytes = bytes
    self.duration = duration
    self.latency = latency
  }
}
