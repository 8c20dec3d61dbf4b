import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

@testable import Encode

/// The audio and video encoders of the linked FFmpeg.
enum Encoders {
  static func all(_ type: AVMediaType) -> [UnsafePointer<AVCodec>] {
    var found: [UnsafePointer<AVCodec>] = []
    var iterator: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&iterator) {
      if av_codec_is_encoder(codec) != 0, codec.pointee.type == type { found.append(codec) }
    }
    return found
  }
}

/// A few packets of encoded noise.
struct EncodedAudio {
  let stream: CompressedStream
  let packets: [CompressedPacket]

  private static let blocks = 6

  /// Encodes six blocks of noise; nil if the encoder does not open or gives no packet.
  init?(_ codec: UnsafePointer<AVCodec>) throws {
    guard let context = try EncodedAudio.open(codec) else { return nil }
    let encoder = context.pointer
    stream = try CompressedStream(encoder: encoder)
    let frame = try AVFrameHandle()
    let count = encoder.pointee.frame_size > 0 ? encoder.pointee.frame_size : 1024
    frame.pointer.pointee.format = encoder.pointee.sample_fmt.rawValue
    frame.pointer.pointee.nb_samples = count
    frame.pointer.pointee.sample_rate = encoder.pointee.sample_rate
    av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &encoder.pointee.ch_layout)
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", "noise")
    let packet = try AVPacketHandle()
    var packets: [CompressedPacket] = []
    for block in 0...EncodedAudio.blocks {
      if block < EncodedAudio.blocks {
        try check(av_frame_make_writable(frame.pointer), "av_frame_make_writable", "noise")
        EncodedAudio.fill(frame.pointer, block)
        frame.pointer.pointee.pts = Int64(block) * Int64(count)
      }
      let isEnd = block == EncodedAudio.blocks
      guard avcodec_send_frame(encoder, isEnd ? nil : frame.pointer) >= 0 else { return nil }
      while avcodec_receive_packet(encoder, packet.pointer) >= 0 {
        let data = packet.pointer.pointee
        guard data.size > 0 else { continue }
        packets.append(
          try CompressedPacket(
            moving: packet.pointer, streamIndex: 0, time: Rational(data.pts) * stream.timeBase,
            duration: Rational(data.duration) * stream.timeBase))
      }
    }
    guard !packets.isEmpty else { return nil }
    self.packets = packets
  }

  /// Opens the encoder with the first of several sample rates and channel counts that it accepts.
  private static func open(_ codec: UnsafePointer<AVCodec>) throws -> AVCodecContextHandle? {
    let formats = [
      (48000, 2), (44100, 2), (22050, 1), (8000, 1), (48000, 1), (96000, 6), (22050, 2), (16000, 1),
    ]
    for (rate, channels) in formats {
      let context = try AVCodecContextHandle(codec: codec)
      let encoder = context.pointer
      encoder.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
      encoder.pointee.sample_fmt = kf_sample_formats(codec)?[0] ?? AV_SAMPLE_FMT_S16
      encoder.pointee.sample_rate = Int32(rate)
      encoder.pointee.time_base = AVRational(num: 1, den: Int32(rate))
      av_channel_layout_default(&encoder.pointee.ch_layout, Int32(channels))
      encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
      encoder.pointee.thread_count = 1
      if codec.pointee.id == AV_CODEC_ID_G723_1 { encoder.pointee.bit_rate = 6300 }
      if codec.pointee.id == AV_CODEC_ID_ADPCM_G726 { encoder.pointee.bit_rate = 32000 }
      if avcodec_open2(encoder, codec, nil) >= 0 { return context }
    }
    return nil
  }

  /// Fills a block with noise, loud enough for every codec; floats are small numbers, not NaN.
  private static func fill(_ frame: UnsafeMutablePointer<AVFrame>, _ block: Int) {
    let format = AVSampleFormat(frame.pointee.format)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let channels = Int(frame.pointee.ch_layout.nb_channels)
    let size = Int(av_get_bytes_per_sample(format))
    let bytes = Int(frame.pointee.nb_samples) * size * (isPlanar ? 1 : channels)
    let isFloat = [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP]
      .contains(format)
    var state = UInt32(block + 1)
    for plane in 0..<(isPlanar ? channels : 1) {
      guard let data = frame.pointee.extended_data[plane] else { continue }
      for byte in 0..<bytes {
        state = state &* 1_103_515_245 &+ 12345
        data[byte] = UInt8(truncatingIfNeeded: state >> 16)
        if isFloat, byte % size == size - 1 { data[byte] = size == 4 ? 0x3d : 0x3f }
        if isFloat, byte % size == size - 2 { data[byte] &= size == 4 ? 0x7f : 0xbf }
      }
    }
  }
}

/// The result of decoding audio packets.
struct DecodedAudio: Equatable {
  var count = 0
  /// The FNV-1a hash of all samples' bytes.
  var sum: UInt64 = 14_695_981_039_346_656_037
  var failures = 0

  /// Decodes packets; nil if there is no decoder or it does not open.
  init?(_ stream: CompressedStream, _ packets: [CompressedPacket]) throws {
    guard let codec = avcodec_find_decoder(stream.parameters.pointee.codec_id) else { return nil }
    let context = try AVCodecContextHandle(codec: codec)
    avcodec_parameters_to_context(context.pointer, stream.parameters)
    context.pointer.pointee.thread_count = 1
    context.pointer.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    // Decodes all samples, also those that a container marks to be skipped.
    context.pointer.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    guard avcodec_open2(context.pointer, codec, nil) >= 0 else { return nil }
    let packet = try AVPacketHandle()
    let frame = try AVFrameHandle()
    for index in 0...packets.count {
      packet.clear()
      if index < packets.count { try packets[index].reference(from: packet.pointer) }
      let result = avcodec_send_packet(
        context.pointer, index < packets.count ? packet.pointer : nil)
      if result < 0 { failures += 1 }
      while avcodec_receive_frame(context.pointer, frame.pointer) >= 0 { add(frame.pointer) }
    }
  }

  private mutating func add(_ frame: UnsafeMutablePointer<AVFrame>) {
    let format = AVSampleFormat(frame.pointee.format)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let channels = Int(frame.pointee.ch_layout.nb_channels)
    let bytes =
      Int(frame.pointee.nb_samples) * Int(av_get_bytes_per_sample(format))
      * (isPlanar ? 1 : channels)
    for plane in 0..<(isPlanar ? channels : 1) {
      guard let data = frame.pointee.extended_data[plane] else { continue }
      for byte in 0..<bytes { sum = (sum ^ UInt64(data[byte])) &* 1_099_511_628_211 }
    }
    count += Int(frame.pointee.nb_samples)
    av_frame_unref(frame)
  }
}

/// Plain gray frames, which encode fast at any size.
struct GrayFrames {
  let format: FrameFormat
  private let layout: BufferLayout

  init(_ format: FrameFormat) {
    self.format = format
    layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
  }

  func frame(_ index: Int, at time: Rational) throws -> Frame {
    let count = layout.byteCount
    let pool = PixelBufferPool(layout: layout) { HeapMemory(byteCount: count) }
    var pixels = try pool.lease()
    let isDeep = format.pixelFormat.layout.depth > 8
    // 1 and 2 in both bytes of a 10-bit code keep it within 10 bits.
    let value = UInt8(truncatingIfNeeded: isDeep ? 1 + index : 60 + 80 * index)
    for plane in layout.planes.indices {
      pixels.withBytes(ofPlane: plane) { _ = $0.initializeMemory(as: UInt8.self, repeating: value) }
    }
    return Frame(format: format, pixels: pixels.freeze(), time: time, duration: nil)
  }
}
