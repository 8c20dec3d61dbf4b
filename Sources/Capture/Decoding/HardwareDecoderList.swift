import CFFmpeg
public import FFmpegHandles
import Frames
import Glibc

/// Tries every kind of hardware that decodes: for each codec with one frame, which the processor has encoded.
public func listHardwareDecoders() -> [HardwareListing] {
  var listings: [HardwareListing] = []
  for family in HardwareFamily.allCases {
    guard let name = family.deviceName else { continue }
    let kind = av_hwdevice_find_type_by_name(name)
    var device: UnsafeMutablePointer<AVBufferRef>?
    defer { av_buffer_unref(&device) }
    guard kind != AV_HWDEVICE_TYPE_NONE else { continue }
    if let reason = HardwareDevice.open(kind, family, &device) {
      listings.append(HardwareListing(.decoder, family, name: name, codec: nil, refusal: reason))
      continue
    }
    for sample in CodecSample.all {
      guard let decoder = avcodec_find_decoder(sample.codec),
        HardwareDevice.kinds(of: decoder)[name] != nil
      else { continue }
      let codec = String(cString: avcodec_get_name(sample.codec))
      let refusal =
        sample.isDecoded(by: decoder, device)
        ? nil : "the hardware, or its driver, does not decode \(codec)"
      listings.append(
        HardwareListing(.decoder, family, name: name, codec: codec, refusal: refusal))
    }
  }
  return listings
}

/// A frame of a codec, encoded by the processor.
struct CodecSample {
  let codec: AVCodecID
  private let encoder: String
  private var pixelFormat = AV_PIX_FMT_YUV420P

  static let all = [
    CodecSample(codec: AV_CODEC_ID_H264, encoder: "libx264"),
    CodecSample(codec: AV_CODEC_ID_HEVC, encoder: "libx265"),
    CodecSample(codec: AV_CODEC_ID_VP9, encoder: "libvpx-vp9"),
    CodecSample(codec: AV_CODEC_ID_VP8, encoder: "libvpx"),
    CodecSample(codec: AV_CODEC_ID_MPEG2VIDEO, encoder: "mpeg2video"),
    CodecSample(codec: AV_CODEC_ID_MPEG4, encoder: "mpeg4"),
    CodecSample(
      codec: AV_CODEC_ID_MJPEG, encoder: "mjpeg", pixelFormat: AV_PIX_FMT_YUVJ420P),
  ]

  /// Whether a decoder gives the frame, from the device if there is one.
  func isDecoded(
    by decoder: UnsafePointer<AVCodec>, _ device: UnsafeMutablePointer<AVBufferRef>?
  ) -> Bool {
    var isThere = false
    _ = loggedErrors { isThere = (try? gives(decoder, device)) ?? false }
    return isThere
  }

  private func gives(
    _ decoder: UnsafePointer<AVCodec>, _ device: UnsafeMutablePointer<AVBufferRef>?
  ) throws(FFmpegError) -> Bool {
    let frame = try decoded(decoder, device)
    let isOnDevice = frame.pointer.pointee.hw_frames_ctx != nil
    guard isOnDevice == (device != nil) else { return false }
    switch HardwareDevice.fetched(frame) {
    case .some: return true
    case .none: return false
    }
  }

  private func decoded(
    _ decoder: UnsafePointer<AVCodec>, _ device: UnsafeMutablePointer<AVBufferRef>?
  ) throws(FFmpegError) -> AVFrameHandle {
    let name = String(cString: decoder.pointee.name)
    let packet = try packet()
    let context = try AVCodecContextHandle(codec: decoder)
    if let device { context.pointer.pointee.hw_device_ctx = av_buffer_ref(device) }
    try check(avcodec_open2(context.pointer, decoder, nil), "avcodec_open2", name)
    try check(avcodec_send_packet(context.pointer, packet.pointer), "avcodec_send_packet", name)
    try check(avcodec_send_packet(context.pointer, nil), "avcodec_send_packet", name)
    let frame = try AVFrameHandle()
    try check(
      avcodec_receive_frame(context.pointer, frame.pointer), "avcodec_receive_frame", name)
    return frame
  }

  private func packet() throws(FFmpegError) -> AVPacketHandle {
    guard let codec = avcodec_find_encoder_by_name(encoder) else {
      throw FFmpegError(
        call: "avcodec_find_encoder_by_name", subject: encoder, code: kf_averror(ENOSYS))
    }
    let context = try AVCodecContextHandle(codec: codec)
    (context.pointer.pointee.width, context.pointer.pointee.height) = (640, 480)
    context.pointer.pointee.pix_fmt = pixelFormat
    context.pointer.pointee.time_base = AVRational(num: 1, den: 25)
    context.pointer.pointee.framerate = AVRational(num: 25, den: 1)
    context.pointer.pointee.color_range =
      pixelFormat == AV_PIX_FMT_YUVJ420P ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    context.pointer.pointee.thread_count = 1
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if encoder == "libx265" { av_dict_set(&options, "x265-params", "log-level=none", 0) }
    try check(avcodec_open2(context.pointer, codec, &options), "avcodec_open2", encoder)
    let frame = try AVFrameHandle()
    (frame.pointer.pointee.width, frame.pointer.pointee.height) = (640, 480)
    frame.pointer.pointee.format = pixelFormat.rawValue
    frame.pointer.pointee.pts = 0
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", encoder)
    let buffers = [
      frame.pointer.pointee.buf.0, frame.pointer.pointee.buf.1, frame.pointer.pointee.buf.2,
    ]
    for buffer in buffers.compactMap(\.self) {
      buffer.pointee.data.update(repeating: 0x80, count: Int(buffer.pointee.size))
    }
    try check(avcodec_send_frame(context.pointer, frame.pointer), "avcodec_send_frame", encoder)
    try check(avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", encoder)
    let packet = try AVPacketHandle()
    try check(
      avcodec_receive_packet(context.pointer, packet.pointer), "avcodec_receive_packet", encoder)
    return packet
  }
}
