import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The time at which a file says that it was made.
enum CreationTime {
  /// FFmpeg's name of the tag.
  static let tag = "creation_time"

  /// Returns seconds since 1970-01-01 UTC from the container's `creation_time` (ISO 8601); nil without one.
  static func of(_ context: UnsafeMutablePointer<AVFormatContext>) -> Rational? {
    var microseconds: Int64 = 0
    guard let text = FFmpegHandles.tag(tag, in: context.pointee.metadata),
      av_parse_time(&microseconds, text, 0) >= 0
    else { return nil }
    return Rational(microseconds, 1_000_000)
  }

  /// Returns the current time, in seconds since 1970-01-01 UTC.
  static func seconds() -> Rational { Rational(Int64(time(nil))) }

  /// Returns the tag's text for the current time ("2026-11-21T20:15:00Z").
  static func now() -> String {
    var (moment, parts) = (time(nil), tm())
    gmtime_r(&moment, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress else { return "" }
      let count = strftime(start, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}

extension SourceDescription {
  /// Dates a source whose frames begin now.
  mutating func beginNow(_ request: SourceRequest) {
    creationTime = CreationTime.seconds()
    if request.includesTags { tags[CreationTime.tag] = CreationTime.now() }
  }
}

extension Timecode {
  /// Reads the code of a file's first frame, which FFmpeg gives as a tag of the file or of a stream; nil if it has none.
  init?(of context: UnsafeMutablePointer<AVFormatContext>, frameRate: Rational) {
    let all = [context.pointee.metadata] + context.pointee.streamList.map(\.pointee.metadata)
    guard let text = all.lazy.compactMap({ tag("timecode", in: $0) }).first else { return nil }
    self.init(text, frameRate: frameRate)
  }
}
