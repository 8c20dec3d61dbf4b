public import CFFmpeg
public import Frames

extension HDRMetadata {
  /// Reads what the side data of a stream say; nil if they say nothing.
  public init?(of stream: UnsafePointer<AVStream>) {
    func data<Data>(_ type: AVPacketSideDataType, as: Data.Type) -> Data? {
      var size = 0
      guard let bytes = kf_stream_side_data(stream, type, &size),
        size >= MemoryLayout<Data>.size
      else { return nil }
      return UnsafeRawPointer(bytes).loadUnaligned(as: Data.self)
    }
    self.init(
      display: data(
        AV_PKT_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self),
      light: data(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self))
  }

  /// Reads what the side data of a decoded frame say; nil if they say nothing.
  public init?(of frame: UnsafePointer<AVFrame>) {
    func data<Data>(_ type: AVFrameSideDataType, as: Data.Type) -> Data? {
      guard let found = av_frame_get_side_data(frame, type)?.pointee, let bytes = found.data,
        found.size >= MemoryLayout<Data>.size
      else { return nil }
      return UnsafeRawPointer(bytes).loadUnaligned(as: Data.self)
    }
    self.init(
      display: data(
        AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self),
      light: data(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self))
  }

  private init?(display: AVMasteringDisplayMetadata?, light: AVContentLightMetadata?) {
    self.init()
    func color(_ pair: (AVRational, AVRational)) -> Chromaticity {
      Chromaticity(x: Rational(pair.0), y: Rational(pair.1))
    }
    if let display, display.has_primaries != 0 {
      let (red, green, blue) = display.display_primaries
      displayPrimaries = Primaries(
        red: color(red), green: color(green), blue: color(blue), white: color(display.white_point))
    }
    if let display, display.has_luminance != 0 {
      displayLuminance = Luminance(
        largest: Rational(display.max_luminance), smallest: Rational(display.min_luminance))
    }
    if let light, light.MaxCLL > 0 || light.MaxFALL > 0 {
      content = Content(largest: Int(light.MaxCLL), largestMean: Int(light.MaxFALL))
    }
    if self == HDRMetadata() { return nil }
  }

  /// These data, with what they leave open from others.
  public func completed(by other: HDRMetadata?) -> HDRMetadata {
    HDRMetadata(
      displayPrimaries: displayPrimaries ?? other?.displayPrimaries,
      displayLuminance: displayLuminance ?? other?.displayLuminance,
      content: content ?? other?.content)
  }

  /// Adds the data to a stream of a muxer, before its header.
  public func write(to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    func add<Data>(_ data: Data, _ type: AVPacketSideDataType) throws(FFmpegError) {
      let target = try check(
        kf_new_stream_side_data(stream, type, MemoryLayout<Data>.size), "av_packet_side_data_new",
        "a stream")
      UnsafeMutableRawPointer(target).storeBytes(of: data, as: Data.self)
    }
    func pair(_ color: Chromaticity) -> (AVRational, AVRational) {
      (AVRational(color.x), AVRational(color.y))
    }
    if displayPrimaries != nil || displayLuminance != nil {
      var display = AVMasteringDisplayMetadata()
      if let displayPrimaries {
        display.has_primaries = 1
        display.display_primaries = (
          pair(displayPrimaries.red), pair(displayPrimaries.green), pair(displayPrimaries.blue)
        )
        display.white_point = pair(displayPrimaries.white)
      }
      if let displayLuminance {
        display.has_luminance = 1
        display.max_luminance = AVRational(displayLuminance.largest)
        display.min_luminance = AVRational(displayLuminance.smallest)
      }
      try add(display, AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
    }
    if let content {
      var light = AVContentLightMetadata()
      light.MaxCLL = UInt32(clamping: content.largest)
      light.MaxFALL = UInt32(clamping: content.largestMean)
      try add(light, AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
    }
  }
}
