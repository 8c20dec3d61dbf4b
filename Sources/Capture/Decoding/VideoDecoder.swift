import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// An open decoder: it takes packets and gives frames.
struct VideoDecoder: ~Copyable {
  /// The result of a call to `receive`.
  enum Result: ~Copyable {
    /// A frame, and where a device has its pixels; nil if the frame is in the processor's memory.
    case frame(AVFrameHandle, on: SharedPicture?)
    case needsPacket
    case end
    /// A frame that did not decode, with FFmpeg's error; the next one may.
    case damaged(Int32)
  }

  /// FFmpeg's name of the decoder.
  let codecName: String

  /// What decodes instead of the processor, if it can; nil if nothing does.
  let hardware: HardwareFamily?
  /// Why hardware that was wanted is not used, a kind each.
  let refusals: [String]

  private let context: AVCodecContextHandle

  /// Opens a decoder for the stream.
  ///
  /// Without `filtersPictures` the loop filter is left out, so that pictures are not exact. `keptFrames` frames may stay in the
  /// memory of hardware after the decoder is done with them.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, name: String, threads: Int,
    filtersPictures: Bool = true, hardware: HardwarePreference = .off,
    hardwareDecoder: String? = nil,
    keptFrames: Int = 0
  ) throws(CaptureError) {
    guard let parameters = stream.pointee.codecpar,
      let codec = VideoDecoder.codec(of: stream, parameters.pointee.codec_id)
    else {
      if stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_NONE,
        let lost = CutFile.lostIndex(name)
      {
        throw lost
      }
      throw CaptureError(
        "\(name) is coded in \(VideoDecoder.codecName(of: stream)), which this FFmpeg cannot decode"
      )
    }
    var refusals: [String] = []
    var device: UnsafeMutablePointer<AVBufferRef>?
    defer { av_buffer_unref(&device) }
    var hardware =
      hardwareDecoder.flatMap { avcodec_find_decoder_by_name($0) }.map { (.nvidia, $0) }
      ?? HardwareDevice.choose(hardware, for: codec, &device, &refusals)
    /// Opens the hardware's decoder; without hardware the processor's.
    func open() throws(FFmpegError) -> AVCodecContextHandle {
      let decoder = hardware?.decoder ?? codec
      var context = try AVCodecContextHandle(codec: decoder)
      // It repairs a part whose checksum is wrong from the frame before, and only logs that. What other decoders log
      // as an error may be harmless.
      if codec.pointee.id == AV_CODEC_ID_FFV1 { context.countErrors() }
      try check(
        avcodec_parameters_to_context(context.pointer, parameters),
        "avcodec_parameters_to_context", name)
      kf_copy_packet_numbers(context.pointer)
      context.pointer.pointee.pkt_timebase = stream.pointee.time_base
      if hardware != nil, let device {
        context.pointer.pointee.hw_device_ctx = av_buffer_ref(device)
      }
      let room = HardwareDevice.room(
        of: hardware?.family, threads: threads, keptFrames: keptFrames)
      context.pointer.pointee.thread_count = Int32(room.threads)
      context.pointer.pointee.extra_hw_frames = Int32(room.extraFrames)
      if !filtersPictures { context.pointer.pointee.skip_loop_filter = AVDISCARD_ALL }
      try check(avcodec_open2(context.pointer, decoder, nil), "avcodec_open2", name)
      return context
    }
    context = try explained(VideoDecoder.refusal(name)) { () throws(FFmpegError) in
      guard let chosen = hardware else { return try open() }
      do throws(FFmpegError) { return try open() } catch {
        // It may refuse a stream that the processor's decoder takes.
        let codec = String(cString: codec.pointee.name)
        refusals.append("\(chosen.family.title): it does not decode this kind of \(codec)")
        hardware = nil
        return try open()
      }
    }
    (self.hardware, self.refusals) = (hardware?.family, refusals)
    codecName = String(cString: (hardware?.decoder ?? codec).pointee.name)
  }

  private static func refusal(_ name: String) -> (FFmpegError) -> String {
    { "\(name) cannot be decoded (\($0.reason)): convert it with another program first" }
  }

  /// Finds the decoder; FFmpeg's own VP8 and VP9 decoders ignore the second layer of WebM frames, their
  /// alpha.
  private static func codec(
    of stream: UnsafeMutablePointer<AVStream>, _ id: AVCodecID
  ) -> UnsafePointer<AVCodec>? {
    let names = [AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9"]
    if tag("alpha_mode", in: stream.pointee.metadata) == "1", let name = names[id.rawValue],
      let codec = avcodec_find_decoder_by_name(name)
    {
      return codec
    }
    return avcodec_find_decoder(id)
  }

  /// The name of a stream's codec; the container's own code of one that FFmpeg does not know.
  private static func codecName(of stream: UnsafeMutablePointer<AVStream>) -> String {
    guard let parameters = stream.pointee.codecpar else { return "an unknown way" }
    guard parameters.pointee.codec_id == AV_CODEC_ID_NONE else {
      return String(cString: avcodec_get_name(parameters.pointee.codec_id))
    }
    let code = withUnsafeBytes(of: parameters.pointee.codec_tag.littleEndian, Array.init)
    let isText = code.allSatisfy { (0x21...0x7e).contains($0) }
    return isText ? String(decoding: code, as: UTF8.self) : "an unknown way"
  }

  /// Opens a decoder for packets without a container, such as a camera's.
  init(codec id: AVCodecID, name: String, threads: Int) throws(CaptureError) {
    guard let codec = avcodec_find_decoder(id) else {
      throw CaptureError(
        "\(name) is coded as \(String(cString: avcodec_get_name(id))), which this FFmpeg cannot decode"
      )
    }
    context = try explained(VideoDecoder.refusal(name)) { () throws(FFmpegError) in
      let context = try AVCodecContextHandle(codec: codec)
      context.pointer.pointee.pkt_timebase = AVRational(num: 1, den: 1_000_000)
      context.pointer.pointee.thread_count = Int32(threads)
      try check(avcodec_open2(context.pointer, codec, nil), "avcodec_open2", name)
      return context
    }
    (hardware, refusals) = (nil, [])
    codecName = String(cString: codec.pointee.name)
  }

  /// The frame rate that the coded stream itself says; nil if it has not said one so far.
  var codedRate: Rational? {
    let rate = context.pointer.pointee.framerate
    return rate.num > 0 && rate.den > 0 ? Rational(rate) : nil
  }

  /// Sends a packet, or nil at the end of the stream; false if the packet is damaged.
  ///
  /// Call it only when `receive` needs a packet.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Bool {
    Self.isSound(avcodec_send_packet(context.pointer, packet))
  }

  /// Sends a packet, or nil at the end, with a number, which its frame then has (`kf_packet_number`).
  func send(_ packet: UnsafeMutablePointer<AVPacket>?, _ number: Int64) -> Int32 {
    kf_send_numbered(context.pointer, packet, number)
  }

  /// Whether a result of sending a packet does not mean damage.
  static func isSound(_ result: Int32) -> Bool { result >= 0 || result == kf_averror_eof() }

  /// Number of repairs that a decoder of checksums only logs.
  var repairs: Int { context.loggedErrors?.count ?? 0 }

  /// Forgets all packets, after a seek.
  func flush() { avcodec_flush_buffers(context.pointer) }

  /// Returns the next frame in presentation order; it may be in the memory of hardware.
  func receive() throws(CaptureError) -> Result {
    let frame = try explained { () throws(FFmpegError) in try AVFrameHandle() }
    let result = avcodec_receive_frame(context.pointer, frame.pointer)
    if result == kf_averror_eof() { return .end }
    if result == kf_averror(EAGAIN) { return .needsPacket }
    if result < 0 { return .damaged(result) }
    // FFmpeg calls a PNG interlaced if its rows are stored in Adam7 order, which has nothing to do with
    // fields.
    let codec = context.pointer.pointee.codec_id
    if codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG {
      kf_set_fields(frame.pointer, 0, 0)
    }
    return .frame(frame, on: nil)
  }
}
