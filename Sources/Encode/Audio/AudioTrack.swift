import CFFmpeg
import FFmpegHandles
import Frames

/// A copied audio stream on its way into a muxer: its index there, and its times in the muxer's
/// ticks.
struct AudioTrack {
  var index: Int32
  private let sourceTick: Rational
  /// Duration of every packet in seconds, if the codec fixes that.
  private let packetDuration: Rational?
  /// The muxer's time base, known once the header is written.
  var timeBase: Rational
  /// What a reader subtracts from every time, in seconds, and the muxer does not add: the CodecDelay that older
  /// Matroska muxers write for Opus alone.
  private let delay: Rational
  private var last: Int64?
  private var expected: Rational?
  /// One sample in the file may contain several packets (movenc.c, `handle_eac3`).
  let joinsPackets: Bool
  /// Whether it is audio; subtitles otherwise.
  let isAudio: Bool
  /// The samples of PCM in MOV and MP4, whose muxer counts them from the first packet's time on, and takes no other time;
  /// nil for others.
  let counted: CountedSamples?
  /// The time in seconds at which those samples end that came so far.
  private var samplesEnd: Rational?

  /// Samples of a fixed size.
  struct CountedSamples {
    /// Bytes of one of all channels.
    let bytes: Int
    let rate: Int64
    /// The byte that is silent.
    let silence: UInt8
  }

  /// A shorter gap before a packet, in seconds, is not filled yet, because times are rounded: several add up.
  private static let shortestGap = Rational(1, 50)

  init(stream: UnsafePointer<AVStream>, source: CompressedStream, container: Container) {
    index = stream.pointee.index
    let (padding, rate) = (
      Int64(source.parameters.pointee.initial_padding),
      Int64(source.parameters.pointee.sample_rate)
    )
    delay =
      source.parameters.pointee.codec_id == AV_CODEC_ID_OPUS && container.has(.codecDelay)
        && kf_matroska_adds_delay == 0 && padding > 0 && rate > 0 ? Rational(padding, rate) : .zero
    sourceTick = source.timeBase
    joinsPackets = source.parameters.pointee.codec_id == AV_CODEC_ID_EAC3
    let parameters = source.parameters.pointee
    packetDuration =
      parameters.frame_size > 0 && parameters.sample_rate > 0
      ? Rational(Int64(parameters.frame_size), Int64(parameters.sample_rate)) : nil
    isAudio = parameters.codec_type == AVMEDIA_TYPE_AUDIO
    timeBase = Rational(stream.pointee.time_base)
    counted = container.has(.countedPCM) ? CountedSamples(of: source) : nil
  }

  /// Returns how many samples of silence stand for a gap before a packet, if the container does not keep its time; `start`
  /// is in the muxer's ticks.
  mutating func missingSamples(before start: Int64, bytes: Int) -> Int64 {
    guard let counted else { return 0 }
    let time = Rational(start) * timeBase
    let end = samplesEnd ?? time
    let gap = time - end
    let missing = gap < Self.shortestGap ? 0 : (gap * Rational(counted.rate)).floor
    samplesEnd = end + Rational(missing + Int64(bytes / counted.bytes), counted.rate)
    return missing
  }

  /// Returns the unit in which audio is exact: one sample, or the source's time base if there is no
  /// sample rate.
  static func timeBase(of stream: CompressedStream) -> Rational {
    let rate = stream.parameters.pointee.sample_rate
    return rate > 0 ? Rational(1, Int64(rate)) : stream.timeBase
  }

  /// Returns the packet's start and duration in the muxer's ticks; the start is always later than
  /// the previous one.
  ///
  /// If the source's unit is coarser than the muxer's (Matroska's millisecond), its start times are
  /// approximate: a packet that starts within one source tick of the previous packet's end starts
  /// exactly there.
  mutating func place(_ packet: CompressedPacket) -> (start: Int64, duration: Int64) {
    var (time, duration) = (packet.time + delay, packet.duration)
    if sourceTick > timeBase {
      if let packetDuration, isAbout(duration, packetDuration) { duration = packetDuration }
      if let expected, isAbout(time, expected) { time = expected }
    }
    var start = time.ticks(timeBase: timeBase)
    if let last, start <= last { start = last + 1 }
    var length = duration.ticks(timeBase: timeBase)
    if length <= 0, isAudio {
      // A bitmap without a duration is shown until the next one. Audio has one: without a duration, the last packet would not be part of a MOV.
      length = packetDuration?.ticks(timeBase: timeBase) ?? last.map { start - $0 } ?? 0
    }
    expected = duration > .zero ? time + duration : nil
    last = start
    return (start, length)
  }

  /// Makes a packet refer to the data of another one, as the muxer takes it.
  func fill(
    _ packet: borrowing AVPacketHandle, with compressed: CompressedPacket,
    at place: (start: Int64, duration: Int64)
  ) throws(FFmpegError) {
    packet.clear()
    try compressed.reference(from: packet.pointer)
    packet.pointer.pointee.stream_index = index
    (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (place.start, place.start)
    packet.pointer.pointee.duration = place.duration
    packet.pointer.pointee.pos = -1
  }

  private func isAbout(_ a: Rational, _ b: Rational) -> Bool {
    (a < b ? b - a : a - b) <= sourceTick
  }

  /// Copies the description of the audio to a muxer's stream; returns false on failure.
  ///
  /// `timeBase` is the unit of its times in the muxer.
  static func describe(
    _ source: CompressedStream, to stream: UnsafeMutablePointer<AVStream>,
    in context: UnsafeMutablePointer<AVFormatContext>, _ container: Container, timeBase: Rational
  ) -> Bool {
    guard let parameters = stream.pointee.codecpar,
      avcodec_parameters_copy(parameters, source.parameters) >= 0
    else { return false }
    // The tag is the source container's code for the codec; another container has its own.
    let tags = context.pointee.oformat.pointee.codec_tag
    let id = parameters.pointee.codec_id
    if let tags, av_codec_get_id(tags, parameters.pointee.codec_tag) != id {
      parameters.pointee.codec_tag = 0
    }
    stream.pointee.time_base = AVRational(timeBase)
    MovieContents.describe(source.tags, to: stream, container)
    return source.tags.language.map {
      av_dict_set(&stream.pointee.metadata, "language", container.code(of: $0), 0) >= 0
    } ?? true
  }
}

extension AudioTrack.CountedSamples {
  /// Nil if the stream is not PCM.
  fileprivate init?(of stream: CompressedStream) {
    let parameters = stream.parameters.pointee
    let bits = Int(av_get_bits_per_sample(parameters.codec_id))
    let channels = Int(parameters.ch_layout.nb_channels)
    guard stream.codecName.hasPrefix("pcm_"), bits >= 8, channels > 0, parameters.sample_rate > 0
    else { return nil }
    (bytes, rate) = (bits / 8 * channels, Int64(parameters.sample_rate))
    switch parameters.codec_id {
    case AV_CODEC_ID_PCM_U8: silence = 0x80
    case AV_CODEC_ID_PCM_ALAW: silence = 0xD5
    case AV_CODEC_ID_PCM_MULAW: silence = 0xFF
    default: silence = 0
    }
  }
}
