import CFFmpeg
import FFmpegHandles
import Frames

/// Which hardware may decode frames.
public enum HardwareWish: Sendable, Equatable {
  case off
  /// The first kind of hardware that the machine has for the codec.
  case automatic
  /// One of `names`.
  case named(String)

  /// The kinds of hardware, by FFmpeg's names.
  static let names = ["vaapi", "cuda", "vdpau", "qsv", "drm"]
}

/// Devices of FFmpeg that decode frames into memory of their own.
enum HardwareDevice {
  /// Makes a decoder use the first device that can be opened of those that it can use.
  ///
  /// If the device cannot decode the stream's profile, FFmpeg uses the processor by itself.
  ///
  /// - Parameters:
  ///   - wish: What the person wants.
  ///   - context: The decoder before it is opened; it keeps the device open.
  ///   - codec: The decoder's codec.
  ///   - refusals: Receives why each kind of hardware is not used.
  /// - Returns: FFmpeg's name of the kind; nil if none can be opened.
  static func attach(
    _ wish: HardwareWish, to context: UnsafeMutablePointer<AVCodecContext>,
    _ codec: UnsafePointer<AVCodec>, _ refusals: inout [String]
  ) -> String? {
    let wanted: [String] =
      switch wish {
      case .off: []
      case .automatic: HardwareWish.names
      case .named(let name): [name]
      }
    let usable = kinds(of: codec)
    for name in wanted {
      guard let kind = usable[name] else {
        if wish != .automatic {
          refusals.append("\(name): not for \(String(cString: codec.pointee.name))")
        }
        continue
      }
      let result = av_hwdevice_ctx_create(&context.pointee.hw_device_ctx, kind, nil, nil, 0)
      if result >= 0 { return name }
      refusals.append("\(name): \(FFmpegError.reason(result))")
    }
    return nil
  }

  /// The kinds of devices that a decoder can use.
  private static func kinds(of codec: UnsafePointer<AVCodec>) -> [String: AVHWDeviceType] {
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

  /// Copies a decoded frame from the device's memory; frames that are not there stay as they are.
  ///
  /// - Returns: Nil if the copy failed.
  static func fetched(_ frame: consuming AVFrameHandle) -> AVFrameHandle? {
    guard frame.pointer.pointee.hw_frames_ctx != nil else { return frame }
    guard let copy = try? AVFrameHandle(),
      av_hwframe_transfer_data(copy.pointer, frame.pointer, 0) >= 0,
      av_frame_copy_props(copy.pointer, frame.pointer) >= 0
    else { return nil }
    return copy
  }
}
