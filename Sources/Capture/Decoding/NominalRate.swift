import CFFmpeg
import FFmpegHandles
import Frames

/// A stream's frame rate according to its container and codec.
enum NominalRate {
  /// Returns the frame rate for encoders and messages; 25 if no plausible rate is given.
  ///
  /// Only the timestamps are reliable: a wrong guess changes only defaults (bit rate, level) that
  /// depend on it.
  static func of(
    _ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>
  ) -> Rational {
    let guesses = [
      av_guess_frame_rate(context, stream, nil), stream.pointee.avg_frame_rate,
      stream.pointee.r_frame_rate,
    ]
    let sensible = Rational(1, 10)...Rational(1000)
    return guesses.map { Rational($0) }.first { sensible.contains($0) } ?? Rational(25)
  }
}
