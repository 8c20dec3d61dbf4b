import CFFmpeg
import FFmpegHandles
import Frames

/// A stream's frame rate as far as its container and codec tell.
enum NominalRate {
  /// The rate to tell encoders and people; 25 where nothing sensible is said.
  ///
  /// The times are what counts: a wrong guess changes only defaults (bit rate, level) that depend
  /// on it.
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
