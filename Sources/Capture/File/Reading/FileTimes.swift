import CFFmpeg
import FFmpegHandles
import Frames

/// Returns the ticks of a time or duration of at most a century.
///
/// nil for a missing value, and for values that only a damaged file has, so that no later sum exceeds
/// 64 bits.
func plausible(_ ticks: Int64, _ unit: Rational) -> Int64? {
  let limit = Rational(100 * 366 * 24 * 3600)
  let time = Rational(ticks) * unit
  return ticks != kf_av_nopts_value() && time <= limit && time >= -limit ? ticks : nil
}

extension AVPacket {
  /// The presentation timestamp, or else the decoding timestamp.
  var stamp: Int64 { pts == kf_av_nopts_value() ? dts : pts }

  /// The time and the duration in seconds by a time base; nil without a plausible time.
  func span(_ unit: Rational) -> (time: Rational, duration: Rational)? {
    plausible(stamp, unit).map {
      (Rational($0) * unit, Rational(max(plausible(duration, unit) ?? 0, 0)) * unit)
    }
  }
}

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

extension Demuxer {
  /// Whether images are read, known by their bytes ("png_pipe") or by their names ("image2": TGA has no signature).
  var isImage: Bool { formatName.hasSuffix("_pipe") || formatName == "image2" }

  /// Whether packets have no times: an elementary stream, of which FFmpeg places 25 frames in a second if the stream itself
  /// does not say its frame rate.
  var isElementary: Bool {
    ["h264", "hevc", "m4v", "mjpeg", "h261", "h263", "cavsvideo", "vc1", "obu", "vvc"].contains(
      formatName)
  }

  /// Returns the duration of a packet's content in seconds.
  ///
  /// If the container does not give it, this is the time until the next packet in the index, or the
  /// codec's usual duration; else 0.
  func duration(of data: UnsafePointer<AVPacket>) -> Rational {
    let unit = timeBase(of: data.pointee.stream_index)
    if let ticks = plausible(data.pointee.duration, unit), ticks > 0 {
      return Rational(ticks) * unit
    }
    let index = data.pointee.stream_index
    guard let parameters = context.pointee.streams[Int(index)]?.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, parameters.pointee.sample_rate > 0
    else { return .zero }
    if let begin = plausible(data.pointee.dts, unit),
      let next = indexedTime(of: index, from: begin + 1),
      let ticks = plausible(next - begin, unit)
    {
      return Rational(ticks) * unit
    }
    let samples = av_get_audio_frame_duration2(parameters, data.pointee.size)
    return Rational(Int64(max(samples, 0)), Int64(parameters.pointee.sample_rate))
  }
}
