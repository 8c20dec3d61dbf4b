import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// A running libavcodec encoder: frames in, packets out, in decoding order.
///
/// Pixels are not copied: libavcodec holds a reference to the frame's buffer until it has finished
/// with it. Used by one thread at a time.
struct VideoEncoder: VideoTrack, ~Copyable {
  private var context: AVCodecContextHandle
  /// Filled again for each frame.
  private let frame: AVFrameHandle
  private let packet: AVPacketHandle
  private let plan: EncoderPlan
  private let losesColors: Bool
  /// Brings frames to the encoder; nil if it takes them as they come.
  private let feed: EncoderFeed?
  let name: String
  private let isHardware: Bool
  private var isDraining = false
  /// Whether the latest frame was read where another device has it.
  private var readsShared = false
  private var sent = 0
  private var received = 0
  /// The times of the frames that an encoder counts; nil if it takes their times.
  private var counted: CountedFrames?

  var timeBase: Rational { plan.timeBase }
  var frameRate: Rational { plan.frameRate }

  /// Opens an encoder; set `globalHeader` if the container stores the parameter sets separately.
  init(_ plan: EncoderPlan, globalHeader: Bool) throws {
    let context = try AVCodecContextHandle(codec: plan.codec)
    VideoEncoder.configure(context.pointer, plan, globalHeader: globalHeader)
    let feed = try EncoderFeed(plan, for: context.pointer)
    let isHardware = HardwareEncoder(plan.codec) != nil
    try VideoEncoder.open(context.pointer, plan, onHardware: isHardware)
    let frame = try AVFrameHandle()
    let packet = try AVPacketHandle()
    self.context = context
    self.frame = frame
    self.packet = packet
    self.feed = feed
    self.isHardware = isHardware
    self.plan = plan
    losesColors = EncoderTraits.of(plan.name).losesColors
    counted = plan.countsFrames ? CountedFrames(plan) : nil
    name = plan.name
    // SVT-AV1 never returns from closing if it did not receive the end of the stream, nor from the
    // end of the stream if no frame came (seen with 1.4.1). Not set on a variable above: if a field
    // is set after a call that throws, Swift 6.3 does not destroy the whole when the call throws.
    self.context.isLeftOpen = plan.name == "libsvtav1"
  }

  private static func open(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ plan: EncoderPlan, onHardware: Bool
  ) throws {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    for option in plan.options {
      try check(av_dict_set(&options, option.key, option.value, 0), "av_dict_set", plan.name)
    }
    let opened = ThreadPriority.kept { avcodec_open2(context, plan.codec, &options) }
    let result = plan.standIn.map { $0(.open) } ?? opened
    guard result >= 0 else {
      throw onHardware || plan.standIn != nil
        ? HardwareFailure(encoder: plan.name, code: result)
        : plan.refusal(code: result)
    }
  }

  /// Sets what the plan says, before the encoder is opened.
  static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ plan: EncoderPlan, globalHeader: Bool
  ) {
    context.pointee.width = Int32(plan.format.width)
    context.pointee.height = Int32(plan.format.height)
    context.pointee.pix_fmt = plan.format.pixelFormat.avPixelFormat
    context.pointee.sample_aspect_ratio = AVRational(plan.format.sampleAspectRatio)
    plan.format.color.apply(to: context)
    context.pointee.time_base = AVRational(plan.timeBase)
    // Without a nominal rate, x264 assumes one frame per tick, and writes level 6.2.
    context.pointee.framerate = AVRational(plan.frameRate)
    if plan.countsFrames {
      // The rate in the stream; its times are in the container.
      let rate = plan.codec.nearestRate(to: plan.frameRate)
      (context.pointee.framerate, context.pointee.time_base) = (rate, av_inv_q(rate))
    }
    if let bitrate = plan.bitrate { context.pointee.bit_rate = Int64(bitrate) }
    if let highest = plan.highestBitrate {
      context.pointee.rc_max_rate = Int64(highest)
      context.pointee.rc_buffer_size = Int32(clamping: 2 * highest)
    }
    if let quality = plan.quality { context.pointee.global_quality = Int32(quality) }
    if let gop = plan.gop { context.pointee.gop_size = Int32(clamping: gop) }
    if let bFrames = plan.bFrames { context.pointee.max_b_frames = Int32(bFrames) }
    context.pointee.thread_count = Int32(clamping: plan.threads)
    if !plan.allowsFrameThreads { context.pointee.thread_type = FF_THREAD_SLICE }
    if let order = plan.fieldOrder {
      // The lines of the two fields are interleaved.
      context.pointee.field_order = order == .topFirst ? AV_FIELD_TB : AV_FIELD_BT
      if plan.codesFields {
        context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME
      }
    }
    if globalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
  }

  /// Whether the parameter sets are known before the frames.
  var hasParameterSets: Bool { context.pointer.pointee.extradata_size > 0 }

  func describe(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws {
    try check(
      avcodec_parameters_from_context(parameters, context.pointer),
      "avcodec_parameters_from_context", name)
  }

  /// Takes a frame to show at `ticks` of the time base; then call `receive` until it returns nil.
  mutating func send(_ picture: Frame, ticks: Int64) throws {
    let format = plan.format
    guard picture.format.width == format.width, picture.format.height == format.height,
      picture.format.pixelFormat == format.pixelFormat
    else {
      throw EncodeError(
        "a frame of \(picture.format.width)x\(picture.format.height) "
          + "\(picture.format.pixelFormat.rawValue) came where \(format.width)x\(format.height) "
          + "\(format.pixelFormat.rawValue) was announced: the source changed its format")
    }
    defer { frame.clear() }
    frame.pointer.pointee.width = Int32(format.width)
    frame.pointer.pointee.height = Int32(format.height)
    frame.pointer.pointee.format = format.pixelFormat.avPixelFormat.rawValue
    frame.pointer.pointee.pts = counted?.enter(ticks) ?? ticks
    frame.pointer.pointee.sample_aspect_ratio = AVRational(format.sampleAspectRatio)
    format.color.apply(to: frame.pointer)
    kf_set_fields(
      frame.pointer, plan.fieldOrder == nil ? 0 : 1, plan.fieldOrder == .topFirst ? 1 : 0)
    if !plan.profile.isEmpty,
      let data = av_frame_new_side_data(
        frame.pointer, AV_FRAME_DATA_ICC_PROFILE, plan.profile.count)
    {
      data.pointee.data.update(from: plan.profile, count: plan.profile.count)
    }
    if feed == nil { try frame.refer(to: picture.pixels) }
    let ready = try feed?.prepared(frame, of: picture.pixels) ?? frame.pointer
    defer { feed?.release() }
    readsShared =
      feed?.isShared
      ?? (plan.standIn != nil && picture.pixels.shared != nil && plan.sharing.reason == nil)
    try checkWork(plan.standIn?(.send(sent)) ?? 0)
    try checkWork(avcodec_send_frame(context.pointer, ready))
    sent += 1
  }

  /// Ends the input: `receive` then returns the packets that are still held, then nil.
  mutating func drain() throws {
    guard !isDraining else { return }
    isDraining = true
    try checkWork(plan.standIn?(.drain) ?? 0)
    try checkWork(avcodec_send_frame(context.pointer, nil))
    context.isLeftOpen = false
  }

  /// Returns the next packet if one is ready; the encoder owns it, and it is valid until the next
  /// call.
  mutating func receive() throws -> UnsafeMutablePointer<AVPacket>? {
    let result = avcodec_receive_packet(context.pointer, packet.pointer)
    if result == kf_averror(EAGAIN) || result == kf_averror_eof() { return nil }
    try checkWork(result)
    try checkWork(plan.standIn?(.receive(received)) ?? 0)
    received += 1
    counted?.retime(packet.pointer)
    if losesColors { try stateColors() }
    // libx265 learns from the third frame how far ahead of their PTS frames are decoded; without
    // that frame it returns uninitialized memory as the DTS (seen with 3.5). Two frames keep their
    // order.
    if name == "libx265", sent < 3 { packet.pointer.pointee.dts = packet.pointer.pointee.pts }
    return packet.pointer
  }

  /// Writes the colours into the header of a ProRes frame (SMPTE RDD 36, `frame_header`), as numbers of H.273.
  private func stateColors() throws(FFmpegError) {
    // The size of the frame and `icpf` come before the header, its size and 12 bytes before the colours.
    let place = 22
    guard packet.pointer.pointee.size > place + 2 else { return }
    try check(av_packet_make_writable(packet.pointer), "av_packet_make_writable", name)
    let color = plan.format.color
    packet.pointer.pointee.data[place] = color.primaries
    packet.pointer.pointee.data[place + 1] = color.transfer
    packet.pointer.pointee.data[place + 2] = UInt8(truncatingIfNeeded: color.matrix.rawValue)
  }

  /// Throws a sentence if the encoder has failed on a frame.
  private func checkWork(_ result: Int32) throws {
    guard result < 0 else { return }
    if isHardware || plan.standIn != nil {
      throw HardwareFailure(encoder: name, code: result, isOfSharedFrame: readsShared)
    }
    throw EncodeError(
      "\(name) cannot encode the next frame (\(FFmpegError.reason(result))): choose another "
        + "--codec, or leave out the part that causes the error with --start and --duration")
  }
}

extension AVFrameHandle {
  /// Makes a blank frame refer to the planes of a pixel buffer, which is kept until libavcodec
  /// releases its last reference; nothing may write to the planes.
  func refer(to pixels: PixelBuffer) throws(FFmpegError) {
    // libavcodec gets the addresses, and with them the reference that keeps them valid.
    let planes = pixels.planes.indices.map { index in
      pixels.bytes(ofPlane: index).withUnsafeBytes {
        UnsafeMutableRawPointer(mutating: $0.baseAddress)?.assumingMemoryBound(to: UInt8.self)
      }
    }
    guard let first = planes.first, let first else { return }
    let kept = Unmanaged.passRetained(pixels)
    let buffer = av_buffer_create(
      first, pixels.planes[0].byteCount,
      { kept, _ in
        guard let kept else { return }
        Unmanaged<PixelBuffer>.fromOpaque(kept).release()
      }, kept.toOpaque(), AV_BUFFER_FLAG_READONLY)
    guard let buffer else {
      kept.release()
      throw FFmpegError(call: "av_buffer_create", subject: "a frame", code: kf_averror(ENOMEM))
    }
    pointer.pointee.buf.0 = buffer
    withUnsafeMutablePointer(to: &pointer.pointee.data) { data in
      data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
        for (index, plane) in planes.enumerated() {
          data[index] = plane
        }
      }
    }
    withUnsafeMutablePointer(to: &pointer.pointee.linesize) { strides in
      strides.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
        for (index, plane) in pixels.planes.enumerated() { strides[index] = Int32(plane.stride) }
      }
    }
  }
}

/// The times of frames that an encoder counts, given back to its packets; used by one thread at a time.
private struct CountedFrames {
  /// One frame in ticks of the plan's time base.
  private let frame: Int64
  /// The times of the frames from number `first` on, which may still be asked for.
  private var times: [Int64] = []
  private var first: Int64 = 0

  /// Frames that an encoder may hold, and those before that a packet's decoding time may mean.
  private static let most = 1024

  init(_ plan: EncoderPlan) {
    frame = max(plan.frameRate.reciprocal.ticks(timeBase: plan.timeBase), 1)
  }

  /// Returns the number of the next frame.
  mutating func enter(_ ticks: Int64) -> Int64 {
    times.append(ticks)
    if times.count > 2 * Self.most {
      times.removeFirst(Self.most)
      first += Int64(Self.most)
    }
    return first + Int64(times.count) - 1
  }

  func retime(_ packet: UnsafeMutablePointer<AVPacket>) {
    let (pts, dts) = (packet.pointee.pts, packet.pointee.dts)
    let ticks = time(of: pts)
    packet.pointee.pts = ticks
    packet.pointee.dts = dts == pts ? ticks : min(time(of: dts), ticks)
    packet.pointee.duration = 0
  }

  private func time(of number: Int64) -> Int64 {
    guard number >= first, let earliest = times.first else {
      return (times.first ?? 0) + (number - first) * frame
    }
    let place = Int(number - first)
    guard place < times.count else {
      return (times.last ?? earliest) + Int64(place - times.count + 1) * frame
    }
    return times[place]
  }
}

extension UnsafePointer<AVCodec> {
  /// Returns the frame rate of the encoder's list that is nearest to another.
  fileprivate func nearestRate(to rate: Rational) -> AVRational {
    guard let list = kf_frame_rates(self) else { return AVRational(rate) }
    return sequence(first: list) { $0 + 1 }.lazy.map(\.pointee).prefix { $0.num > 0 }
      .min { first, second in
        func distance(_ other: AVRational) -> Double {
          abs(log(Rational(other).doubleValue / max(rate.doubleValue, 0.001)))
        }
        return distance(first) < distance(second)
      } ?? AVRational(rate)
  }
}
