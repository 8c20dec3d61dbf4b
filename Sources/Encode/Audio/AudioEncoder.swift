import CFFmpeg
import FFmpegHandles
public import Frames

/// Encodes audio samples.
///
/// Each sample is put where its time says: what is missing between two blocks becomes silence, and what overlaps is
/// left out. Used by one thread at a time.
final class AudioEncoder {
  let stream: CompressedStream
  /// What is encoded, for messages: "AAC with 192 kbit/s".
  let title: String

  /// What is stored of each sample; nil for a codec that loses something.
  let depth: CompressedStream.SampleDepth?

  private let format: AudioFormat
  /// What the encoder was opened for.
  private let taken: AudioFormat
  private let streamIndex: Int
  private let name: String
  private let context: AVCodecContextHandle
  private let frame: AVFrameHandle
  private let packet: AVPacketHandle
  /// Makes the encoder's samples.
  private let resampler: ResamplerHandle
  /// Whether the encoder takes the blocks' own samples.
  private let takesBlocks: Bool
  /// What the resampler makes at once.
  private let converted: AVFrameHandle
  /// Samples that wait until there are enough for the encoder.
  private let queue: SampleQueueHandle
  private let silence: SamplePlanes
  /// Samples per channel that the encoder takes at once.
  private let blockSize: Int
  /// Number of samples that the encoder was given, at its own rate.
  private var position: Int64 = 0
  /// Number of samples that came, at the blocks' rate.
  private var came: Int64 = 0
  /// Time of the first sample in seconds; nil before the first block.
  private var start: Rational?

  /// Samples of a codec that takes any number at once, and of silence.
  private static let usualBlock = 1024
  /// Samples that are converted at once.
  private static let mostConverted = 8192

  /// Opens the encoder for blocks of a format; `depth` is the most bits of a sample that a lossless codec stores.
  init(
    _ format: AudioFormat, _ codec: AudioCodec, bitrate: Int? = nil, depth: Int? = nil,
    tags: StreamTags = StreamTags(),
    streamIndex: Int
  ) throws(EncodeError) {
    (self.format, self.streamIndex, name) = (format, streamIndex, codec.title)
    do throws(FFmpegError) {
      guard let found = codec.codec else {
        throw FFmpegError(
          call: "avcodec_find_encoder_by_name", subject: codec.title, code: kf_averror_invaliddata()
        )
      }
      let context = try AVCodecContextHandle(codec: found)
      let pointer = context.pointer
      let taken = format.nearest(of: found, codec)
      self.taken = taken
      pointer.pointee.sample_fmt = AudioFormat.samples(of: found, depth: depth)
      pointer.pointee.sample_rate = Int32(taken.rate)
      pointer.pointee.time_base = AVRational(num: 1, den: Int32(taken.rate))
      let isFloat =
        av_get_packed_sample_fmt(pointer.pointee.sample_fmt) == AV_SAMPLE_FMT_FLT
      // Samples of 32 bits hold 24.
      let bits = av_get_bytes_per_sample(pointer.pointee.sample_fmt) == 4 ? 24 : 16
      self.depth = codec.hasBitrate ? nil : isFloat ? .float(32) : .bits(bits)
      if let usual = codec.bitsPerChannel {
        pointer.pointee.bit_rate = bitrate.map { Int64($0) } ?? Int64(taken.channels) * usual
        title = "\(codec.title) with \(pointer.pointee.bit_rate / 1000) kbit/s"
      } else {
        title = codec.title
        pointer.pointee.bits_per_raw_sample = Int32(bits)
      }
      pointer.pointee.thread_count = 1
      pointer.pointee.ch_layout = taken.layout
      if codec.id == AV_CODEC_ID_OPUS, taken.channels > 2 {
        // Without it libavcodec passes the channels of 5.0 on in another order than it tells readers.
        av_opt_set_int(pointer, "mapping_family", 1, AV_OPT_SEARCH_CHILDREN)
      }
      try check(avcodec_open2(pointer, found, nil), "avcodec_open2", codec.title)
      blockSize =
        pointer.pointee.frame_size > 0 ? Int(pointer.pointee.frame_size) : AudioEncoder.usualBlock
      let frame = try AudioEncoder.frame(of: pointer, count: blockSize)
      let converted = try AudioEncoder.frame(of: pointer, count: AudioEncoder.mostConverted)
      takesBlocks =
        taken.rate == format.rate && taken.layoutName == format.layoutName
        && pointer.pointee.sample_fmt == AV_SAMPLE_FMT_FLTP
      let resampler = try ResamplerHandle(
        from: format, to: taken, giving: pointer.pointee.sample_fmt)
      packet = try AVPacketHandle()
      stream = try CompressedStream(encoder: pointer, tags: tags)
      queue = try SampleQueueHandle(
        channels: taken.channels, capacity: 2 * blockSize, of: pointer.pointee.sample_fmt)
      self.context = context
      self.frame = frame
      self.converted = converted
      self.resampler = resampler
    } catch {
      throw EncodeError(
        "the audio cannot be encoded as \(codec.title) (\(error.reason)): leave out the audio with "
          + "--no-audio, or choose with --audio-codec and --audio-bitrate")
    }
    silence = SamplePlanes(channels: format.channels, capacity: AudioEncoder.usualBlock)
    for channel in 0..<format.channels { silence[channel].update(repeating: 0) }
  }

  private static func frame(
    of context: UnsafeMutablePointer<AVCodecContext>, count: Int
  ) throws(FFmpegError) -> AVFrameHandle {
    let frame = try AVFrameHandle()
    frame.pointer.pointee.format = context.pointee.sample_fmt.rawValue
    frame.pointer.pointee.nb_samples = Int32(count)
    frame.pointer.pointee.sample_rate = context.pointee.sample_rate
    // A layout of named speakers owns no memory.
    frame.pointer.pointee.ch_layout = context.pointee.ch_layout
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", "audio")
    return frame
  }

  /// Returns a sentence about channels that are mixed because the codec does not store their layout, with a codec that
  /// keeps them; nil if none are.
  func mixing(output: String, in container: Container) -> String? {
    guard !format.isHeld(by: taken) else { return nil }
    let keeping = AudioCodec.all.first {
      $0.stored(in: container).keeps(format) && container.takes($0.id)
    }
    return
      "\(output): \(name) does not store \(format.layoutName) audio, so it is mixed to \(taken.layoutName)"
      + (keeping.map { "; --audio-codec \($0.name) keeps every channel" } ?? "")
  }

  private func refusal(_ error: FFmpegError) -> EncodeError {
    EncodeError(
      "the audio cannot be encoded as \(name) (\(error.reason)): leave out the audio with --no-audio"
    )
  }

  /// Encodes a block, which follows the previous one, and passes on each packet that is ready.
  func encode(_ block: AudioBlock, each: (CompressedPacket) throws -> Void) throws {
    precondition(block.format == format, "audio of another format than the output was opened for")
    // Nothing is heard before the first frame.
    let start = start ?? max(block.time, .zero)
    self.start = start
    let place = (block.time - start).ticks(timeBase: format.sampleDuration)
    // A difference of one sample is a rounded time.
    let missing = abs(place - came) > 1 ? place - came : 0
    try addSilence(max(missing, 0), each)
    do throws(FFmpegError) {
      try add(block, from: min(max(-missing, 0), Int64(block.count)))
    } catch {
      throw refusal(error)
    }
    while queue.count >= blockSize { try send(blockSize, each) }
  }

  /// Encodes the remaining samples, and passes on the packets that the encoder still holds.
  func finish(each: (CompressedPacket) throws -> Void) throws {
    do throws(FFmpegError) { try flushResampler() } catch { throw refusal(error) }
    while queue.count > 0 { try send(min(queue.count, blockSize), each) }
    do throws(FFmpegError) {
      try check(avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", name)
    } catch {
      throw refusal(error)
    }
    try receive(each)
  }

  /// Encodes silence block by block, because it may last for hours.
  private func addSilence(_ count: Int64, _ each: (CompressedPacket) throws -> Void) throws {
    var rest = count
    while rest > 0 {
      let part = Int(min(rest, Int64(AudioEncoder.usualBlock)))
      do throws(FFmpegError) { try enqueue(silence.planes, count: part) } catch {
        throw refusal(error)
      }
      rest -= Int64(part)
      while queue.count >= blockSize { try send(blockSize, each) }
    }
  }

  private func add(_ block: AudioBlock, from first: Int64) throws(FFmpegError) {
    let count = block.count - Int(first)
    guard count > 0 else { return }
    var failure: FFmpegError?
    withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: format.channels
    ) { planes in
      for channel in 0..<format.channels {
        // The block keeps its memory in place until after the call.
        block.samples(ofChannel: channel).withUnsafeBufferPointer {
          planes[channel] = UnsafeMutableRawPointer(
            mutating: $0.baseAddress.map { $0 + Int(first) })
        }
      }
      guard let planes = planes.baseAddress else { return }
      withExtendedLifetime(block) {
        do throws(FFmpegError) { try enqueue(planes, count: count) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }

  /// Queues samples of the blocks' format.
  private func enqueue(
    _ planes: UnsafeMutablePointer<UnsafeMutableRawPointer?>, count: Int
  ) throws(FFmpegError) {
    came += Int64(count)
    guard !takesBlocks else {
      try check(
        av_audio_fifo_write(queue.pointer, planes, Int32(count)), "av_audio_fifo_write", name)
      return
    }
    _ = try planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: format.channels) {
      bytes throws(FFmpegError) in try convert(bytes, count: count)
    }
  }

  private func flushResampler() throws(FFmpegError) {
    guard !takesBlocks else { return }
    while try convert(nil, count: 0) > 0 {}
  }

  /// Converts samples and queues the result, of which there may be more than the memory takes at once.
  private func convert(
    _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int
  ) throws(FFmpegError) -> Int32 {
    let target = converted.pointer
    var sum: Int32 = 0
    var (input, inputCount) = (bytes, Int32(count))
    while true {
      let made = try check(
        swr_convert(
          resampler.pointer, target.pointee.extended_data, Int32(AudioEncoder.mostConverted), input,
          inputCount), "swr_convert", name)
      sum += made
      guard made > 0 else { return sum }
      _ = try target.pointee.extended_data.withMemoryRebound(
        to: UnsafeMutableRawPointer?.self, capacity: Int(target.pointee.ch_layout.nb_channels)
      ) { planes throws(FFmpegError) in
        try check(av_audio_fifo_write(queue.pointer, planes, made), "av_audio_fifo_write", name)
      }
      guard made == AudioEncoder.mostConverted else { return sum }
      // The rest waits in the resampler; no input would end it.
      guard bytes != nil else { return sum }
      (input, inputCount) = (bytes, 0)
    }
  }

  private func send(_ count: Int, _ each: (CompressedPacket) throws -> Void) throws {
    do throws(FFmpegError) {
      let target = frame.pointer
      try check(av_frame_make_writable(target), "av_frame_make_writable", name)
      target.pointee.nb_samples = Int32(count)
      target.pointee.pts = position
      let read = target.pointee.extended_data.withMemoryRebound(
        to: UnsafeMutableRawPointer?.self, capacity: Int(target.pointee.ch_layout.nb_channels)
      ) { av_audio_fifo_read(queue.pointer, $0, Int32(count)) }
      try check(read, "av_audio_fifo_read", name)
      position += Int64(count)
      try check(avcodec_send_frame(context.pointer, target), "avcodec_send_frame", name)
    } catch {
      throw refusal(error)
    }
    try receive(each)
  }

  private func receive(_ each: (CompressedPacket) throws -> Void) throws {
    let unit = Rational(1, Int64(context.pointer.pointee.sample_rate))
    while true {
      let result = avcodec_receive_packet(context.pointer, packet.pointer)
      guard result >= 0 else {
        if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return }
        throw refusal(FFmpegError(call: "avcodec_receive_packet", subject: name, code: result))
      }
      let data = packet.pointer.pointee
      try each(
        try CompressedPacket(
          moving: packet.pointer, streamIndex: streamIndex,
          time: (start ?? .zero) + Rational(data.pts) * unit,
          duration: Rational(data.duration) * unit))
    }
  }
}

extension AudioFormat {
  /// The nearest format that every usual encoder supports.
  public var encodable: AudioFormat {
    let rates = [
      8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]
    let isUsual = [1, 2, 3, 4, 5, 6, 8].contains(channels)
    return AudioFormat(
      rate: rates.contains(rate) ? rate : 48000, channels: isUsual ? channels : 2,
      speakers: isUsual ? speakers : 0)
  }

  /// The nearest format that an encoder supports.
  func nearest(
    of codec: UnsafePointer<AVCodec>, _ kind: AudioCodec
  ) -> AudioFormat {
    var nearest = self
    if let list = kf_sample_rates(codec) {
      let rates = sequence(first: list) { $0 + 1 }.lazy.map { Int($0.pointee) }.prefix { $0 > 0 }
      // The next higher rate keeps everything.
      nearest.rate =
        rates.contains(rate) ? rate : rates.filter { $0 > rate }.min() ?? rates.max() ?? rate
    }
    var layouts = kind.layouts
    if layouts == nil, let list = kf_channel_layouts(codec) {
      layouts = sequence(first: list) { $0 + 1 }.lazy.map(\.pointee)
        .prefix { $0.nb_channels > 0 }.map(\.u.mask)
    }
    if let layouts { return nearest.nearest(of: layouts) }
    // What stores any layout stores 8 channels at most.
    return channels <= 8 ? nearest : AudioFormat(rate: nearest.rate, channels: 2)
  }

  fileprivate static func samples(
    of codec: UnsafePointer<AVCodec>, depth: Int?
  ) -> AVSampleFormat {
    let coarse = [AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S16]
    let order =
      (depth.map { $0 <= 16 } == true ? coarse : [])
      + [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S32] + coarse
    guard let list = kf_sample_formats(codec) else { return AV_SAMPLE_FMT_FLTP }
    let taken = sequence(first: list) { $0 + 1 }.lazy.map(\.pointee)
      .prefix { $0 != AV_SAMPLE_FMT_NONE }
    return order.first { taken.contains($0) } ?? list.pointee
  }
}
