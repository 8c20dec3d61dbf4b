import CFFmpeg
import FFmpegHandles
import Frames

/// What a muxer must know about its video stream: an open encoder, or parts that were encoded before.
protocol VideoTrack: ~Copyable {
  /// Unit of the packets' times, in seconds.
  var timeBase: Rational { get }
  var frameRate: Rational { get }

  func describe(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws
}

/// A muxer with a video stream and the audio streams; it does not own its destination, which
/// outlives it.
struct MuxerContext: ~Copyable {
  private let handle: AVOutputHandle
  var pointer: UnsafeMutablePointer<AVFormatContext> { handle.pointer }
  let video: Int32
  /// In the order of the request, with the muxer's time bases once the header is written.
  var audio: [AudioTrack]
  private let covers: [(stream: Int32, bytes: [UInt8])]

  /// Makes the streams for the encoder and for the audio; `name` is the output's.
  ///
  /// A muxer that opens files itself has no `bytes`, and needs a `url`.
  init(
    container: Container, to bytes: UnsafeMutablePointer<AVIOContext>?, url: String? = nil,
    encoder: borrowing some VideoTrack & ~Copyable, request: SinkRequest, name: String
  ) throws {
    let handle = try AVOutputHandle(muxer: container.muxer, url: url)
    let pointer = handle.pointer
    pointer.pointee.pb = bytes
    // No dates but the source's, and no version numbers: the same input gives the same bytes.
    pointer.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    // y4m of more than 8 bits is not in mjpegtools' description, but every reader of today takes it.
    if container.isUncompressed {
      pointer.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    }
    pointer.pointee.allowFLAC(of: request.codedAudio)
    // Times are stored unchanged. Audio may start before zero (encoder priming), which MOV stores
    // in an edit list and Matroska in signed block times; libavformat's default would move the
    // video.
    pointer.pointee.avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED
    try request.tags.write(to: pointer)
    let video = try MuxerContext.addVideo(encoder, to: pointer, container)
    if let hdr = request.format.color.hdr, let stream = pointer.pointee.streams[Int(video)] {
      try hdr.write(to: stream)
    }
    var audio: [AudioTrack] = []
    let units = TimeBaseRule.carried(request.codedAudio, video: encoder.timeBase, in: container)
    for (source, unit) in zip(request.codedAudio, units) {
      let stream = try check(avformat_new_stream(pointer, nil), "avformat_new_stream", name)
      guard AudioTrack.describe(source, to: stream, in: pointer, container, timeBase: unit)
      else {
        throw FFmpegError(
          call: "avcodec_parameters_copy", subject: name, code: kf_averror(ENOMEM))
      }
      audio.append(AudioTrack(stream: stream, source: source, container: container))
    }
    var covers: [(stream: Int32, bytes: [UInt8])] = []
    if let contents = request.contents, let stream = pointer.pointee.streams[Int(video)] {
      covers = try MovieContents(contents: contents, container: container).add(
        to: pointer, video: stream)
    }
    self.handle = handle
    self.video = video
    self.audio = audio
    self.covers = covers
  }

  /// Writes the covers that come as packets, after the header.
  func writeCovers() throws {
    let packet = try AVPacketHandle()
    for cover in covers {
      try check(
        av_new_packet(packet.pointer, Int32(cover.bytes.count)), "av_new_packet", "a cover")
      for (index, byte) in cover.bytes.enumerated() { packet.pointer.pointee.data[index] = byte }
      packet.pointer.pointee.stream_index = cover.stream
      (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (0, 0)
      packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
      try check(av_write_frame(pointer, packet.pointer), "av_write_frame", "a cover")
      packet.clear()
    }
  }

  private static func addVideo(
    _ encoder: borrowing some VideoTrack & ~Copyable,
    to pointer: UnsafeMutablePointer<AVFormatContext>,
    _ container: Container
  ) throws -> Int32 {
    let stream = try check(avformat_new_stream(pointer, nil), "avformat_new_stream", "a stream")
    let parameters = try check(
      stream.pointee.codecpar, "avformat_new_stream", "a stream")
    try encoder.describe(to: parameters)
    switch parameters.pointee.codec_id {
    case AV_CODEC_ID_HEVC:
      // QuickTime plays HEVC only under this name; Matroska has no such names.
      parameters.pointee.codec_tag = container.has(.fourCharacterCodes) ? tag("hvc1") : 0
    case AV_CODEC_ID_H264 where container.has(.fourCharacterCodes):
      // From these fields alone, movenc.c (`mov_get_h264_codec_tag`) treats 10 bits at a broadcast
      // size as AVC-Intra, whose parameter sets its readers do not look for in the file. The pixel
      // format has no other use there, so it is not set.
      parameters.pointee.codec_tag = tag("avc1")
      parameters.pointee.format = AV_PIX_FMT_NONE.rawValue
    default: break
    }
    stream.pointee.time_base = AVRational(encoder.timeBase)
    stream.pointee.avg_frame_rate = AVRational(encoder.frameRate)
    stream.pointee.r_frame_rate = stream.pointee.avg_frame_rate
    stream.pointee.sample_aspect_ratio = stream.pointee.codecpar.pointee.sample_aspect_ratio
    return stream.pointee.index
  }

  private static func tag(_ name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes the header, and returns FFmpeg's code.
  ///
  /// `flags` are libavformat's `movflags`, and `own` are options of the muxer.
  mutating func writeHeader(
    _ container: Container, videoScale: Int64, flags: String?, own: [EncoderOption] = []
  ) -> Int32 {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    for option in own { av_dict_set(&options, option.key, option.value, 0) }
    if container.has(.timeScale) {
      let movieScale = TimeBaseRule.movieTimescale(
        video: videoScale, audio: audio.filter(\.isAudio).map(\.timeBase.denominator))
      av_dict_set_int(&options, "video_track_timescale", videoScale, 0)
      av_dict_set_int(&options, "movie_timescale", movieScale, 0)
      if let flags { av_dict_set(&options, "movflags", flags, 0) }
    }
    let result = avformat_write_header(pointer, &options)
    for index in audio.indices {
      if let stream = pointer.pointee.streams[Int(audio[index].index)] {
        audio[index].timeBase = Rational(stream.pointee.time_base)
      }
    }
    return result
  }

  /// Turns the times of a packet of the video into the muxer's, once the header is written.
  func rescale(_ packet: UnsafeMutablePointer<AVPacket>, from timeBase: Rational) {
    guard let stream = pointer.pointee.streams[Int(video)] else { return }
    av_packet_rescale_ts(packet, AVRational(timeBase), stream.pointee.time_base)
  }
}

/// Owns an AVFormatContext that writes; it does not own its destination.
private struct AVOutputHandle: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFormatContext>

  init(muxer: String, url: String?) throws(FFmpegError) {
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&made, nil, muxer, url), "avformat_alloc_output_context2",
      muxer)
    pointer = try check(made, "avformat_alloc_output_context2", muxer)
  }

  deinit {
    pointer.pointee.pb = nil
    avformat_free_context(pointer)
  }
}

extension AVFormatContext {
  /// FFmpeg 5.1 calls FLAC in MP4 experimental, which has been specified since 2016 and is what browsers play.
  mutating func allowFLAC(of streams: [CompressedStream]) {
    if streams.contains(where: { $0.parameters.pointee.codec_id == AV_CODEC_ID_FLAC }) {
      strict_std_compliance = min(strict_std_compliance, FF_COMPLIANCE_EXPERIMENTAL)
    }
  }
}
