import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The subtitles of a movie: copied where the container has their codec, and text as its own kind of text otherwise.
///
/// Used by one thread at a time.
final class MovieSubtitles {
  /// The streams that the movie has, in order.
  let streams: [CompressedStream]
  /// By stream of the source: its index in `streams`, and its converter; nil for a stream that is left out.
  private let places: [(place: Int, converter: SubtitleConverter?)?]

  /// Chooses what becomes of each stream; `first` is the stream index of the first one.
  init(_ sources: [CompressedStream], container: Container, first: Int) {
    var streams: [CompressedStream] = []
    places = sources.map { source in
      let codec = source.parameters.pointee.codec_id
      if container.copies(subtitles: codec) {
        streams.append(source)
        return (first + streams.count - 1, nil)
      }
      guard let encoder = container.textEncoder(for: codec),
        let converter = try? SubtitleConverter(source, encoder: encoder)
      else { return nil }
      streams.append(converter.stream)
      return (first + streams.count - 1, converter)
    }
    self.streams = streams
  }

  /// Passes on a packet of a source's stream, converted if needed; a damaged packet is left out.
  func write(_ packet: CompressedPacket, each: (CompressedPacket) throws -> Void) throws {
    guard places.indices.contains(packet.streamIndex),
      let (place, converter) = places[packet.streamIndex]
    else { return }
    if let converter {
      if let made = try converter.convert(packet, streamIndex: place) { try each(made) }
    } else {
      try each(try packet.moved(to: packet.time, streamIndex: place))
    }
  }
}

extension Container {
  func copies(subtitles codec: AVCodecID) -> Bool {
    guard holdsAudio else { return false }
    return has(.ownText) ? codec == AV_CODEC_ID_MOV_TEXT : names(codec)
  }

  /// FFmpeg's name of the encoder of text that it holds; nil if subtitles of a codec are no text.
  func textEncoder(for codec: AVCodecID) -> String? {
    guard let descriptor = avcodec_descriptor_get(codec),
      descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
    else { return nil }
    let kinds = [
      (AV_CODEC_ID_MOV_TEXT, "mov_text"), (AV_CODEC_ID_SUBRIP, "subrip"),
      (AV_CODEC_ID_WEBVTT, "webvtt"),
    ]
    return kinds.first { copies(subtitles: $0.0) }?.1
  }
}

/// Text of one kind of subtitles as another kind.
private final class SubtitleConverter {
  let stream: CompressedStream
  private let decoder: AVCodecContextHandle
  private let encoder: AVCodecContextHandle
  private let packet: AVPacketHandle
  private let timeBase: Rational

  /// Largest size of one subtitle in bytes.
  private static let largest = 1 << 16

  init(_ source: CompressedStream, encoder name: String) throws(FFmpegError) {
    let parameters = source.parameters
    guard let decoding = avcodec_find_decoder(parameters.pointee.codec_id),
      let encoding = avcodec_find_encoder_by_name(name)
    else {
      throw FFmpegError(
        call: "avcodec_find_encoder_by_name", subject: name, code: kf_averror_invaliddata())
    }
    let decoder = try AVCodecContextHandle(codec: decoding)
    try check(
      avcodec_parameters_to_context(decoder.pointer, parameters), "avcodec_parameters_to_context",
      name)
    decoder.pointer.pointee.pkt_timebase = AVRational(source.timeBase)
    try check(avcodec_open2(decoder.pointer, decoding, nil), "avcodec_open2", name)
    let encoder = try AVCodecContextHandle(codec: encoding)
    encoder.pointer.pointee.time_base = AVRational(source.timeBase)
    // The styles of the text; the context frees them.
    let size = Int(decoder.pointer.pointee.subtitle_header_size)
    if size > 0, let header = decoder.pointer.pointee.subtitle_header,
      let copy = av_mallocz(size + 1)
    {
      copy.copyMemory(from: header, byteCount: size)
      encoder.pointer.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
      encoder.pointer.pointee.subtitle_header_size = Int32(size)
    }
    try check(avcodec_open2(encoder.pointer, encoding, nil), "avcodec_open2", name)
    let packet = try AVPacketHandle()
    stream = try CompressedStream(encoder: encoder.pointer, tags: source.tags)
    timeBase = source.timeBase
    self.decoder = decoder
    self.encoder = encoder
    self.packet = packet
  }

  /// Returns the same text; nil for a packet without text, or one that is damaged.
  func convert(
    _ coded: CompressedPacket, streamIndex: Int
  ) throws(FFmpegError) -> CompressedPacket? {
    packet.clear()
    try coded.reference(from: packet.pointer)
    packet.pointer.pointee.pts = coded.time.ticks(timeBase: timeBase)
    packet.pointer.pointee.dts = packet.pointer.pointee.pts
    var text = AVSubtitle()
    var isFound: Int32 = 0
    guard avcodec_decode_subtitle2(decoder.pointer, &text, &isFound, packet.pointer) >= 0,
      isFound != 0
    else { return nil }
    defer { avsubtitle_free(&text) }
    guard text.num_rects > 0 else { return nil }
    text.start_display_time = 0
    text.end_display_time = UInt32(clamping: (coded.duration * Rational(1000)).floor)
    packet.clear()
    try check(
      av_new_packet(packet.pointer, Int32(Self.largest)), "av_new_packet", "a subtitle")
    let count = avcodec_encode_subtitle(
      encoder.pointer, packet.pointer.pointee.data, Int32(Self.largest), &text)
    guard count > 0 else { return nil }
    av_shrink_packet(packet.pointer, count)
    packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    return try CompressedPacket(
      moving: packet.pointer, streamIndex: streamIndex, time: coded.time,
      duration: coded.duration)
  }
}
