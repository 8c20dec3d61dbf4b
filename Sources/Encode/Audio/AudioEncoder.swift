import CFFmpeg
import FFmpegHandles
package import Frames

/// Encodes audio samples as AAC.
///
/// Used by one thread at a time.
final class AudioEncoder {
  /// The stream that its packets belong to.
  let stream: CompressedStream

  private let format: AudioFormat
  private let streamIndex: Int
  private let context: AVCodecContextHandle
  private let frame: AVFrameHandle
  private let packet: AVPacketHandle
  /// Samples that wait until there are enough for the encoder.
  private let queue: SampleQueueHandle
  /// Samples per channel that the encoder takes at once.
  private let blockSize: Int
  private var position: Int64 = 0
  /// Time of the first sample in seconds; nil before the first block.
  private var start: Rational?

  /// Opens the encoder.
  ///
  /// - Parameters:
  ///   - format: A format such as `AudioFormat.encodable` gives.
  ///   - streamIndex: The stream index of its packets.
  /// - Throws: A sentence with a remedy.
  init(_ format: AudioFormat, streamIndex: Int) throws(EncodeError) {
    (self.format, self.streamIndex) = (format, streamIndex)
    do throws(FFmpegError) {
      guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC) else {
        throw FFmpegError(
          call: "avcodec_find_encoder", subject: "AAC", code: kf_averror_invaliddata())
      }
      let context = try AVCodecContextHandle(codec: codec)
      let pointer = context.pointer
      pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
      pointer.pointee.sample_rate = Int32(format.rate)
      pointer.pointee.time_base = AVRational(num: 1, den: Int32(format.rate))
      pointer.pointee.bit_rate = Int64(format.channels) * AudioEncoder.bitsPerChannel
      pointer.pointee.thread_count = 1
      av_channel_layout_default(&pointer.pointee.ch_layout, Int32(format.channels))
      try check(avcodec_open2(pointer, codec, nil), "avcodec_open2", "AAC")
      let frame = try AVFrameHandle()
      frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
      frame.pointer.pointee.nb_samples = pointer.pointee.frame_size
      frame.pointer.pointee.sample_rate = Int32(format.rate)
      av_channel_layout_default(&frame.pointer.pointee.ch_layout, Int32(format.channels))
      try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", "AAC")
      packet = try AVPacketHandle()
      stream = try CompressedStream(encoder: pointer)
      blockSize = Int(pointer.pointee.frame_size)
      queue = try SampleQueueHandle(channels: format.channels, capacity: 2 * blockSize)
      self.context = context
      self.frame = frame
    } catch {
      throw AudioEncoder.refusal(error)
    }
  }

  private static func refusal(_ error: FFmpegError) -> EncodeError {
    EncodeError(
      "the audio cannot be encoded as AAC (\(error.reason)): leave out the audio with --no-audio")
  }

  /// Bits per second; enough that the loss is not audible.
  private static let bitsPerChannel: Int64 = 96_000

  /// Encodes a block, which follows the previous one.
  ///
  /// - Parameters:
  ///   - block: Samples in the format that the encoder was opened for.
  ///   - each: Called with each packet that is ready.
  /// - Throws: If the encoder does not take the block, or what `each` throws.
  func encode(_ block: AudioBlock, each: (CompressedPacket) throws -> Void) throws {
    precondition(block.format == format, "audio of another format than the output was opened for")
    start = start ?? block.time
    do throws(FFmpegError) { try enqueue(block) } catch { throw AudioEncoder.refusal(error) }
    while queue.count >= blockSize { try send(blockSize, each) }
  }

  /// Encodes the remaining samples, and passes on the packets that the encoder still holds.
  func finish(each: (CompressedPacket) throws -> Void) throws {
    if queue.count > 0 { try send(queue.count, each) }
    do throws(FFmpegError) {
      try check(avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", "AAC")
    } catch {
      throw AudioEncoder.refusal(error)
    }
    try receive(each)
  }

  private func enqueue(_ block: AudioBlock) throws(FFmpegError) {
    let result = withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: format.channels
    ) { planes in
      for channel in 0..<format.channels {
        // The block keeps its memory in place until after the call.
        block.samples(ofChannel: channel).withUnsafeBufferPointer {
          planes[channel] = UnsafeMutableRawPointer(mutating: $0.baseAddress)
        }
      }
      return withExtendedLifetime(block) {
        av_audio_fifo_write(queue.pointer, planes.baseAddress, Int32(block.count))
      }
    }
    try check(result, "av_audio_fifo_write", "AAC")
  }

  private func send(_ count: Int, _ each: (CompressedPacket) throws -> Void) throws {
    do throws(FFmpegError) {
      let target = frame.pointer
      try check(av_frame_make_writable(target), "av_frame_make_writable", "AAC")
      target.pointee.nb_samples = Int32(count)
      target.pointee.pts = position
      let taken = target.pointee.extended_data.withMemoryRebound(
        to: UnsafeMutableRawPointer?.self, capacity: format.channels
      ) { av_audio_fifo_read(queue.pointer, $0, Int32(count)) }
      try check(taken, "av_audio_fifo_read", "AAC")
      position += Int64(count)
      try check(avcodec_send_frame(context.pointer, target), "avcodec_send_frame", "AAC")
    } catch {
      throw AudioEncoder.refusal(error)
    }
    try receive(each)
  }

  private func receive(_ each: (CompressedPacket) throws -> Void) throws {
    while true {
      let result = avcodec_receive_packet(context.pointer, packet.pointer)
      guard result >= 0 else {
        if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return }
        throw AudioEncoder.refusal(
          FFmpegError(call: "avcodec_receive_packet", subject: "AAC", code: result))
      }
      let data = packet.pointer.pointee
      try each(
        try CompressedPacket(
          moving: packet.pointer, streamIndex: streamIndex,
          time: (start ?? .zero) + Rational(data.pts) * format.sampleDuration,
          duration: Rational(data.duration) * format.sampleDuration))
    }
  }
}

extension AudioFormat {
  /// The nearest format that the encoder supports.
  package var encodable: AudioFormat {
    let rates = [
      8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]
    return AudioFormat(
      rate: rates.contains(rate) ? rate : 48000,
      channels: [1, 2, 3, 4, 5, 6, 8].contains(channels) ? channels : 2)
  }
}
