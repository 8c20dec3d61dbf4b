import CFFmpeg
import FFmpegHandles
import Frames

/// Devices of FFmpeg that decode frames into memory of their own.
enum HardwareDevice {
  /// Opens the first device on which a decoder of the codec runs; says in `refusals` why others are not used.
  ///
  /// If the device cannot decode the stream's profile, FFmpeg uses the processor by itself, or gives an error.
  static func choose(
    _ preference: HardwarePreference, for codec: UnsafePointer<AVCodec>,
    _ device: inout UnsafeMutablePointer<AVBufferRef>?, _ refusals: inout [String]
  ) -> (family: HardwareFamily, decoder: UnsafePointer<AVCodec>)? {
    for family in preference.families {
      guard let name = family.deviceName, let decoder = decoder(instead: codec, on: name),
        let kind = kinds(of: decoder)[name]
      else {
        if case .family = preference {
          let codec = String(cString: codec.pointee.name)
          refusals.append("\(family.title): this FFmpeg does not decode \(codec) with it")
        }
        continue
      }
      if let reason = open(kind, family, &device) {
        refusals.append("\(family.title): \(reason)")
      } else {
        return (family, decoder)
      }
    }
    return nil
  }

  /// The decoder that runs on a kind of device in the place of the processor's; nil if there is none.
  ///
  /// AV1 has one of its own for hardware, which decodes nothing on the processor. A decoder that was chosen for what
  /// FFmpeg's first one ignores, such as alpha, stays.
  static func decoder(
    instead codec: UnsafePointer<AVCodec>, on name: String
  ) -> UnsafePointer<AVCodec>? {
    if kinds(of: codec)[name] != nil { return codec }
    guard codec == avcodec_find_decoder(codec.pointee.id) else { return nil }
    var place: UnsafeMutableRawPointer?
    while let other = av_codec_iterate(&place) {
      guard other.pointee.id == codec.pointee.id, av_codec_is_decoder(other) != 0,
        other.pointee.capabilities & AV_CODEC_CAP_HARDWARE == 0, kinds(of: other)[name] != nil
      else { continue }
      return other
    }
    return nil
  }

  /// The threads of a decoder, and the frames that it has in the memory of hardware besides its own.
  ///
  /// NVDEC has 32 frames at most (`cuvidCreateDecoder` else gives CUDA_ERROR_INVALID_VALUE): streams take up to 20, FFmpeg 5
  /// more (nvdec.c, decode.c), and one for each thread. None is kept there, because they are copied at once. The threads
  /// are those of the processor, too, where NVDEC does not take the stream.
  static func room(
    of family: HardwareFamily?, threads: Int, keptFrames: Int
  ) -> (threads: Int, extraFrames: Int) {
    guard let family else { return (threads, 0) }
    guard family == .nvidia else { return (threads, keptFrames) }
    return (threads == 0 ? 7 : min(threads, 7), 0)
  }

  /// Opens a device; returns why it cannot be opened, as a part of a sentence, or nil.
  static func open(
    _ kind: AVHWDeviceType, _ family: HardwareFamily,
    _ device: inout UnsafeMutablePointer<AVBufferRef>?
  ) -> String? {
    var result: Int32 = 0
    var opened: UnsafeMutablePointer<AVBufferRef>?
    let log = loggedErrors { result = av_hwdevice_ctx_create(&opened, kind, nil, nil, 0) }
    device = opened
    return result >= 0 ? nil : HardwareReason.text(family, code: result, log: log)
  }

  /// The kinds of devices that a decoder can use.
  static func kinds(of codec: UnsafePointer<AVCodec>) -> [String: AVHWDeviceType] {
    var kinds: [String: AVHWDeviceType] = [:]
    var index: Int32 = 0
    while let config = avcodec_get_hw_config(codec, index) {
      index += 1
      guard config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0,
        let name = av_hwdevice_get_type_name(config.pointee.device_type)
      else { continue }
      kinds[String(cString: name)] = config.pointee.device_type
    }
    return kinds
  }

  /// Copies a decoded frame from the device's memory, unless it is not there; nil if the copy failed.
  static func fetched(_ frame: consuming AVFrameHandle) -> AVFrameHandle? {
    guard frame.pointer.pointee.hw_frames_ctx != nil else { return frame }
    return copied(frame)
  }

  /// Copies a frame of a device to the processor's memory; nil if that failed.
  static func copied(_ frame: borrowing AVFrameHandle) -> AVFrameHandle? {
    guard let copy = try? AVFrameHandle(),
      av_hwframe_transfer_data(copy.pointer, frame.pointer, 0) >= 0,
      av_frame_copy_props(copy.pointer, frame.pointer) >= 0
    else { return nil }
    return copy
  }
}
