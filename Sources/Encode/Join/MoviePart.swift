import CFFmpeg
import FFmpegHandles
public import Frames

/// Movies without audio that follow each other in one output, each with the times that it has there.
public struct MovieParts: Sendable {
  public var paths: [String]
  /// End of the last frame, in seconds.
  public var end: Rational

  public init(paths: [String], end: Rational) { (self.paths, self.end) = (paths, end) }
}

/// What is known about a part from its packets.
public struct MoviePart: Sendable {
  /// Number of frames.
  public let frames: Int
  /// Times of the first and of the last frame, in seconds.
  public let first: Rational
  public let last: Rational
  /// Presentation times of the frames in the order in which they are shown, in seconds.
  let times: [Rational]
  /// Decoding times before the first frame's presentation time, in seconds; empty if no frame is reordered.
  let early: [Rational]

  /// Reads all packets; throws a sentence if the part cannot be read, or has frames without a time of their own.
  public init(_ path: String) throws {
    let reader = try PartReader(path)
    var decoding: [Rational] = []
    var times: [Rational] = []
    var places: [Rational: Int] = [:]
    while try reader.next() {
      let packet = reader.packet.pointer.pointee
      guard let time = reader.shown, places.updateValue(times.count, forKey: time) == nil
      else { throw EncodeError("\(path) has frames without times of their own") }
      times.append(time)
      if let time = reader.time(packet.dts) { decoding.append(time) }
    }
    let stored = times
    times.sort()
    guard let first = times.first, let last = times.last else {
      throw EncodeError("\(path) has no frames")
    }
    (frames, self.first, self.last) = (times.count, first, last)
    self.times = times
    early =
      decoding.count == stored.count
      ? Array(decoding.prefix { $0 < first }) : MoviePart.early(stored: stored, shown: times)
  }

  /// Returns decoding times for a container that has none: as many as some frame is shown earlier than it is
  /// stored, one frame apart.
  private static func early(stored: [Rational], shown: [Rational]) -> [Rational] {
    let ranks = Dictionary(uniqueKeysWithValues: zip(shown, shown.indices))
    let delay = stored.indices.map { $0 - (ranks[stored[$0]] ?? $0) }.max() ?? 0
    guard delay > 0, shown.count > 1 else { return [] }
    let step = shown[1] - shown[0]
    return (0..<delay).map { shown[0] - Rational(Int64(delay - $0)) * step }
  }
}

/// Reads the packets of a part in stored order.
struct PartReader: ~Copyable {
  let packet: AVPacketHandle
  private let input: AVInputHandle
  private let path: String
  let stream: UnsafeMutablePointer<AVStream>

  init(_ path: String) throws {
    var context = avformat_alloc_context()
    // The times as stored: libavformat would guess what a container leaves out.
    context?.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
    try check(avformat_open_input(&context, "file:" + path, nil, nil), "avformat_open_input", path)
    let input = AVInputHandle(owning: try check(context, "avformat_open_input", path))
    guard let streams = input.pointer.pointee.streams, input.pointer.pointee.nb_streams == 1,
      let stream = streams[0]
    else { throw EncodeError("\(path) is not a part of a movie: it has not one stream") }
    packet = try AVPacketHandle()
    self.stream = stream
    self.path = path
    self.input = input
  }

  /// Reads the next packet; false at the end.
  func next() throws -> Bool {
    packet.clear()
    let result = av_read_frame(input.pointer, packet.pointer)
    if result == kf_averror_eof() { return false }
    try check(result, "av_read_frame", path)
    return true
  }

  /// When the frame of the latest packet is shown, in seconds; nil if no time is stored.
  ///
  /// Matroska's reader calls the only time of some codecs, which do not reorder frames, a decoding time.
  var shown: Rational? { time(packet.pointer.pointee.pts) ?? time(packet.pointer.pointee.dts) }

  /// Returns a timestamp in seconds; nil if it is missing.
  func time(_ ticks: Int64) -> Rational? {
    ticks == kf_av_nopts_value() ? nil : Rational(ticks) * Rational(stream.pointee.time_base)
  }

  /// Says what differs from the parameters of another part, as words; nil if decoders can go from one to the
  /// other.
  func difference(from other: borrowing PartReader) -> String? {
    guard let own = stream.pointee.codecpar, let its = other.stream.pointee.codecpar else {
      return "codec"
    }
    let (a, b) = (own.pointee, its.pointee)
    if a.codec_id != b.codec_id || a.codec_tag != b.codec_tag { return "codec" }
    if a.width != b.width || a.height != b.height { return "size" }
    if a.color_space != b.color_space || a.color_range != b.color_range
      || a.color_primaries != b.color_primaries || a.color_trc != b.color_trc
    {
      return "colours"
    }
    if a.field_order != b.field_order { return "field order" }
    let configurations = [a, b].map { parameters in
      UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
    }
    return configurations[0].elementsEqual(configurations[1]) ? nil : "parameter sets"
  }
}
