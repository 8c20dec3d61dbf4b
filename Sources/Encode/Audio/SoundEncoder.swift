import CFFmpeg
package import FFmpegHandles
import Frames

/// Encodes sound that is made anew, as AAC.
///
/// Used by one thread.
package final class SoundEncoder {
  /// What its packets belong to.
  package let stream: CompressedStream
  /// Samples a second of each channel.
  package let rate: Int
  package let channels: Int
  /// Samples that are encoded at once.
  package let blockSize: Int

  private let context: AVCodecContextHandle
  private let frame: AVFrameHandle
  private let packet: AVPacketHandle
  private var position: Int64 = 0

  /// The rate and the number of channels that AAC has and that are nearest to what is asked for.
  package static func format(rate: Int, channels: Int) -> (rate: Int, channels: Int) {
    let rates = [
      8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]
    return (
      rates.contains(rate) ? rate : 48000, [1, 2, 3, 4, 5, 6, 8].contains(channels) ? channels : 2
    )
  }

  /// Opens the encoder; `rate` and `channels` are such as `format` gives.
  package init(rate: Int, channels: Int) throws(EncodeError) {
    do throws(FFmpegError) {
      guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC) else {
        throw FFmpegError(
          call: "avcodec_find_encoder", subject: "AAC", code: kf_averror_invaliddata())
      }
      let context = try AVCodecContextHandle(codec: codec)
      let pointer = context.pointer
      pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
      pointer.pointee.sample_rate = Int32(rate)
      pointer.pointee.time_base = AVRational(num: 1, den: Int32(rate))
      pointer.pointee.bit_rate = Int64(channels) * SoundEncoder.bitsPerChannel
      pointer.pointee.thread_count = 1
      av_channel_layout_default(&pointer.pointee.ch_layout, Int32(channels))
      try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", "AAC")
      let frame = try AVFrameHandle()
      frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
      frame.pointer.pointee.nb_samples = pointer.pointee.frame_size
      frame.pointer.pointee.sample_rate = Int32(rate)
      av_channel_layout_default(&frame.pointer.pointee.ch_layout, Int32(channels))
      try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", "AAC")
      packet = try AVPacketHandle()
      stream = try CompressedStream(encoder: pointer)
      blockSize = Int(pointer.pointee.frame_size)
      self.context = context
      self.frame = frame
    } catch {
      throw SoundEncoder.refusal(error)
    }
    self.rate = rate
    self.channels = channels
  }

  private static func refusal(_ error: FFmpegError) -> EncodeError {
    EncodeError(
      "the sound cannot be encoded as AAC (\(error.reason)): leave it out with --no-audio")
  }

  /// Enough that it is not heard.
  private static let bitsPerChannel: Int64 = 96_000

  /// Encodes samples, `blockSize` or fewer of each channel at the end.
  ///
  /// - Parameters:
  ///   - samples: What is encoded.
  ///   - count: How many of each channel.
  ///   - each: Is given each packet that is ready.
  /// - Throws: Where the encoder does not take them, or what `each` throws.
  package func encode(
    _ samples: SamplePlanes, count: Int, each: (CompressedPacket) -> Void
  ) throws {
    precondition(count <= blockSize && samples.channels == channels)
    do throws(FFmpegError) { try send(samples, count: count) } catch {
      throw SoundEncoder.refusal(error)
    }
    try receive(each)
  }

  private func send(_ samples: SamplePlanes, count: Int) throws(FFmpegError) {
    let target = frame.pointer
    try check(av_frame_make_writable(target), "av_frame_make_writable", "AAC")
    target.pointee.nb_samples = Int32(count)
    target.pointee.pts = position
    for channel in 0..<channels {
      guard let source = samples.planes[channel], let plane = target.pointee.extended_data[channel]
      else { continue }
      UnsafeMutableRawPointer(plane).copyMemory(
        from: source, byteCount: count * MemoryLayout<Float>.size)
    }
    position += Int64(count)
    try check(avcodec_send_frame(context.pointer, target), "avcodec_send_frame", "AAC")
  }

  /// Gives what the encoder still has.
  package func finish(each: (CompressedPacket) -> Void) throws {
    do throws(FFmpegError) {
      try check(avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", "AAC")
    } catch {
      throw SoundEncoder.refusal(error)
    }
    try receive(each)
  }

  private func receive(_ each: (CompressedPacket) -> Void) throws {
    while true {
      let result = avcodec_receive_packet(context.pointer, packet.pointer)
      guard result >= 0 else {
        if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return }
        throw SoundEncoder.refusal(
          FFmpegError(call: "avcodec_receive_packet", subject: "AAC", code: result))
      }
      let unit = Rational(1, Int64(rate))
      let data = packet.pointer.pointee
      each(
        try CompressedPacket(
          moving: packet.pointer, streamIndex: 0, time: Rational(data.pts) * unit,
          duration: Rational(data.duration) * unit))
    }
  }
}
