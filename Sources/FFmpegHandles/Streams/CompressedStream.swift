public import CFFmpeg
public import Frames

/// What a muxer must know about a stream that is copied without decoding (audio).
///
/// Immutable after `init`, so any thread may use it.
public final class CompressedStream: @unchecked Sendable {
  // @unchecked: the parameters are a private copy that nothing writes after init.
  public let parameters: UnsafeMutablePointer<AVCodecParameters>
  public let timeBase: Rational
  /// What the source says of the audio: its title, language ("eng") and purposes.
  public let tags: StreamTags

  /// Copies the parameters of a demuxer's stream.
  ///
  /// `configuration` is the data that its decoder needs, if the container does not store it.
  public init(
    _ stream: UnsafePointer<AVStream>, configuration: [UInt8]? = nil
  ) throws(FFmpegError) {
    parameters = try check(avcodec_parameters_alloc(), "avcodec_parameters_alloc", "a stream")
    timeBase = Rational(stream.pointee.time_base)
    tags = StreamTags(stream)
    try check(
      avcodec_parameters_copy(parameters, stream.pointee.codecpar), "avcodec_parameters_copy",
      "a stream")
    guard let configuration, parameters.pointee.extradata == nil else { return }
    let size = configuration.count
    let bytes = try check(
      av_mallocz(size + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "av_mallocz", "a stream")
    bytes.copyMemory(from: configuration, byteCount: size)
    parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(size)
  }

  /// Copies the parameters of an open encoder; times are in the encoder's time base.
  ///
  /// `tags` are those of the stream that is encoded.
  public init(
    encoder: UnsafePointer<AVCodecContext>, tags: StreamTags = StreamTags()
  ) throws(FFmpegError) {
    parameters = try check(avcodec_parameters_alloc(), "avcodec_parameters_alloc", "a stream")
    timeBase = Rational(encoder.pointee.time_base)
    self.tags = tags
    try check(
      avcodec_parameters_from_context(parameters, encoder), "avcodec_parameters_from_context",
      "a stream")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&pointer)
  }

  /// The codec's short name ("aac", "opus").
  public var codecName: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }

  /// The container's own code for the codec, four characters or their numbers; nil if it has none.
  public var tagName: String? {
    guard parameters.pointee.codec_tag != 0 else { return nil }
    return withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(AV_FOURCC_MAX_STRING_SIZE)
    ) { text in
      av_fourcc_make_string(text.baseAddress, parameters.pointee.codec_tag)
        .map { String(cString: $0) }
    }
  }
}

/// A compressed audio packet between demuxer and muxer.
///
/// The packet never changes after `init`; `time` holds a time that differs from the source's.
public final class CompressedPacket: @unchecked Sendable {
  // @unchecked: one owner of a reference-counted packet that nothing writes after init.
  private let packet: AVPacketHandle
  /// Index in the source's list of copied streams.
  public let streamIndex: Int
  /// Presentation time in seconds, on the same timeline as the frames; may be negative at the
  /// encoding end (encoder priming, or audio that starts before the video).
  public let time: Rational
  public let duration: Rational

  /// Takes over the data of `packet`, and leaves `packet` blank.
  public init(
    moving packet: UnsafeMutablePointer<AVPacket>, streamIndex: Int, time: Rational,
    duration: Rational
  ) throws(FFmpegError) {
    self.packet = try AVPacketHandle()
    self.streamIndex = streamIndex
    self.time = time
    self.duration = duration
    av_packet_move_ref(self.packet.pointer, packet)
  }

  private init(
    sharing other: CompressedPacket, time: Rational, duration: Rational, streamIndex: Int,
    bytes: Range<Int>?
  ) throws(FFmpegError) {
    packet = try AVPacketHandle()
    (self.time, self.duration, self.streamIndex) = (time, duration, streamIndex)
    try check(av_packet_ref(packet.pointer, other.packet.pointer), "av_packet_ref", "a packet")
    guard let bytes, bytes.lowerBound >= 0, bytes.upperBound <= size else { return }
    packet.pointer.pointee.data += bytes.lowerBound
    packet.pointer.pointee.size = Int32(bytes.count)
  }

  /// Bytes of its data.
  public var size: Int { Int(packet.pointer.pointee.size) }

  /// Whether an edit list or an encoder's delay hides its beginning or all of it: a decoder needs it, and players do not
  /// play it.
  public var isHidden: Bool {
    packet.pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0
      || av_packet_get_side_data(packet.pointer, AV_PKT_DATA_SKIP_SAMPLES, nil) != nil
  }

  /// Returns a packet with the same data, or some of its bytes, at another time; nil keeps what it has.
  public func moved(
    to time: Rational, lasting duration: Rational? = nil, streamIndex: Int? = nil,
    bytes: Range<Int>? = nil
  ) throws(FFmpegError) -> CompressedPacket {
    try CompressedPacket(
      sharing: self, time: time, duration: duration ?? self.duration,
      streamIndex: streamIndex ?? self.streamIndex, bytes: bytes)
  }

  /// Makes `target` (blank) refer to the data; its times are still the source's.
  public func reference(from target: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    try check(av_packet_ref(target, packet.pointer), "av_packet_ref", "a packet")
  }
}
