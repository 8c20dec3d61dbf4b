import CFFmpeg
import FFmpegHandles
import Frames

/// One of libavformat's muxers at work: packets in, a container's bytes out.
///
/// Used by one thread at a time.
struct MovieMuxer: ~Copyable {
  private let output: AVOutputHandle
  private let channel: OutputChannel
  /// For sound, filled anew for each packet.
  private let packet: AVPacketHandle
  private let encoderTimeBase: Rational
  private let video: Int32
  private var sound: [SoundTrack]
  /// Bytes given to libavformat so far, of which some may be waiting to be interleaved.
  private var given: Int64 = 0
  private var packets: Int64 = 0
  /// Pictures written, and where the last one to be shown ends, in the encoder's ticks.
  private(set) var pictures = 0
  private var end: Int64 = 0

  private var context: UnsafeMutablePointer<AVFormatContext> { output.pointer }

  /// What MOV's tables take for a packet at most: times (8 + 8), size (4), chunk (8 + 12), key (4).
  private static let tableBytes: Int64 = 48
  private static let headerBytes: Int64 = 64 << 10

  /// Writes the header for what the encoder makes, and for the sound.
  init(
    container: Container, channel: OutputChannel, encoder: borrowing VideoEncoder,
    request: SinkRequest
  ) throws {
    let output = try AVOutputHandle(muxer: container.muxer)
    let context = output.pointer
    context.pointee.pb = channel.writer.context
    // No dates and no version numbers: the same input makes the same bytes.
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    // Times go in as they are. Sound may start before zero (encoder priming), which MOV tells in an
    // edit list and Matroska in signed block times; libavformat's default would move the picture.
    context.pointee.avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED
    let video = try MovieMuxer.addVideo(encoder, to: context)
    var sound: [SoundTrack] = []
    for source in request.sound {
      let stream = try check(
        avformat_new_stream(context, nil), "avformat_new_stream", channel.name)
      guard SoundTrack.describe(source, to: stream, in: context) else {
        throw FFmpegError(
          call: "avcodec_parameters_copy", subject: channel.name, code: kf_averror(ENOMEM))
      }
      sound.append(SoundTrack(index: stream.pointee.index, source: source, container: container))
    }
    try MovieMuxer.writeHeader(
      context, container, channel, videoScale: encoder.timeBase.denominator,
      soundScales: sound.map(\.timeBase.denominator))
    for index in sound.indices {
      if let stream = context.pointee.streams[Int(sound[index].index)] {
        sound[index].timeBase = Rational(stream.pointee.time_base)
      }
    }
    let packet = try AVPacketHandle()
    self.output = output
    self.packet = packet
    self.channel = channel
    encoderTimeBase = encoder.timeBase
    self.video = video
    self.sound = sound
  }

  private static func addVideo(
    _ encoder: borrowing VideoEncoder, to context: UnsafeMutablePointer<AVFormatContext>
  ) throws -> Int32 {
    let stream = try check(avformat_new_stream(context, nil), "avformat_new_stream", "a stream")
    try encoder.describe(to: stream.pointee.codecpar)
    if stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC {
      // QuickTime plays HEVC under this name alone; Matroska has no such names.
      let name = "hvc1".utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      stream.pointee.codecpar.pointee.codec_tag =
        context.pointee.oformat.pointee.name.map { String(cString: $0) } == "matroska" ? 0 : name
    }
    stream.pointee.time_base = AVRational(encoder.timeBase)
    stream.pointee.avg_frame_rate = AVRational(encoder.frameRate)
    stream.pointee.r_frame_rate = stream.pointee.avg_frame_rate
    stream.pointee.sample_aspect_ratio = stream.pointee.codecpar.pointee.sample_aspect_ratio
    return stream.pointee.index
  }

  private static func writeHeader(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ container: Container,
    _ channel: OutputChannel, videoScale: Int64, soundScales: [Int64]
  ) throws {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if container.isMovieFamily {
      let movieScale = TimeBaseRule.movieTimescale(video: videoScale, sound: soundScales)
      av_dict_set_int(&options, "video_track_timescale", videoScale, 0)
      av_dict_set_int(&options, "movie_timescale", movieScale, 0)
      if !channel.isSeekable {
        // Without delay_moov there would be no edit list, and pictures and sound late.
        av_dict_set(
          &options, "movflags", "frag_keyframe+empty_moov+delay_moov+default_base_moof", 0)
      }
    }
    guard channel.writer.takeRoom(for: headerBytes) else {
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    let result = avformat_write_header(context, &options)
    try channel.checkWritten()
    guard result >= 0 else {
      throw EncodeError(
        "\(channel.name): \(container.title) does not take these streams "
          + "(\(FFmpegError.reason(result))): write .mkv, or leave the sound out with --no-audio")
    }
  }

  /// Takes an encoder's packet, with how long its frame is shown in the encoder's ticks.
  mutating func write(video encoded: UnsafeMutablePointer<AVPacket>, duration: Int64) throws {
    encoded.pointee.duration = duration
    encoded.pointee.stream_index = video
    let shownUntil = encoded.pointee.pts + duration
    if let stream = context.pointee.streams[Int(video)] {
      av_packet_rescale_ts(encoded, AVRational(encoderTimeBase), stream.pointee.time_base)
    }
    try write(encoded)
    pictures += 1
    end = max(end, shownUntil)
  }

  /// Takes a packet of sound.
  mutating func write(sound compressed: CompressedPacket) throws {
    guard sound.indices.contains(compressed.streamIndex) else { return }
    let place = sound[compressed.streamIndex].place(compressed)
    packet.clear()
    try compressed.reference(from: packet.pointer)
    packet.pointer.pointee.stream_index = sound[compressed.streamIndex].index
    packet.pointer.pointee.pts = place.start
    packet.pointer.pointee.dts = place.start
    packet.pointer.pointee.duration = place.duration
    packet.pointer.pointee.pos = -1
    try write(packet.pointer)
  }

  private mutating func write(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    let size = Int64(packet.pointee.size)
    // What libavformat still holds back, this packet, and the tables that come at the end.
    let waiting = max(given - channel.writer.end, 0)
    let tables = (packets + 1) * MovieMuxer.tableBytes + MovieMuxer.headerBytes
    guard channel.writer.takeRoom(for: waiting + size + tables) else {
      av_packet_unref(packet)
      throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
    }
    given += size
    packets += 1
    let result = av_interleaved_write_frame(context, packet)
    try channel.checkWritten()
    try check(result, "av_interleaved_write_frame", channel.name)
  }

  /// Writes what waits and the container's end.
  ///
  /// After a disk ran full this still works where room was kept; `known` is the failure that the
  /// caller has already heard of, as in errno, and is not thrown again.
  func finish(afterFailure known: Int32) throws {
    guard pictures > 0 else { return }
    let result = av_write_trailer(context)
    channel.writer.flush()
    if known == 0 || channel.writer.context.pointee.error < 0 { try channel.checkWritten() }
    try check(result, "av_write_trailer", channel.name)
  }

  /// Where the last picture ends, in seconds from the first one's start.
  var duration: Rational { Rational(end) * encoderTimeBase }
}

/// Owns an AVFormatContext that writes; what it writes to is not its own.
private struct AVOutputHandle: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFormatContext>

  init(muxer: String) throws(FFmpegError) {
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&made, nil, muxer, nil), "avformat_alloc_output_context2",
      muxer)
    pointer = try check(made, "avformat_alloc_output_context2", muxer)
  }

  deinit {
    pointer.pointee.pb = nil
    avformat_free_context(pointer)
  }
}
