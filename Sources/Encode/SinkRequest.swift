package import FFmpegHandles
package import Frames

/// How to encode; nil is the default of the manual.
package struct EncodeSettings: Sendable {
  /// An encoder's or a codec's name; H.264 by libx264 unless told.
  package var codec: String?
  package var preset: String?
  /// Bits a second; 6 Mbit/s x W*H*fps/(1280*720*30) and at least 0.5 Mbit/s unless told.
  package var bitrate: Int?
  package var crf: Double?
  /// Frames from a key frame to the next.
  package var gop: Int?
  package var pixelFormat: PixelFormat?

  package init() {}

  /// What looks like a slip of the finger, in a sentence.
  package var doubt: String? {
    guard let bitrate, bitrate < 100_000 else { return nil }
    return "--bitrate \(bitrate) is very little, for it counts single bits a second: "
      + "write \(bitrate)k if kilobits are meant"
  }
}

/// What an output is opened with: all that is known once the first frame and the GPU's plan are.
package struct SinkRequest: Sendable {
  /// What every frame will be; pixel format and size are those of `Output.frameFormat`.
  package var format: FrameFormat
  package var frameRate: Rational
  /// The unit of the source's times, in seconds.
  package var timeBase: Rational
  /// How long the output will be at most, in seconds, if known.
  package var duration: Rational?
  /// Sound that will come along, by the packets' stream index.
  package var sound: [CompressedStream]
  /// Sound that will come as samples and is encoded, by the blocks' track.
  package var audio: [AudioFormat] = []
  package var isLive: Bool
  /// How the frames are interlaced; nil where they are whole.
  package var fieldOrder: FieldOrder?
  /// What the output says of itself.
  package var tags = MediaTags()
  /// Encoder threads; 0 lets it choose.
  package var threads = 0
  /// An output that exists already is replaced when the new one is whole; otherwise one that has
  /// appeared since makes `finish` fail.
  package var replacesExisting = false
  /// Ends the wait for a FIFO's reader.
  package var isStopped: @Sendable () -> Bool = { false }

  package init(
    format: FrameFormat, frameRate: Rational, timeBase: Rational, duration: Rational? = nil,
    sound: [CompressedStream] = [], isLive: Bool = false
  ) {
    self.format = format
    self.frameRate = frameRate
    self.timeBase = timeBase
    self.duration = duration
    self.sound = sound
    self.isLive = isLive
  }
}
