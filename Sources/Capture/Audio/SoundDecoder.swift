import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The best sound stream of those that belong to a file's pictures, decoded: blocks of samples with
/// their places.
///
/// It has a demuxer of its own, so that reading ahead in the sound holds no pictures up.
struct SoundDecoder: ~Copyable {
  /// Samples a second of each channel.
  let rate: Int
  let channels: Int

  private let input: AVInputHandle
  /// Which the input asks, and which so must outlive it.
  private let interruption: Interruption
  private let context: AVCodecContextHandle
  private let packet: AVPacketHandle
  private let frame: AVFrameHandle
  private let index: Int32
  private let timeBase: Rational
  private var continuity: TimeContinuity
  private var isDraining = false

  /// Opens a file.
  ///
  /// - Throws: Where it has no sound that can be decoded.
  init(path: String, interruption: Interruption) throws(FFmpegError) {
    let allocated = try check(avformat_alloc_context(), "avformat_alloc_context", path)
    interruption.attach(to: allocated)
    var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
    // On failure avformat_open_input has freed the context.
    try check(
      avformat_open_input(&opened, "file:\(path)", nil, nil), "avformat_open_input", path)
    let input = AVInputHandle(owning: try check(opened, "avformat_open_input", path))
    let format = input.pointer
    try check(avformat_find_stream_info(format, nil), "avformat_find_stream_info", path)
    let index = try check(
      av_find_best_stream(
        format, AVMEDIA_TYPE_AUDIO, -1, StreamChoice(format)?.video.pointee.index ?? -1, nil, 0),
      "av_find_best_stream", path)
    let stream = try check(format.pointee.streams[Int(index)], "av_find_best_stream", path)
    let parameters = try check(stream.pointee.codecpar, "av_find_best_stream", path)
    guard parameters.pointee.sample_rate > 0, parameters.pointee.ch_layout.nb_channels > 0,
      let codec = avcodec_find_decoder(parameters.pointee.codec_id)
    else {
      throw FFmpegError(
        call: "avcodec_find_decoder", subject: path, code: kf_averror_invaliddata())
    }
    let continuity = TimeContinuity(format)
    for number in 0..<Int32(format.pointee.nb_streams) where number != index {
      guard let other = format.pointee.streams[Int(number)] else { continue }
      // The pictures tell whether a gap of the sound is a jump.
      let isPictures = other.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      if !isPictures || !continuity.isWanted { other.pointee.discard = AVDISCARD_ALL }
    }
    let context = try AVCodecContextHandle(codec: codec)
    try check(
      avcodec_parameters_to_context(context.pointer, parameters), "avcodec_parameters_to_context",
      path)
    context.pointer.pointee.pkt_timebase = stream.pointee.time_base
    context.pointer.pointee.thread_count = 1
    try check(avcodec_open2(context.pointer, codec, nil), "avcodec_open2", path)
    let packet = try AVPacketHandle()
    let frame = try AVFrameHandle()
    self.interruption = interruption
    self.packet = packet
    self.frame = frame
    self.context = context
    rate = Int(parameters.pointee.sample_rate)
    channels = Int(parameters.pointee.ch_layout.nb_channels)
    timeBase = Rational(stream.pointee.time_base)
    self.index = index
    self.continuity = continuity
    self.input = input
  }

  /// The sound of what a request names; nil where it is no file, or has no sound.
  static func ofFile(_ request: SourceRequest) -> SoundDecoder? {
    guard SourceKind.isFile(request), !request.input.contains("://"),
      (try? FileProblems.check(request.input)) == .file
    else { return nil }
    return try? SoundDecoder(path: request.input, interruption: request.interruption)
  }

  /// Goes to a place at or before a time, as far as the container knows; false where it cannot.
  mutating func seek(to time: Rational) -> Bool {
    guard let stream = input.pointer.pointee.streams[Int(index)],
      canSeek(in: input.pointer, by: stream)
    else { return false }
    let result = av_seek_frame(
      input.pointer, index, time.ticks(timeBase: timeBase), AVSEEK_FLAG_BACKWARD)
    guard result >= 0 else { return false }
    avcodec_flush_buffers(context.pointer)
    continuity.restart()
    isDraining = false
    return true
  }

  /// Decodes the next block; false at the end.
  ///
  /// `body` is told the place of its first sample (time times rate; nil where it follows the block
  /// before), and how many there are; `sample` of a channel and a number gives one, from -1 to 1.
  mutating func next(
    _ body: (_ place: Int64?, _ count: Int, _ sample: (_ channel: Int, _ number: Int) -> Float) ->
      Void
  ) -> Bool {
    while true {
      let result = avcodec_receive_frame(context.pointer, frame.pointer)
      if result >= 0 {
        let decoded = frame.pointer
        let stamp = decoded.pointee.best_effort_timestamp
        let samples = DecodedSamples(decoded)
        body(
          stamp == kf_av_nopts_value()
            ? nil : (Rational(stamp) * timeBase * Rational(Int64(rate)) + Rational(1, 2)).floor,
          Int(decoded.pointee.nb_samples), samples.sample)
        return true
      }
      if result == kf_averror_eof() { return false }
      // A block that does not decode is passed over; FFmpeg bounds how many at the end.
      guard result == kf_averror(EAGAIN) else { continue }
      if isDraining { return false }
      feed()
    }
  }

  /// Hands the decoder its next packet; a damaged one is passed over.
  private mutating func feed() {
    while true {
      packet.clear()
      let result = av_read_frame(input.pointer, packet.pointer)
      if result == kf_averror(EAGAIN) { continue }
      if result < 0 {
        isDraining = true
        avcodec_send_packet(context.pointer, nil)
        return
      }
      if let stream = input.pointer.pointee.streams[Int(packet.pointer.pointee.stream_index)] {
        continuity.mend(packet.pointer, timeBase: Rational(stream.pointee.time_base))
      }
      if packet.pointer.pointee.stream_index == index,
        avcodec_send_packet(context.pointer, packet.pointer) >= 0
      {
        return
      }
    }
  }
}
