import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Brings frames into the layout and the memory that an encoder takes, if they are not there; used by one thread.
final class EncoderFeed {
  /// FFmpeg's layout of what is sent: that of the memory, or of the surfaces.
  let format: AVPixelFormat
  private(set) var surfaces: UnsafeMutablePointer<AVBufferRef>?
  private let layout: AVPixelFormat
  private let pixelFormat: PixelFormat
  private let size: (width: Int32, height: Int32)
  /// Brings frames into the layout; nil if they come in it.
  private let scaler: ScalerHandle?
  /// Memory for frames in the other layout; the encoder gives it back when it has read it.
  private var memory: OpaquePointer?
  private let converted: AVFrameHandle
  private let uploaded: AVFrameHandle
  /// Whether the device reads frames where another one has them.
  private let sharing: PictureSharing
  /// Whether the latest frame was opened where another device has it.
  private(set) var isShared = false

  /// Rows are aligned for SIMD.
  private static let alignment: Int32 = 64

  /// Prepares the layout, and the surfaces of a device; without a device frames are sent in the processor's memory.
  init(
    _ source: FrameFormat, layout: AVPixelFormat, device: AVHWDeviceType?,
    sharing: PictureSharing = PictureSharing()
  ) throws(FFmpegError) {
    self.sharing = sharing
    (pixelFormat, self.layout) = (source.pixelFormat, layout)
    size = (Int32(source.width), Int32(source.height))
    converted = try AVFrameHandle()
    uploaded = try AVFrameHandle()
    if let device {
      let name = av_hwdevice_get_type_name(device).map { String(cString: $0) } ?? "a device"
      surfaces = try EncoderFeed.surfaces(device, layout: layout, size: size, name: name)
      format = EncoderFeed.surfaceFormat(of: device)
    } else {
      format = layout
    }
    let own = source.pixelFormat.avPixelFormat
    guard layout != own else {
      scaler = nil
      return
    }
    // The same sizes and bits: only the places of the samples change.
    scaler = ScalerHandle(
      from: (source.width, source.height, own), to: (source.width, source.height, layout),
      filter: kf_sws_point)
    let bytes = av_image_get_buffer_size(layout, size.width, size.height, Self.alignment)
    try check(bytes, "av_image_get_buffer_size", "a frame")
    memory = av_buffer_pool_init(Int(bytes), nil)
    guard scaler != nil, memory != nil else {
      throw FFmpegError(call: "sws_getContext", subject: "a frame", code: kf_averror(ENOMEM))
    }
  }

  deinit {
    av_buffer_pool_uninit(&memory)
    av_buffer_unref(&surfaces)
  }

  private static func surfaces(
    _ device: AVHWDeviceType, layout: AVPixelFormat, size: (width: Int32, height: Int32),
    name: String
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVBufferRef> {
    var opened: UnsafeMutablePointer<AVBufferRef>?
    try check(
      av_hwdevice_ctx_create(&opened, device, nil, nil, 0), "av_hwdevice_ctx_create", name)
    defer { av_buffer_unref(&opened) }
    var frames =
      try check(av_hwframe_ctx_alloc(opened), "av_hwframe_ctx_alloc", name)
      as UnsafeMutablePointer<AVBufferRef>?
    guard let made = frames,
      let context = UnsafeMutableRawPointer(made.pointee.data)?.assumingMemoryBound(
        to: AVHWFramesContext.self)
    else {
      throw FFmpegError(call: "av_hwframe_ctx_alloc", subject: name, code: kf_averror(ENOMEM))
    }
    context.pointee.format = surfaceFormat(of: device)
    context.pointee.sw_format = layout
    (context.pointee.width, context.pointee.height) = (size.width, size.height)
    let result = av_hwframe_ctx_init(made)
    guard result >= 0 else {
      av_buffer_unref(&frames)
      throw FFmpegError(call: "av_hwframe_ctx_init", subject: name, code: result)
    }
    return made
  }

  private static func surfaceFormat(of device: AVHWDeviceType) -> AVPixelFormat {
    device == AV_HWDEVICE_TYPE_VULKAN ? AV_PIX_FMT_VULKAN : AV_PIX_FMT_VAAPI
  }

  /// Returns the `AVFrame` to send for `frame`, whose pixels are in `pixels`; it is valid until `release` or the next
  /// call.
  func prepared(
    _ frame: borrowing AVFrameHandle, of pixels: PixelBuffer
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFrame> {
    release()
    isShared = false
    if let surface = try opened(pixels, as: frame.pointer) {
      isShared = true
      return surface
    }
    try frame.refer(to: pixels)
    return try copied(frame.pointer)
  }

  /// The surface of a frame that another device has, without a copy; nil if the frame has to be copied.
  private func opened(
    _ pixels: PixelBuffer, as frame: UnsafeMutablePointer<AVFrame>
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFrame>? {
    guard let surfaces, let picture = pixels.shared, scaler == nil, sharing.reason == nil else {
      return nil
    }
    guard let described = SharedFrame(picture, of: pixels, pixelFormat) else {
      sharing.stop(because: "the memory of the frames is in an order that encoders do not open")
      return nil
    }
    let other = try AVFrameHandle()
    let surface = uploaded.pointer
    try described.become(other.pointer, width: size.width, height: size.height)
    surface.pointee.format = format.rawValue
    surface.pointee.hw_frames_ctx = try check(av_buffer_ref(surfaces), "av_buffer_ref", "a frame")
    let flags = Int32(AV_HWFRAME_MAP_READ) | Int32(AV_HWFRAME_MAP_DIRECT)
    var result: Int32 = 0
    let log = loggedErrors { result = av_hwframe_map(surface, other.pointer, flags) }
    guard result >= 0 else {
      uploaded.clear()
      sharing.stop(
        because: "the encoder does not open them (\(log.last ?? FFmpegError.reason(result)))")
      return nil
    }
    try check(av_frame_copy_props(surface, frame), "av_frame_copy_props", "a frame")
    return surface
  }

  /// Returns what the encoder is sent for a frame in the processor's memory; it is valid until `release` or the next call.
  func copied(
    _ frame: UnsafeMutablePointer<AVFrame>
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFrame> {
    release()
    let arranged = scaler == nil ? frame : try arrange(frame)
    guard let surfaces else { return arranged }
    let surface = uploaded.pointer
    try check(av_hwframe_get_buffer(surfaces, surface, 0), "av_hwframe_get_buffer", "a frame")
    try check(
      av_hwframe_transfer_data(surface, arranged, 0), "av_hwframe_transfer_data", "a frame")
    try check(av_frame_copy_props(surface, frame), "av_frame_copy_props", "a frame")
    return surface
  }

  /// Gives up the memory of the latest frame, unless the encoder still reads it.
  func release() {
    converted.clear()
    uploaded.clear()
  }

  private func arrange(
    _ frame: UnsafeMutablePointer<AVFrame>
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFrame> {
    let target = converted.pointer
    try check(av_frame_copy_props(target, frame), "av_frame_copy_props", "a frame")
    (target.pointee.width, target.pointee.height) = (size.width, size.height)
    target.pointee.format = layout.rawValue
    let buffer = try check(av_buffer_pool_get(memory), "av_buffer_pool_get", "a frame")
    target.pointee.buf.0 = buffer
    let result = withUnsafeMutablePointer(to: &target.pointee.data.0) { data in
      withUnsafeMutablePointer(to: &target.pointee.linesize.0) { strides in
        av_image_fill_arrays(
          data, strides, buffer.pointee.data, layout, size.width, size.height, Self.alignment)
      }
    }
    try check(result, "av_image_fill_arrays", "a frame")
    try scaler?.scale(frame, to: target)
    return target
  }
}

extension EncoderFeed {
  /// Makes the feed of a plan, and says to the encoder what it will get; nil if it takes the frames as they come.
  convenience init?(
    _ plan: EncoderPlan, for context: UnsafeMutablePointer<AVCodecContext>
  ) throws(FFmpegError) {
    let own = plan.format.pixelFormat
    if let encoder = HardwareEncoder(plan.codec) {
      try self.init(
        plan.format, layout: encoder.layout(of: own), device: encoder.surfaces,
        sharing: plan.sharing)
    } else {
      // Frames for hardware, of which an encoder on the processor may not know the layout.
      let taken = EncoderChoice.listedPixelFormats(of: plan.codec)
      guard let planar = own.planar, let taken, !taken.contains(own.rawValue) else { return nil }
      try self.init(plan.format, layout: planar.avPixelFormat, device: nil)
    }
    context.pointee.pix_fmt = format
    if let surfaces { context.pointee.hw_frames_ctx = av_buffer_ref(surfaces) }
  }
}
