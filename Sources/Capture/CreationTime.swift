import CFFmpeg
import Frames

/// When a file says that it was made.
enum CreationTime {
  /// Seconds since 1970-01-01 UTC from the container's `creation_time` (ISO 8601); nil without one.
  static func of(_ context: UnsafeMutablePointer<AVFormatContext>) -> Rational? {
    guard
      let entry = av_dict_get(context.pointee.metadata, "creation_time", nil, 0),
      let text = entry.pointee.value
    else { return nil }
    var microseconds: Int64 = 0
    guard av_parse_time(&microseconds, text, 0) >= 0 else { return nil }
    return Rational(microseconds, 1_000_000)
  }
}
